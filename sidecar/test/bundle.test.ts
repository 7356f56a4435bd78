import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LAZY_PARTS } from '../build/lazy-parts.ts';
import { type TempProject, tempProject } from './helpers/temp-project.ts';

const DIST = join(__dirname, '..', 'dist');
/** They run in separate processes and exchange only bytes with the sidecar. */
const OTHER_PROCESSES = [
  'cli.js',
  'launcher.js',
  'mcp-stdio.js',
  'sqlite-child.js',
  'sqlite-watch.js',
  'detection-child.js',
  'detection.js',
  'arranging-thread.js',
  'formatting-thread.js',
];

let project: TempProject;
beforeAll(() => {
  project = tempProject();
});
afterAll(() => project.remove());

test.each([
  ['the class of errors', 'errors.js', /AppError\s*=\s*class\b/],
  ['the mark of rows that are text', 'rows-text.js', /Symbol\("encoded"\)/],
  ['the clock of a deadline', 'time-left.js', /\bclocks\s*=\s*new WeakMap/],
])('%s is in one of the files that a sidecar loads', (_what, file, definition) => {
  const files = readdirSync(DIST).filter((name) => name.endsWith('.js') && !OTHER_PROCESSES.includes(name));
  expect(files.filter((name) => definition.test(textOf(name)))).toEqual([file]);
});

test.each([
  ['mysql2', ['engine-mysql.js']],
  ['pg', ['engine-postgres.js']],
  ['tedious', ['engine-mssql.js']],
  ['knex', ['engine-mysql.js', 'engine-postgres.js']],
  ['libpg-query', ['engine-postgres.js', 'formatting-thread.js']],
  ['nearley', ['formatting-thread.js']],
])('%s is in the file of what uses it, which an idle sidecar does not load', (driver, files) => {
  const inside = new RegExp(`"[./]*node_modules/${driver}/`);
  const holders = readdirSync(DIST).filter((name) => name.endsWith('.js') && inside.test(textOf(name)));
  expect(holders).toEqual(files);
});

test('what a sidecar starts with requires every lazy part, which has a file, and no lazy part requires itself', () => {
  const required = (name: string) =>
    [...textOf(name).matchAll(/require\("\.\/([\w-]+)\.js"\)/g)].map(([, part]) => String(part));
  const parts = Object.keys(LAZY_PARTS).toSorted();
  expect([...new Set(required('commands.js'))].toSorted()).toEqual(parts);
  for (const part of parts) expect(required(`${part}.js`)).not.toContain(part);
});

test('the detection process loads without the schema library, and leaves its compiled code for the next one', () => {
  for (const name of ['detection-child.js', 'detection.js']) copyFileSync(join(DIST, name), join(project.root, name));
  const script = `require('./detection-child.js'); console.log('__zod_globalConfig' in globalThis); process.exit();`;
  expect(execFileSync(process.execPath, ['-e', script], { cwd: project.root, encoding: 'utf8' })).toBe('false\n');
  expect(readdirSync(join(project.root, 'cache'))).toEqual([expect.stringMatching(/^detection\.js-.+\.bin$/)]);
});

test('rows read by an engine of the bundle are passed on as the text they came as', () => {
  const file = project.database('one.db', 'CREATE TABLE t (a); INSERT INTO t VALUES (1)');
  const script = `
    const { open } = require('./engine-sqlite.js');
    const { withoutRowsText } = require('./rows-text.js');
    const session = open({ file: ${JSON.stringify(file)} }, { bundleDir: process.cwd(), log() {} });
    const { signal } = new AbortController();
    session.prepare('SELECT a FROM t', signal)
      .then((statement) => statement.read({ rows: 9, bytes: 999, cellBytes: 99 }, signal))
      .then(({ rows }) => console.log(JSON.stringify(withoutRowsText(rows) ?? 'unknown')))
      .finally(() => session.end());
  `;
  const said = execFileSync(process.execPath, ['-e', script], { cwd: DIST, encoding: 'utf8' });
  expect(JSON.parse(said)).toMatchObject({ rowCount: 1, truncated: false });
});

function textOf(name: string): string {
  return readFileSync(join(DIST, name), 'utf8');
}
