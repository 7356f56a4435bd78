import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
/** Inside the repository, where the compiler finds its packages; ignored by Git. */
const HOLDER = join(ROOT, 'node_modules');

const IMPORTS = `
import { AppError, type WireError } from '@devdb/shared/errors';
import { editorText, forEditor } from '${ROOT}/extension/src/editor-text.ts';
import { nameText, plain } from '@devdb/shared/plain-text';
import { type Question, questionOf } from '@devdb/shared/protocol';
import type { ChangeQuestion } from '@devdb/shared/tools/define-tool';
import type { Entry } from '${ROOT}/sidecar/src/databases/entry.ts';
import type { Caller } from '${ROOT}/sidecar/src/dispatch/caller.ts';
import type { News } from '${ROOT}/extension/src/window/toasts.ts';
import type { StatusText } from '${ROOT}/extension/src/window/status-text.ts';
import type { MenuRow } from '${ROOT}/extension/src/window/menu.ts';
declare const foreign: string;
`;

const REFUSED: Readonly<Record<string, string>> = {
  'the title of a question': `export const a: Pick<Question, 'title'> = { title: foreign };`,
  'the text of a question': `export const a: Pick<Question, 'message'> = { message: foreign };`,
  'what a question asks': `export const a = questionOf({ kind: 'change', title: plain\`t\`, ask: \`Run \${foreign}?\`, facts: [] });`,
  'a fact of a question': `export const a = questionOf({ kind: 'change', title: plain\`t\`, ask: plain\`a\`, facts: [{ label: plain\`l\`, value: foreign }] });`,
  'the question of a tool': `export const a: ChangeQuestion = { ask: foreign, facts: [] };`,
  'a sentence of ours': `export const a = plain\`Run this on \${foreign}?\`;`,
  'an error on its way out': `export const a: Pick<WireError, 'message'> = { message: new AppError('E_SQL', foreign).message };`,
  "a database's name": `export const a: Pick<Entry, 'name'> = { name: foreign };`,
  "a client's name": `export const a: Pick<Caller, 'clientName'> = { clientName: foreign };`,
  'news for the person at the editor': `export const a: News = { level: 'error', message: foreign };`,
  'the status bar': `export const a: Pick<StatusText, 'text'> = { text: nameText(foreign) };`,
  'a row of a menu': `export const a: MenuRow = { label: foreign, command: 'x' };`,
  "the editor's texts": `export const a = editorText\`$(check) \${foreign}\`;`,
  'a plain text made for the editor': `export const a = forEditor(foreign);`,
};
const TAKEN = `export const a = questionOf({ kind: 'change', title: plain\`t\`, ask: plain\`Run this on \${nameText(foreign)}?\`, facts: [] });`;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(HOLDER, '.plain-text-types-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the compiler refuses a plain string wherever text is shown, and accepts plain text', () => {
  const files = Object.values(REFUSED).map((code, at) => write(`refused-${at}.ts`, code));
  const taken = write('taken.ts', TAKEN);
  const config = {
    extends: join(ROOT, 'tsconfig.base.json'),
    compilerOptions: { types: ['node'], noUnusedLocals: false },
    files: [...files, taken],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const { stdout } = spawnSync(process.execPath, [TSC, '-p', folder, '--pretty', 'false'], {
    encoding: 'utf8',
    cwd: ROOT,
  });
  const refused = Object.keys(REFUSED).filter((_what, at) =>
    new RegExp(`refused-${at}\\.ts\\(\\d+,\\d+\\): error TS(2322|2345): .*'(string|PlainText)'`).test(stdout),
  );
  expect(refused).toEqual(Object.keys(REFUSED));
  expect(stdout).not.toContain('taken.ts');
});

function write(name: string, code: string): string {
  const file = join(folder, name);
  writeFileSync(file, `${IMPORTS}\n${code}\n`);
  return file;
}
