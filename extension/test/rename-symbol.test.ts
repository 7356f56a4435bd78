import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { allTools, findTool } from '@devdb/shared/tools';
import { DEFAULT_TOOLSETS } from '@devdb/shared/tools/toolsets';
import * as fc from 'fast-check';
import { addExampleFiles } from '../../fixtures/labs/sample-project.ts';
import type { DevdbHome, StdioClient } from './helpers/devdb-home.ts';
import { describeEditor, type Editor, type Window } from './helpers/editor-lab.ts';
import { invokeTool } from './helpers/invoke-tool.ts';
import { FIRST_PORT } from './helpers/ports.ts';
import { answerQuestion, callUntilAsked } from './helpers/question.ts';
import { startOnSample } from './helpers/sample-window.ts';
import { until } from './helpers/until.ts';

const IMPORTS = 'js/ts.updateImportsOnFileMove.enabled';
const GREETING = "export function greeting(name: string): string {\n  return 'Hello, ' + name;\n}\n";
const MAIN = "import { greeting } from './greeting';\n\nconsole.log(greeting('Ada'));\n";

describeEditor('renaming symbols and changing settings', () => {
  let editor: Editor;
  let window: Window;
  let devdb: DevdbHome;
  let agent: StdioClient;
  let root: string;
  /** Each test has a folder of its own. */
  let at: string;
  let folders = 0;

  beforeAll(async () => {
    ({ editor, devdb, window, root } = await startOnSample({ settings: { 'files.autoSave': 'off' } }, addExampleFiles));
    agent = await devdb.stdioClient(['--timeout', '150000']);
  });

  afterAll(async () => {
    await agent?.close();
    await editor?.stop();
  });

  beforeEach(() => {
    folders += 1;
    at = `case-${folders}`;
    write('greeting.ts', GREETING);
    write('main.ts', MAIN);
  });

  function write(file: string, text: string): void {
    mkdirSync(dirname(join(root, at, file)), { recursive: true });
    writeFileSync(join(root, at, file), text);
  }

  const read = (file: string) => readFileSync(join(root, at, file), 'utf8');

  async function ask(tool: string, input: object) {
    const { text, isError } = await agent.call(tool, { projectRoot: root, ...input });
    return isError ? text : (JSON.parse(text).data ?? JSON.parse(text));
  }

  const rename = (file: string, originalName: string, newName: string, more: object = {}) =>
    ask('rename_symbol', { fileUri: `${at}/${file}`, originalName, newName, ...more });

  function unsaved(): Promise<string[]> {
    return window.run((vscode) => {
      const dirty = vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty);
      return dirty.map(({ uri }) => uri.fsPath);
    });
  }

  async function setUser(key: string, value: unknown): Promise<void> {
    await window.run((vscode, name, to) => vscode.workspace.getConfiguration().update(name, to, true), key, value);
  }

  describe('rename_symbol', () => {
    test('gives what its examples say', async () => {
      for (const { input, gives } of findTool('rename_symbol')?.examples ?? []) {
        addExampleFiles(root);
        const { text, isError } = await agent.call('symbol_rename', { projectRoot: root, ...input });
        expect([input, isError ? /^\[(\w+)\]/.exec(text)?.[1] : 'ok']).toEqual([input, gives]);
      }
    });

    test('property 10: a symbol is renamed with all its uses, saved, and every file is reported with its edits', async () => {
      expect(await rename('greeting.ts', 'greeting', 'salute')).toEqual({
        from: 'greeting',
        to: 'salute',
        edits: 3,
        files: [
          { path: `${at}/greeting.ts`, edits: 1 },
          { path: `${at}/main.ts`, edits: 2 },
        ],
      });
      expect(read('greeting.ts')).toBe(GREETING.replace('greeting', 'salute'));
      expect(read('main.ts')).toBe("import { salute } from './greeting';\n\nconsole.log(salute('Ada'));\n");
      expect(await unsaved()).toEqual([]);
    });

    test('one undo takes a rename back in all of its files', async () => {
      expect(await rename('greeting.ts', 'greeting', 'salute')).toMatchObject({ edits: 3 });
      const texts = await window.run(
        async (vscode, files) => {
          const [first] = files;
          if (first !== undefined) await vscode.window.showTextDocument(vscode.Uri.file(first));
          await vscode.commands.executeCommand('undo');
          const documents = await Promise.all(files.map((file) => vscode.workspace.openTextDocument(file)));
          await Promise.all(documents.map((document) => document.save()));
          return documents.map((document) => document.getText());
        },
        ['greeting.ts', 'main.ts'].map((file) => join(root, at, file)),
      );
      expect(texts).toEqual([GREETING, MAIN]);
      await window.command('workbench.action.closeAllEditors');
    });

    test('property 10: words in comments, texts and longer names stay', async () => {
      const text =
        "// total of all totals\nconst note = 'total';\nconst subtotal = 1;\nexport const total = subtotal + note.length;\n";
      write('sum.ts', text);
      expect(await rename('sum.ts', 'total', 'sum')).toMatchObject({ edits: 1 });
      expect(read('sum.ts')).toBe(text.replace('const total =', 'const sum ='));
    });

    test('property 10: a name that is imported is renamed where it is declared, and everywhere else', async () => {
      expect(await rename('main.ts', 'greeting', 'salute')).toMatchObject({ edits: 3 });
      expect(read('greeting.ts')).toContain('function salute(');
      expect(read('main.ts')).toContain("import { salute } from './greeting'");
    });

    test('property 10: JavaScript that is imported by TypeScript, and a style sheet', async () => {
      write(
        'tsconfig.json',
        '{ "compilerOptions": { "allowJs": true, "module": "esnext", "moduleResolution": "bundler" } }\n',
      );
      write('area.js', 'export const area = (side) => side * side;\n');
      write('use.ts', "import { area } from './area.js';\n\nconsole.log(area(2));\n");
      expect(await rename('area.js', 'area', 'surface')).toMatchObject({ edits: 3 });
      expect([read('area.js'), read('use.ts')].join('')).not.toMatch(/\barea\(|\barea =/);
      write('page.css', ':root {\n  --gap: 4px;\n}\n.card {\n  margin: var(--gap);\n}\n');
      expect(await rename('page.css', '--gap', '--space', { line: 2 })).toMatchObject({ edits: 2 });
      expect(read('page.css')).toBe(':root {\n  --space: 4px;\n}\n.card {\n  margin: var(--space);\n}\n');
      expect(await unsaved()).toEqual([]);
    });

    test('a name that may be several asks for its line, and takes a line, its text, or a path of names', async () => {
      const shapes =
        'class A {\n  size() {\n    return 1;\n  }\n}\nclass B {\n  size() {\n    return 2;\n  }\n}\nexport const all = new A().size() + new B().size();\n';
      write('shapes.ts', shapes);
      const said = await rename('shapes.ts', 'size', 'length');
      expect(said).toMatch(/^\[E_AMBIGUOUS_SYMBOL\]/);
      expect(said).toContain(`${at}/shapes.ts:2 size() {`);
      expect(said).toContain(`${at}/shapes.ts:7 size() {`);
      expect(read('shapes.ts')).toBe(shapes);
      expect(await rename('shapes.ts', 'size', 'one', { line: 2 })).toMatchObject({ edits: 2 });
      expect(await rename('shapes.ts', 'B.size', 'two')).toMatchObject({ edits: 2 });
      expect(read('shapes.ts')).toContain('new A().one() + new B().two()');
      expect(await rename('shapes.ts', 'one', 'three', { lineContent: '  one() {' })).toMatchObject({ edits: 2 });
      expect(await rename('shapes.ts', 'all', 'both', { line: 11, column: 14 })).toMatchObject({ edits: 1 });
    });

    test('local names that are spelled alike are distinguished', async () => {
      write(
        'local.ts',
        'function a() {\n  const value = 1;\n  return value;\n}\nfunction b() {\n  const value = 2;\n  return value;\n}\nexport default [a, b];\n',
      );
      expect(await rename('local.ts', 'value', 'x')).toMatch(/^\[E_AMBIGUOUS_SYMBOL\].*local\.ts:2 .*local\.ts:6 /);
      expect(await rename('local.ts', 'value', 'x', { line: 7 })).toMatchObject({ edits: 2 });
      expect(read('local.ts')).toContain('const value = 1;\n  return value;');
    });

    test('what an agent wrote a moment ago is what is renamed', async () => {
      await rename('greeting.ts', 'greeting', 'salute');
      for (const round of [1, 2, 3]) {
        write('greeting.ts', GREETING.replace('greeting', `hello${round}`));
        write('main.ts', `// again\nimport { hello${round} } from './greeting';\n\nhello${round}('');\n`);
        write(`late${round}.ts`, `import { hello${round} } from './greeting';\n\nhello${round}('');\n`);
        expect(await rename('greeting.ts', `hello${round}`, 'welcome')).toMatchObject({ edits: 5 });
        expect(read('main.ts')).toBe("// again\nimport { welcome } from './greeting';\n\nwelcome('');\n");
        write(`late${round}.ts`, 'export {};\n');
      }
    });

    test("the user's unsaved text is renamed in, not saved, and named", async () => {
      await window.run(
        async (vscode, path) => {
          const document = await vscode.workspace.openTextDocument(path);
          const edit = new vscode.WorkspaceEdit();
          edit.insert(document.uri, new vscode.Position(document.lineCount, 0), "greeting('half a thought');\n");
          await vscode.workspace.applyEdit(edit);
        },
        join(root, at, 'main.ts'),
      );
      expect(await rename('greeting.ts', 'greeting', 'salute')).toMatchObject({
        edits: 4,
        unsavedFiles: [`${at}/main.ts`],
      });
      expect(read('main.ts')).toBe(MAIN);
      expect(read('greeting.ts')).toContain('salute');
      expect(await unsaved()).toEqual([join(root, at, 'main.ts')]);
      await window.run(
        async (vscode, path) => {
          await vscode.window.showTextDocument(vscode.Uri.file(path));
          await vscode.commands.executeCommand('workbench.action.files.revert');
          await vscode.commands.executeCommand('workbench.action.closeAllEditors');
        },
        join(root, at, 'main.ts'),
      );
    });

    test('nothing outside the project is renamed, and nothing of a package', async () => {
      // A small folder: the language server follows links, and would read all of a large one.
      mkdirSync(join(editor.projects, 'elsewhere'), { recursive: true });
      symlinkSync(join(editor.projects, 'elsewhere'), join(root, at, 'out'));
      expect(await ask('rename_symbol', { fileUri: `${at}/out/a.ts`, originalName: 'a', newName: 'b' })).toMatch(
        /^\[E_OUTSIDE_PROJECT\]/,
      );
      write('node_modules/dep/index.d.ts', 'export function dependency(): void;\n');
      write('node_modules/dep/package.json', '{ "name": "dep", "version": "1.0.0", "types": "index.d.ts" }\n');
      write('uses.ts', "import { dependency } from 'dep';\n\ndependency();\nconsole.log(1);\n");
      expect(await rename('uses.ts', 'log', 'print')).toMatch(/^\[E_(EDIT_FAILED|OUTSIDE_PROJECT)\]/);
      await rename('uses.ts', 'dependency', 'other');
      expect(read('node_modules/dep/index.d.ts')).toContain('dependency');
    });

    test('the editor that its user has before them stays the same', async () => {
      const active = () => window.run((vscode) => vscode.window.activeTextEditor?.document.uri.fsPath ?? null);
      // The editor itself opens a file behind the others when its change waits long to be saved.
      await window.run(
        async (vscode, path) => {
          await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path));
        },
        join(root, at, 'main.ts'),
      );
      await rename('greeting.ts', 'greeting', 'salute');
      expect(await active()).toBe(join(root, at, 'main.ts'));
    });

    test('is asked about where every change is, and a no leaves all files', async () => {
      const change = { fileUri: `${at}/greeting.ts`, originalName: 'greeting', newName: 'salute' };
      const call = () => devdb.callTool(root, 'rename_symbol', change);
      const says = 'Rename this symbol in the whole project?';
      await setUser('Devdb.approvals', 'deny');
      await until('every change is refused', async () => {
        const tried = await devdb.callTool(root, 'rename_symbol', { ...change, originalName: 'absent' });
        return !tried.ok && tried.error.code === 'E_APPROVAL_DENIED';
      });
      await setUser('Devdb.approvals', 'always');
      const { running } = await callUntilAsked(window, says, call);
      await answerQuestion(window, says, 'no');
      await expect(running).resolves.toMatchObject({
        error: { code: 'E_APPROVAL_DENIED', details: { applied: false } },
      });
      expect(read('greeting.ts')).toBe(GREETING);
      await setUser('Devdb.approvals', undefined);
    });
  });

  describe('set_setting', () => {
    test('is asked about, and a no changes nothing', async () => {
      const running = devdb.callTool(root, 'set_setting', { key: 'editor.tabSize', value: 7 });
      await answerQuestion(window, 'Change this setting?', 'no');
      await expect(running).resolves.toMatchObject({ ok: false, error: { code: 'E_APPROVAL_DENIED' } });
      expect(existsSync(join(root, '.vscode', 'settings.json'))).toBe(false);
    });

    /** A setting reaches the sidecar some time after it was made; until then there would be a question. */
    async function allowChanges(): Promise<void> {
      await setUser('Devdb.approvals', 'allow');
      await until('changes are allowed', async () => {
        const leaving = new AbortController();
        const late = setTimeout(() => leaving.abort(), 2_000);
        const reset = { key: 'editor.tabSize', value: null };
        const isMade = await devdb.callTool(root, 'set_setting', reset, leaving.signal).then(
          ({ ok }) => ok,
          () => false,
        );
        clearTimeout(late);
        return isMade;
      });
    }

    test('property 11: what is set is read again, for the project and for the user, and can be removed', async () => {
      await allowChanges();
      const key = 'editor.rulers';
      expect(await ask('set_setting', { key, value: [100] })).toEqual({ key, value: [100], scope: 'workspace' });
      expect(await ask('set_setting', { key, value: [80], scope: 'user' })).toEqual({
        key,
        value: [80],
        scope: 'user',
      });
      expect(await ask('get_setting', { key })).toMatchObject({ value: [100] });
      expect(await ask('get_setting', { key, scope: 'user' })).toMatchObject({ value: [80] });
      expect(JSON.parse(readFileSync(join(root, '.vscode', 'settings.json'), 'utf8'))).toEqual({ [key]: [100] });
      expect(await ask('set_setting', { key, value: null })).toMatchObject({ value: [80] });
      expect(await ask('set_setting', { key, value: null, scope: 'user' })).toMatchObject({ value: [] });
    });

    test('property 11: any number that a setting takes comes back as it was', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 40 }),
          fc.constantFrom('workspace', 'user'),
          async (value, scope) => {
            await ask('set_setting', { key: 'editor.tabSize', value, scope });
            expect(await ask('get_setting', { key: 'editor.tabSize', scope })).toMatchObject({ value });
          },
        ),
        { numRuns: 8 },
      );
    });

    test('gives what its examples say', async () => {
      for (const { input, gives } of findTool('set_setting')?.examples ?? []) {
        const { text, isError } = await agent.call('set_setting', { projectRoot: root, ...input });
        expect([input, isError ? /^\[(\w+)\]/.exec(text)?.[1] : 'ok']).toEqual([input, gives]);
      }
    });

    test('what the editor keeps from repositories is refused whatever its name', async () => {
      const guarded = await window.run((vscode) => {
        const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
        return vscode.extensions.all.flatMap(({ packageJSON }) => {
          const { untrustedWorkspaces } = packageJSON.capabilities ?? {};
          const listed: unknown = isObject(untrustedWorkspaces)
            ? Object(untrustedWorkspaces).restrictedConfigurations
            : [];
          return Array.isArray(listed) ? listed.map(String) : [];
        });
      });
      expect(guarded.length).toBeGreaterThan(5);
      for (const key of guarded) {
        expect([key, await ask('set_setting', { key, value: '/tmp/x' })]).toEqual([
          key,
          expect.stringMatching(/^\[E_FORBIDDEN\]/),
        ]);
      }
    });
  });

  describe('seed properties', () => {
    test("property 1: the editor's own agent and HTTP get the same", async () => {
      for (const input of [
        { key: 'editor.tabSize' },
        { key: 'no.such.setting' },
        { key: 'files.eol', scope: 'user' },
      ]) {
        const own = await invokeTool(window, 'devdb_get_setting', input);
        const { text } = await agent.call('get_setting', { projectRoot: root, ...input });
        expect(own.text).toBe(own.ok ? JSON.stringify(JSON.parse(text).data ?? JSON.parse(text)) : text);
      }
      write('lm.ts', 'export const first = 1;\n');
      const running = invokeTool(window, 'devdb_rename_symbol', {
        fileUri: `${at}/lm.ts`,
        originalName: 'first',
        newName: 'second',
      });
      await window.press('Yes');
      const { text } = await running;
      expect(JSON.parse(text)).toEqual(
        Object.assign(await rename('lm.ts', 'second', 'first'), { from: 'first', to: 'second' }),
      );
    });

    test('property 2: every answer has content, and says isError exactly when it failed', async () => {
      const good = await agent.call('get_setting', { projectRoot: root, key: 'editor.tabSize' });
      const bad = await agent.call('get_setting', { projectRoot: root, key: 'no.such.setting' });
      expect([good.isError, bad.isError]).toEqual([false, true]);
      expect([good.text, bad.text].every((text) => text.length > 0)).toBe(true);
    });

    test('property 3: calls at once get each its own answer', async () => {
      const keys = ['editor.tabSize', 'files.eol', 'editor.fontSize', 'no.such.setting', 'editor.insertSpaces'];
      const many = Array.from({ length: 40 }, (_none, index) => keys[index % keys.length] ?? '');
      const answers = await Promise.all(many.map((key) => devdb.callTool(root, 'get_setting', { key })));
      for (const [index, answer] of answers.entries()) {
        const key = many[index];
        if (key === 'no.such.setting') expect(answer).toMatchObject({ error: { code: 'E_NOT_FOUND' } });
        else expect(answer).toMatchObject({ ok: true, data: { key } });
      }
    });

    test('property 4: a port that cannot be is not bound, and the project stays served', async () => {
      const port = await devdb.serving(root);
      await setUser('Devdb.http.port', 70_000);
      expect(await ask('get_setting', { key: 'Devdb.http.port', scope: 'user' })).toMatchObject({ value: 70_000 });
      expect(await devdb.serving(root)).toBeLessThanOrEqual(65_535);
      await setUser('Devdb.http.port', undefined);
      expect(await devdb.serving(root)).toBeGreaterThanOrEqual(Math.min(port, FIRST_PORT));
    });

    test.each([['größe 文.ts'], ['deep/er/a b.ts'], ['x.y.ts']])(
      'property 5: %s is a name a file can get',
      async (name) => {
        const uri = (file: string) => pathToFileURL(join(root, at, file)).href;
        const answer = await ask('rename_file', {
          oldUri: uri('greeting.ts'),
          newUri: uri(name),
          updateImports: false,
        });
        expect(answer).toMatchObject({ to: `${at}/${name}` });
        expect(existsSync(join(root, at, name))).toBe(true);
      },
    );

    test('property 6 and 7: imports follow although the user said never, the answer says so, and never it is again', async () => {
      await setUser(IMPORTS, 'never');
      const move = { oldUri: `${at}/greeting.ts`, newUri: `${at}/words/greeting.ts` };
      expect(await ask('rename_file', move)).toMatchObject({ importsUpdated: true, changedFiles: [`${at}/main.ts`] });
      expect(read('main.ts')).toContain("'./words/greeting'");
      expect(await ask('get_setting', { key: IMPORTS, scope: 'user' })).toMatchObject({ value: 'never' });
      await setUser(IMPORTS, undefined);
    });

    test('property 8: what fails says what and what to do next, and changes nothing', async () => {
      chmodSync(join(root, at, 'greeting.ts'), 0o444);
      for (const said of [
        await rename('nosuch.ts', 'a', 'b'),
        await rename('greeting.ts', 'greetings', 'b'),
        await rename('greeting.ts', 'string', 'b'),
        await ask('set_setting', { key: 'no.such.setting', value: 1 }),
        await ask('rename_file', { oldUri: `${at}/nosuch.ts`, newUri: `${at}/b.ts` }),
      ]) {
        expect(said).toMatch(/^\[E_[A-Z_]+\] .{10,} Hint: .{10,}/);
      }
      expect(read('greeting.ts')).toBe(GREETING);
    });

    test('property 9: a wrong input names each field that is wrong', async () => {
      const said = await ask('rename_symbol', { fileUri: 7, originalName: '', line: -1, extra: true });
      for (const field of ['fileUri', 'originalName', 'newName', 'line', 'extra']) expect(said).toContain(field);
      expect(said).toMatch(/^\[E_INVALID_PARAMS\]/);
      for (const name of ['a b', '', 'class', '1a', 'a\nb', 'a;']) {
        expect(await rename('greeting.ts', 'greeting', name)).toMatch(/^\[E_INVALID_PARAMS\].*newName/);
      }
    });

    test('property 12 and 14: errors of any kind leave the window and its sidecar as they are', async () => {
      const pid = await devdb.sidecarPid(root);
      writeFileSync(join(root, at, 'binary.ts'), Buffer.from([0, 1, 2, 255, 254, 0, 0]));
      const junk = fc.record({ fileUri: fc.string(), originalName: fc.string(), newName: fc.string() });
      await fc.assert(
        fc.asyncProperty(junk, async (input) => {
          expect(await devdb.callTool(root, 'rename_symbol', input)).toMatchObject({ ok: false });
        }),
        { numRuns: 30 },
      );
      const binary = await devdb.callTool(root, 'rename_symbol', {
        fileUri: `${at}/binary.ts`,
        originalName: 'a',
        newName: 'b',
      });
      expect(binary).toMatchObject({ ok: false });
      expect(binary.ok ? '' : binary.error.code).not.toBe('E_INTERNAL');
      expect(await rename('greeting.ts', 'greeting', 'salute')).toMatchObject({ edits: 3 });
      expect(await devdb.sidecarPid(root)).toBe(pid);
    });

    test('property 13: a tool whose name another extension has is the only one that is missing', async () => {
      const offered = await window.run((vscode) => vscode.lm.tools.map(({ name }) => name));
      const wanted = allTools.map(({ name }) => `devdb_${name}`);
      expect(wanted.filter((name) => !offered.includes(name))).toEqual([]);
      const second = await window.run((vscode) => {
        try {
          vscode.lm.registerTool('devdb_rename_symbol', { invoke: () => undefined });
          return 'registered';
        } catch (error) {
          return String(error);
        }
      });
      expect(second).toEqual(expect.any(String));
      expect(await invokeTool(window, 'devdb_get_setting', { key: 'editor.tabSize' })).toMatchObject({ ok: true });
    });

    test('property 15: HTTP lists every tool that is on, whole', async () => {
      const port = await devdb.serving(root);
      const headers = { authorization: `Bearer ${devdb.token}` };
      const answer: unknown = await (await fetch(`http://127.0.0.1:${port}/tools`, { headers })).json();
      const on = allTools.filter(({ toolset }) => DEFAULT_TOOLSETS.includes(toolset));
      const listed = JSON.stringify(answer);
      for (const { name, description } of on) {
        expect(listed).toContain(JSON.stringify(name));
        expect(listed).toContain(JSON.stringify(description));
      }
    });
  });
});
