import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { allTools, findTool } from '@devdb/shared/tools';
import { addExampleFiles } from '../../fixtures/labs/sample-project.ts';
import type { DevdbHome, StdioClient } from './helpers/devdb-home.ts';
import { describeEditor, type Editor, type Window } from './helpers/editor-lab.ts';
import { answerQuestion } from './helpers/question.ts';
import { startOnSample } from './helpers/sample-window.ts';
import { until } from './helpers/until.ts';

const OURS = ['diagnostic_collect', 'get_symbols_in_file', 'find_references', 'refactor_code_at_location'];
const TOOLS = allTools.filter(({ toolset, name }) => toolset === 'code' || OURS.includes(name)).map(({ name }) => name);

describeEditor("the editor's language servers for agents", () => {
  let editor: Editor;
  let window: Window;
  let devdb: DevdbHome;
  let agent: StdioClient;
  let root: string;

  beforeAll(async () => {
    const settings = {
      'files.autoSave': 'off',
      'files.watcherExclude': { '**/unwatched/**': true },
      'Devdb.mcp.toolsets': ['database', 'refactor', 'code', 'debug', 'ide'],
    };
    ({ editor, devdb, window, root } = await startOnSample({ settings }, addExampleFiles));
    agent = await devdb.stdioClient(['--timeout', '150000', '--toolsets', 'refactor,code,debug,ide']);
  });

  afterAll(async () => {
    await agent?.close();
    await editor?.stop();
  });

  function write(file: string, text: string): void {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }

  async function ask(tool: string, input: object) {
    const { text, isError } = await agent.call(tool, { projectRoot: root, ...input });
    return isError ? text : (JSON.parse(text).data ?? JSON.parse(text));
  }

  test.each(TOOLS)('%s gives what its examples say', async (name) => {
    for (const { input, gives } of findTool(name)?.examples ?? []) {
      addExampleFiles(root);
      const { text, isError } = await agent.call(name, { projectRoot: root, ...input });
      expect([name, input, isError ? /^\[(\w+)\]/.exec(text)?.[1] : 'ok']).toEqual([name, input, gives]);
    }
  });

  const read = (file: string) => readFileSync(join(root, file), 'utf8');

  test('an outline shows what stands in what, and only the kinds that are asked for', async () => {
    write('tree/shop.ts', 'export class Shop {\n  open() {\n    return 1;\n  }\n}\nexport const size = 3;\n');
    const { symbols } = await ask('code_symbols', { path: 'tree/shop.ts' });
    expect(symbols).toEqual([
      { name: 'Shop', kind: 'class', lines: '1-5', children: [{ name: 'open', kind: 'method', lines: '2-4' }] },
      { name: 'size', kind: 'variable', lines: '6' },
    ]);
    expect((await ask('code_symbols', { path: 'tree/shop.ts', kinds: ['method'] })).symbols).toEqual([symbols[0]]);
  });

  test('a symbol of the project is found by a part of its name, and none of a package', async () => {
    write('find/needle.ts', 'export function findNeedleHere(): void {}\n');
    write('node_modules/hay/index.ts', 'export function findNeedleThere(): void {}\n');
    const { symbols } = await ask('code_symbols', { query: 'findNeedle' });
    expect(symbols).toEqual([{ name: 'findNeedleHere', kind: 'function', at: 'find/needle.ts:1' }]);
  });

  const tabs = () => window.run((vscode) => vscode.window.tabGroups.all.flatMap(({ tabs: all }) => all).length);

  test('a file that an agent has just written is known, one it has just removed is not, without opening any', async () => {
    const before = await tabs();
    for (const round of [1, 2, 3]) {
      write('fresh/a.ts', `export function made${round}(): number {\n  return ${round};\n}\n`);
      write(`fresh/b${round}.ts`, `import { made${round} } from './a';\n\nexport const it = made${round}();\n`);
      const uses = await ask('code_references', { path: 'fresh/a.ts', symbol: `made${round}` });
      expect(uses.files.map(({ path, count }: { path: string; count: number }) => [path, count])).toEqual([
        ['fresh/a.ts', 1],
        [`fresh/b${round}.ts`, 2],
      ]);
      rmSync(join(root, `fresh/b${round}.ts`));
      const left = await ask('code_references', { path: 'fresh/a.ts', symbol: `made${round}` });
      expect(left.total).toBe(1);
    }
    expect(await tabs()).toBe(before);
  });

  test('calls are followed as far as is asked for, and a function that calls itself ends', async () => {
    write(
      'calls/a.ts',
      'export function one(n: number): number {\n  return n < 1 ? 0 : one(n - 1);\n}\nexport function two() {\n  return one(1);\n}\nexport function three() {\n  return two();\n}\n',
    );
    const names = (nodes: readonly { name: string; children?: readonly never[] }[]): unknown[] =>
      nodes.map(({ name, children = [] }) => [name, ...names(children)]);
    const place = { path: 'calls/a.ts', symbol: 'one', direction: 'incoming' };
    expect(names((await ask('code_calls', place)).calls)).toEqual([['one', ['one'], ['two']]]);
    expect(names((await ask('code_calls', { ...place, depth: 3 })).calls)).toEqual([
      ['one', ['one'], ['two', ['three']]],
    ]);
    const { calls } = await ask('code_calls', { ...place, symbol: 'three', direction: 'outgoing', depth: 2 });
    expect(names(calls)).toEqual([['three', ['two', ['one']]]]);
  });

  test('of a long line an answer shows what stands around the place', async () => {
    const functions = Array.from({ length: 300 }, (_, at) => `function f${at}(q){return q+a}`).join('');
    write('long/min.js', `var a=1;${functions}f250(2);\n`);
    const { files } = await ask('code_references', { path: 'long/min.js', symbol: 'f250' });
    expect(files).toMatchObject([{ count: 2, lines: [expect.stringContaining('function f250(q)')] }]);
    const { places } = await ask('code_definition', { path: 'long/min.js', symbol: 'f250' });
    expect(places).toMatchObject([{ text: expect.stringMatching(/^….*function f250\(q\)/) }]);
  });

  test('types are followed over files in both directions', async () => {
    write(
      'types/base.ts',
      'export interface Named {\n  name: string;\n}\nexport abstract class Base implements Named {\n  name = "";\n}\n',
    );
    write('types/leaf.ts', "import { Base } from './base';\n\nexport class Leaf extends Base {}\n");
    const sub = await ask('code_types', { path: 'types/base.ts', symbol: 'Named', direction: 'sub' });
    expect(sub.types).toMatchObject([
      { name: 'Named', children: [{ name: 'Base', children: [{ name: 'Leaf', at: 'types/leaf.ts:3' }] }] },
    ]);
    const up = await ask('code_types', { path: 'types/leaf.ts', symbol: 'Leaf', direction: 'super' });
    expect(up.types).toMatchObject([{ name: 'Leaf', children: [{ name: 'Base', children: [{ name: 'Named' }] }] }]);
  });

  test('a style sheet and JSON are outlined too', async () => {
    write('other/page.css', '.card {\n  margin: 0;\n}\n');
    write('other/data.json', '{ "shop": { "name": "Tea" } }\n');
    expect((await ask('code_symbols', { path: 'other/page.css' })).symbols).toMatchObject([{ name: '.card' }]);
    expect((await ask('code_symbols', { path: 'other/data.json' })).symbols).toMatchObject([
      { name: 'shop', children: [{ name: 'name' }] },
    ]);
    expect(await ask('code_types', { path: 'other/page.css', symbol: '.card', direction: 'sub' })).toMatch(
      /^\[E_NO_PROVIDER\]/,
    );
  });

  test('a quick fix is offered for a file in no tab, applied, saved and told', async () => {
    write('fix/words.ts', 'export const hello = 1;\n');
    write('fix/use.ts', 'console.log(hello);\n');
    const { actions } = await ask('code_actions', { path: 'fix/use.ts', line: 1, kind: 'quickfix' });
    const [fix] = actions.filter(({ title }: { title: string }) => /import/i.test(title));
    expect(fix).toMatchObject({ kind: expect.stringContaining('quickfix') });
    const applied = await ask('code_actions', { path: 'fix/use.ts', line: 1, kind: 'quickfix', apply: fix.title });
    expect(applied).toMatchObject({ applied: fix.title, changedFiles: ['fix/use.ts'] });
    expect(read('fix/use.ts')).toMatch(/import \{ hello \} from ["']\.\/words["'];/);
  });

  test("an action that runs an extension's command is asked about by that command, and a no runs nothing", async () => {
    write('run/one.ts', 'export const one = 1;\n');
    await window.run((vscode) => {
      vscode.commands.registerCommand('lab.count', () => {
        Reflect.set(globalThis, 'labRuns', (Reflect.get(globalThis, 'labRuns') ?? 0) + 1);
      });
      vscode.languages.registerCodeActionsProvider('typescript', {
        provideCodeActions: () => {
          const action = new vscode.CodeAction('Fix with a program', vscode.CodeActionKind.QuickFix);
          action.command = { command: 'lab.count', title: 'Fix' };
          return [action];
        },
      });
    });
    const runs = () => window.run(() => Reflect.get(globalThis, 'labRuns') ?? 0);
    const apply = () => ask('code_actions', { path: 'run/one.ts', line: 1, apply: 'Fix with a program' });
    const refused = apply();
    await answerQuestion(window, 'lab.count', 'no');
    expect(await refused).toMatch(/^\[E_APPROVAL_DENIED\]/);
    expect(await runs()).toBe(0);
    const agreed = apply();
    await answerQuestion(window, 'lab.count', 'once');
    expect(await agreed).toMatchObject({ applied: 'Fix with a program' });
    expect(await runs()).toBe(1);
  });

  test('a file is formatted with its imports in order, saved, and found unchanged the second time', async () => {
    write('format/a.ts', 'export const a = 1;\nexport const b = 2;\nexport const c = 3;\n');
    write('format/b.ts', "import { c, b, a } from './a';\nexport const  sum = a+b\n");
    expect(await ask('code_format', { path: 'format/b.ts' })).toMatchObject({
      changed: true,
      changedFiles: ['format/b.ts'],
    });
    expect(read('format/b.ts')).toMatch(/^import \{ a, b \} from '\.\/a';\nexport const sum = a \+ b/);
    expect(await ask('code_format', { path: 'format/b.ts' })).toEqual({ changed: false, changedFiles: [] });
    write('format/data.json', '{"a":1}');
    expect(await ask('code_format', { path: 'format/data.json' })).toMatchObject({ changed: true });
    expect(JSON.parse(read('format/data.json'))).toEqual({ a: 1 });
    expect(read('format/data.json')).toContain('\n');
  });

  test('a language without a server is formatted where it has a formatter, and the answer says where it has none', async () => {
    write('format/list.txt', 'b\na\n');
    expect(await ask('code_format', { path: 'format/list.txt' })).toMatch(
      /^\[E_NO_PROVIDER\].*formatter for plaintext/,
    );
    await window.run((vscode) => {
      vscode.languages.registerDocumentFormattingEditProvider('plaintext', {
        provideDocumentFormattingEdits: (document) => {
          const lines = document.getText().trim().split('\n');
          const sorted = `${lines.toSorted().join('\n')}\n`;
          if (sorted === document.getText()) return [];
          return [vscode.TextEdit.replace(new vscode.Range(0, 0, document.lineCount, 0), sorted)];
        },
      });
    });
    const changed = { changed: true, changedFiles: ['format/list.txt'] };
    expect(await ask('code_format', { path: 'format/list.txt' })).toEqual(changed);
    expect(read('format/list.txt')).toBe('a\nb\n');
    expect(await ask('code_format', { path: 'format/list.txt' })).toEqual({ changed: false, changedFiles: [] });
  });

  test('a file that links of the project repeat is one file: told once, renamed once, and holds up nothing', async () => {
    write('linked/own/math.ts', 'export function twice(n: number): number {\n  return n + n;\n}\n');
    write('linked/own/use.ts', "import { twice } from './math';\n\nexport const four = twice(2);\n");
    symlinkSync(join(root, 'linked', 'own'), join(root, 'linked', 'again'));
    symlinkSync(join(root, 'linked', 'own', 'math.ts'), join(root, 'linked', 'alias.ts'));
    for (const [from, to] of [
      ['twice', 'double'],
      ['double', 'doubled'],
    ]) {
      const renamed = await ask('rename_symbol', { fileUri: 'linked/own/math.ts', originalName: from, newName: to });
      expect(renamed).toMatchObject({
        edits: 3,
        files: [
          { path: 'linked/own/math.ts', edits: 1 },
          { path: 'linked/own/use.ts', edits: 2 },
        ],
      });
      const shown = [
        { path: 'linked/own/math.ts', count: 1, lines: [`1: export function ${to}(n: number): number {`] },
        {
          path: 'linked/own/use.ts',
          count: 2,
          lines: [`1: import { ${to} } from './math';`, `3: export const four = ${to}(2);`],
        },
      ];
      for (const path of ['linked/own/math.ts', 'linked/again/math.ts', 'linked/alias.ts'])
        expect(await ask('code_references', { path, symbol: to })).toMatchObject({ total: 3, files: shown });
    }
    write('linked/own/wrong.ts', "export const n: number = 'text';\n");
    for (const path of ['linked/again', 'linked/again/wrong.ts'])
      expect((await ask('diagnostic_collect', { path })).diagnostics).toMatchObject([{ file: 'linked/own/wrong.ts' }]);
    // The editor's watcher may tell of a change under another name: that holds up no question about other files.
    write('linked/own/math.ts', 'export function half(n: number): number {\n  return n / 2;\n}\n');
    const { symbols } = await ask('code_symbols', { path: 'src/greeting.ts' });
    expect(symbols).toMatchObject([{ name: 'greeting' }]);
    rmSync(join(root, 'linked'), { recursive: true });
  });

  test('a file of which the editor hears no changes holds up no question about others for long, and is never told as it was', async () => {
    write('unwatched/made.ts', 'export const made = 1;\n');
    expect((await ask('code_symbols', { path: 'unwatched/made.ts' })).symbols).toMatchObject([{ name: 'made' }]);
    write('unwatched/made.ts', 'export const other = 2;\n');
    expect((await ask('code_symbols', { path: 'src/greeting.ts' })).symbols).toMatchObject([{ name: 'greeting' }]);
    const said = await ask('code_symbols', { path: 'unwatched/made.ts' });
    expect(said).toMatch(/^\[E_TIMEOUT\] The editor has not read a file again .*files\.watcherExclude/);
    rmSync(join(root, 'unwatched'), { recursive: true });
  });

  test('problems are those of the text on the disk now, also in files that were never opened', async () => {
    write('bad/api.ts', 'export function price(cents: number): number {\n  return cents;\n}\n');
    write('bad/use.ts', "import { price } from './api';\n\nexport const one = price(1);\n");
    expect((await ask('diagnostic_collect', { path: 'bad' })).diagnostics).toEqual([]);
    for (const round of [1, 2, 3]) {
      write(
        'bad/api.ts',
        `export function price(cents: string, tax${round}: number): string {\n  return cents + tax${round};\n}\n`,
      );
      const { diagnostics } = await ask('diagnostic_collect', { path: 'bad' });
      expect(diagnostics).toMatchObject([{ file: 'bad/use.ts', line: 3, column: 20, severity: 'error', source: 'ts' }]);
      write('bad/api.ts', 'export function price(cents: number): number {\n  return cents;\n}\n');
      expect((await ask('diagnostic_collect', { path: 'bad/use.ts' })).diagnostics).toEqual([]);
    }
    rmSync(join(root, 'bad/api.ts'));
    expect((await ask('diagnostic_collect', {})).diagnostics).toMatchObject([
      { file: 'bad/use.ts', line: 1, message: expect.stringContaining("'./api'"), code: '2307' },
    ]);
    rmSync(join(root, 'bad/use.ts'));
    expect((await ask('diagnostic_collect', {})).diagnostics).toEqual([]);
  });

  test('an expression becomes a variable and statements become a function, each by its new name', async () => {
    write('extract/a.ts', 'export function area(side: number): number {\n  return side * side;\n}\n');
    const variable = {
      pathInProject: 'extract/a.ts',
      line: 1,
      character: 14,
      refactorType: 'extract_variable',
      options: { newName: 'square' },
    };
    expect(await ask('refactor_code_at_location', variable)).toMatchObject({
      success: true,
      message: 'Successfully extracted variable square',
      changedFiles: ['extract/a.ts'],
    });
    expect(read('extract/a.ts')).toMatch(/const square = side \* side;\s+return square;/);
    const body = { line: 1, character: 2, options: { newName: 'multiply', endLine: 2, endCharacter: 16 } };
    const taken = { pathInProject: 'extract/a.ts', refactorType: 'extract_function', ...body };
    expect(await ask('refactor_code_at_location', taken)).toMatchObject({
      message: 'Successfully extracted function multiply',
    });
    expect(read('extract/a.ts')).toMatch(/return multiply\(side\);[\s\S]*function multiply\(side: number\)/);
  });

  test('a rename at a position tells so as its callers know it', async () => {
    write('position/a.ts', 'export const first = 1;\nexport const next = first + 1;\n');
    const place = { pathInProject: 'position/a.ts', line: 1, character: 22 };
    const options = { refactorType: 'rename', options: { newName: 'start' } };
    expect(await ask('refactor_code_at_location', { ...place, ...options })).toEqual({
      success: true,
      message: 'Successfully renamed to start',
      changedFiles: ['position/a.ts'],
    });
    expect(read('position/a.ts')).toBe('export const start = 1;\nexport const next = start + 1;\n');
  });

  test('a link that leads out of the project is not read', async () => {
    rmSync(join(root, 'links'), { recursive: true, force: true });
    const elsewhere = join(editor.projects, 'elsewhere');
    mkdirSync(elsewhere, { recursive: true });
    const outside = join(elsewhere, 'outside.ts');
    writeFileSync(outside, 'export const secret = 1;\n');
    mkdirSync(join(root, 'links'), { recursive: true });
    symlinkSync(outside, join(root, 'links', 'a.ts'));
    symlinkSync(elsewhere, join(root, 'links', 'up'));
    for (const path of ['links/a.ts', 'links/up/outside.ts', outside]) {
      expect(await ask('code_symbols', { path })).toMatch(/^\[E_OUTSIDE_PROJECT\]/);
      expect(await ask('diagnostic_collect', { path })).toMatch(/^\[E_OUTSIDE_PROJECT\]/);
    }
    rmSync(join(root, 'links'), { recursive: true });
  });

  test('a call that is cancelled ends, and the next one is answered', async () => {
    const leaving = new AbortController();
    const running = devdb.callTool(root, 'diagnostic_collect', {}, leaving.signal);
    leaving.abort();
    await expect(running).rejects.toThrow();
    await until(
      'the next call is answered',
      async () => (await devdb.callTool(root, 'code_symbols', { path: 'src/main.ts' })).ok,
    );
  });
});
