import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findTool } from '@devdb/shared/tools';
import { addExampleFiles } from '../../fixtures/labs/sample-project.ts';
import type { DevdbHome, StdioClient } from './helpers/devdb-home.ts';
import { describeEditor, type Editor, type Window } from './helpers/editor-lab.ts';
import { invokeTool } from './helpers/invoke-tool.ts';
import { startOnSample } from './helpers/sample-window.ts';
import { until } from './helpers/until.ts';

const SETTINGS = ['js/ts.updateImportsOnFileMove.enabled', 'files.refactoring.autoSave'];
const GREETING = "export function greeting(name: string): string {\n  return 'Hello, ' + name;\n}\n";

describeEditor('tools that run in the editor', () => {
  let editor: Editor;
  let window: Window;
  let devdb: DevdbHome;
  let agent: StdioClient;
  let root: string;
  /** Each test has its own folder: the editor may still be looking at the previous test's files. */
  let at: string;
  let folders = 0;

  beforeAll(async () => {
    ({ editor, devdb, window, root } = await startOnSample({ settings: { 'files.autoSave': 'off' } }, addExampleFiles));
    // Everything takes longer on a busy machine; short timeouts have their own test.
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
    write('main.ts', "import { greeting } from './greeting';\n\nconsole.log(greeting('Ada'));\n");
  });

  function write(file: string, text: string): void {
    mkdirSync(join(root, at), { recursive: true });
    writeFileSync(join(root, at, file), text);
  }

  const read = (file: string) => readFileSync(join(root, at, file), 'utf8');
  const isThere = (file: string) => existsSync(join(root, at, file));
  const move = (from: string, to: string) => ({ oldUri: `${at}/${from}`, newUri: `${at}/${to}` });

  async function ask(tool: string, input: object, client = agent) {
    const { text, isError } = await client.call(tool, { projectRoot: root, ...input });
    return isError ? text : (JSON.parse(text).data ?? JSON.parse(text));
  }

  /** Documents with text that is not on disk. */
  function unsaved(): Promise<string[]> {
    return window.run((vscode) => {
      const dirty = vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty);
      return dirty.map(({ uri }) => uri.fsPath);
    });
  }

  /** The user's settings for updating imports; empty while no rename borrows them. */
  function importSettings(): Promise<unknown[]> {
    return window.run(
      (vscode, names) =>
        names.map((name) => {
          const found = vscode.workspace.getConfiguration().inspect(name);
          return found?.globalValue ?? found?.workspaceValue ?? found?.workspaceFolderValue ?? null;
        }),
      SETTINGS,
    );
  }

  const isGivenBack = () =>
    until('the settings are put back', async () => (await importSettings()).every((value) => value === null));

  /** Types at the end of a file without saving. */
  function type(file: string, text: string): Promise<void> {
    return window.run(
      async (vscode, path, added) => {
        const document = await vscode.workspace.openTextDocument(path);
        const edit = new vscode.WorkspaceEdit();
        edit.insert(document.uri, new vscode.Position(document.lineCount, 0), added);
        await vscode.workspace.applyEdit(edit);
      },
      join(root, at, file),
      text,
    );
  }

  async function revertAll(): Promise<void> {
    await window.run(async (vscode) => {
      for (const { uri } of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
        await vscode.window.showTextDocument(uri);
        await vscode.commands.executeCommand('workbench.action.files.revert');
      }
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });
  }

  test.each(['get_setting', 'rename_file'])('%s gives what its examples say', async (name) => {
    for (const { input, gives } of findTool(name)?.examples ?? []) {
      addExampleFiles(root);
      const { text, isError } = await agent.call(name, { projectRoot: root, ...input });
      expect([name, input, isError ? /^\[(\w+)\]/.exec(text)?.[1] : 'ok']).toEqual([name, input, gives]);
    }
  });

  test('a setting is read as it applies to the project and as the user set it, without secrets', async () => {
    await window.run(async (vscode) => {
      const config = vscode.workspace.getConfiguration();
      await config.update('editor.rulers', [80], vscode.ConfigurationTarget.Global);
      await config.update('editor.rulers', [100], vscode.ConfigurationTarget.Workspace);
      await config.update('http.proxy', 'http://ada:hunter2@proxy.example:3128', vscode.ConfigurationTarget.Global);
    });
    expect(await ask('get_setting', { key: 'editor.rulers' })).toMatchObject({ value: [100], scope: 'workspace' });
    expect(await ask('get_setting', { key: 'editor.rulers', scope: 'user' })).toMatchObject({ value: [80] });
    expect((await ask('get_setting', { key: 'http.proxy' })).value).toBe('http://[secret]@proxy.example:3128');
    await expect(ask('get_setting', { key: 'http.proxyAuthorization' })).resolves.toMatch(/^\[E_FORBIDDEN\]/);
    await window.run(async (vscode) => {
      const config = vscode.workspace.getConfiguration();
      await config.update('editor.rulers', undefined, vscode.ConfigurationTarget.Global);
      await config.update('editor.rulers', undefined, vscode.ConfigurationTarget.Workspace);
      await config.update('http.proxy', undefined, vscode.ConfigurationTarget.Global);
    });
  });

  test('a file moves together with the imports that refer to it, saved, without a question from the editor', async () => {
    expect(await ask('rename_file', move('greeting.ts', 'words/greeting.ts'))).toEqual({
      from: `${at}/greeting.ts`,
      to: `${at}/words/greeting.ts`,
      importsUpdated: true,
      changedFiles: [`${at}/main.ts`],
    });
    expect(read('main.ts')).toContain("from './words/greeting'");
    expect([isThere('greeting.ts'), isThere('words/greeting.ts')]).toEqual([false, true]);
    expect(await importSettings()).toEqual([null, null]);
    expect(await unsaved()).toEqual([]);
  });

  test("an import that gets shorter counts too, and a moved file's own imports follow", async () => {
    write('sub.ts', '');
    mkdirSync(join(root, at, 'deep'));
    write('deep/helper.ts', "import { greeting } from '../greeting';\n\nexport const hello = greeting('you');\n");
    write('main.ts', "import { hello } from './deep/helper';\n\nconsole.log(hello);\n");
    const answer = await ask('rename_file', move('deep/helper.ts', 'helper.ts'));
    expect(answer).toMatchObject({ importsUpdated: true, changedFiles: [`${at}/main.ts`] });
    expect(read('main.ts')).toContain("from './helper'");
    expect(read('helper.ts')).toContain("from './greeting'");
    expect(await unsaved()).toEqual([]);
  });

  test('imports stay unchanged where that is requested', async () => {
    const answer = await ask('rename_file', { ...move('greeting.ts', 'hello.ts'), updateImports: false });
    expect(answer).toEqual({
      from: `${at}/greeting.ts`,
      to: `${at}/hello.ts`,
      importsUpdated: false,
      changedFiles: [],
    });
    expect(read('main.ts')).toContain("from './greeting'");
    expect(await importSettings()).toEqual([null, null]);
  });

  test("a folder moves with its files' imports, and so does a module with its own extension", async () => {
    await ask('rename_file', move('greeting.ts', 'words/greeting.ts'));
    const folder = await ask('rename_file', move('words', 'texts'));
    expect(folder).toMatchObject({ to: `${at}/texts`, importsUpdated: true, changedFiles: [`${at}/main.ts`] });
    expect(read('main.ts')).toContain("from './texts/greeting'");
    write('hello.mts', GREETING);
    write('main.mts', "import { greeting } from './hello.mjs';\n\nconsole.log(greeting('Ada'));\n");
    await ask('rename_file', move('hello.mts', 'texts/hello.mts'));
    expect(read('main.mts')).toContain("from './texts/hello.mjs'");
    expect(await unsaved()).toEqual([]);
  });

  test('names may be in any script, and may be given as URIs', async () => {
    const input = {
      oldUri: pathToFileURL(join(root, at, 'greeting.ts')).href,
      newUri: pathToFileURL(join(root, at, 'größe 文', 'grüße [1].ts')).href,
    };
    expect(await ask('rename_file', input)).toMatchObject({
      to: `${at}/größe 文/grüße [1].ts`,
      importsUpdated: true,
      changedFiles: [`${at}/main.ts`],
    });
    expect(read('main.ts')).toContain("from './größe 文/grüße [1]'");
  });

  test('a path out of the project is refused, and so is a taken name', async () => {
    // An empty folder: the language server reads all that a link in the project leads to.
    const outside = join(dirname(root), 'outside');
    mkdirSync(outside, { recursive: true });
    symlinkSync(outside, join(root, at, 'out'));
    symlinkSync(join(root, 'no', 'such'), join(root, at, 'nowhere'));
    mkdirSync(join(root, at, 'folder'));
    const code = async (from: string, to: string) =>
      /^\[(\w+)\]/.exec(await ask('rename_file', { ...move(from, to), overwrite: false }))?.[1];
    expect(await code('greeting.ts', 'out/greeting.ts')).toBe('E_OUTSIDE_PROJECT');
    expect(await code('greeting.ts', 'nowhere/greeting.ts')).toBe('E_OUTSIDE_PROJECT');
    expect(await code('greeting.ts', 'greeting.ts')).toBe('E_ALREADY_EXISTS');
    expect(await code('greeting.ts', 'folder')).toBe('E_ALREADY_EXISTS');
    expect(await code('greeting.ts', 'main.ts/greeting.ts')).toBe('E_EDIT_FAILED');
    expect(read('greeting.ts')).toBe(GREETING);
  });

  test("the user's unsaved text is not saved: neither in another file nor in the moved one", async () => {
    await type('main.ts', '// not finished\n');
    await type('greeting.ts', '// half a thought\n');
    expect(await ask('rename_file', move('greeting.ts', 'words/greeting.ts'))).toMatchObject({
      importsUpdated: true,
      changedFiles: [],
      unsavedFiles: [`${at}/main.ts`],
    });
    expect(read('main.ts')).not.toContain('not finished');
    expect(read('words/greeting.ts')).toBe(GREETING);
    expect((await unsaved()).sort()).toEqual([join(root, at, 'main.ts'), join(root, at, 'words', 'greeting.ts')]);
    await revertAll();
  });

  test('what the user types elsewhere meanwhile is theirs, not a followed import', async () => {
    write('notes.txt', 'A list:\n');
    const running = ask('rename_file', move('greeting.ts', 'words/greeting.ts'));
    await until('the file has moved', () => isThere('words/greeting.ts'));
    await type('notes.txt', 'bread\n');
    expect(await running).toMatchObject({ changedFiles: [`${at}/main.ts`] });
    expect(await unsaved()).toEqual([join(root, at, 'notes.txt')]);
    expect(read('notes.txt')).toBe('A list:\n');
    await revertAll();
  });

  test('a call that times out before the change did nothing, and a change in progress is completed', async () => {
    const hurried = await devdb.stdioClient(['--timeout', '1']);
    await expect(ask('rename_file', move('greeting.ts', 'a.ts'), hurried)).resolves.toMatch(
      /^\[E_TIMEOUT\] .* Nothing was changed\./,
    );
    await hurried.close();
    expect(isThere('a.ts')).toBe(false);
    // Waiting for the imports takes at least three seconds, and getting there longer on a busy machine.
    let said = '';
    for (const timeoutMs of [2_500, 5_000, 10_000]) {
      const short = await devdb.stdioClient(['--timeout', String(timeoutMs)]);
      said = await ask('rename_file', move('greeting.ts', 'b.ts'), short);
      await short.close();
      if (isThere('b.ts')) break;
    }
    // Never that nothing was changed; unknown where the editor was still working.
    expect(said).toMatch(
      /^\[E_TIMEOUT\] .* (The change was made before that|Whether the change was made is not known)/,
    );
    expect(isThere('b.ts')).toBe(true);
    await until('the imports have followed', () => read('main.ts').includes("from './b'"));
    await isGivenBack();
  });

  test('a client that leaves in the middle leaves nothing half done', async () => {
    const leaving = new AbortController();
    const running = devdb.callTool(root, 'rename_file', move('greeting.ts', 'c.ts'), leaving.signal);
    await until('the file has moved', () => isThere('c.ts'));
    leaving.abort();
    await expect(running).rejects.toThrow();
    await until('the imports have followed', () => read('main.ts').includes("from './c'"));
    await isGivenBack();
  });

  test('simultaneous renames run one after the other', async () => {
    write('other.ts', 'export const other = 1;\n');
    write(
      'main.ts',
      "import { greeting } from './greeting';\nimport { other } from './other';\n\ngreeting(String(other));\n",
    );
    await Promise.all([
      ask('rename_file', move('greeting.ts', 'x/greeting.ts')),
      ask('rename_file', move('other.ts', 'x/other.ts')),
    ]);
    expect(read('main.ts')).toMatch(/'\.\/x\/greeting'.*'\.\/x\/other'/s);
    expect(await importSettings()).toEqual([null, null]);
  });

  test("the editor's own agent renames after the editor's question, and is not asked twice", async () => {
    writeFileSync(join(root, at, 'old.txt'), 'old');
    const running = invokeTool(window, 'devdb_rename_file', { ...move('greeting.ts', 'old.txt'), overwrite: true });
    expect((await window.dialog()).message).toBe('DevDB: Rename or move a file?');
    await window.press('Yes');
    await expect(running).resolves.toMatchObject({ ok: true });
    expect(read('old.txt')).toBe(GREETING);
  });

  test('replacing a file is asked about, and a no leaves both', async () => {
    const running = devdb.callTool(root, 'rename_file', { ...move('greeting.ts', 'main.ts'), overwrite: true });
    const question = window.page.frameLocator('iframe.webview').frameLocator('iframe#active-frame').locator('main');
    await question.locator('text=A file at the new path is replaced.').waitFor();
    await window.screenshots('question-rename');
    await question.press('Escape');
    await expect(running).resolves.toMatchObject({
      ok: false,
      error: { code: 'E_APPROVAL_DENIED', details: { applied: false } },
    });
    expect([isThere('greeting.ts'), isThere('main.ts')]).toEqual([true, true]);
  });

  test('a move to where programs run from is asked about, by whatever name, and a no leaves everything', async () => {
    mkdirSync(join(root, at, '.vscode'));
    symlinkSync(join(root, at, '.vscode'), join(root, at, 'harmless'));
    const question = window.page.frameLocator('iframe.webview').frameLocator('iframe#active-frame').locator('main');
    for (const target of ['.vscode/tasks.json', 'harmless/tasks.json', 'words/.mcp.json']) {
      const running = devdb.callTool(root, 'rename_file', move('greeting.ts', target));
      await question.locator('text=Programs run by what stands in this file.').waitFor();
      await question.press('Escape');
      await expect(running).resolves.toMatchObject({ ok: false, error: { code: 'E_APPROVAL_DENIED' } });
      await question.waitFor({ state: 'detached' });
      expect([isThere('greeting.ts'), isThere(target)]).toEqual([true, false]);
    }
  });

  test('a window killed in the middle reports it, and the next window of any kind restores its settings', async () => {
    const running = devdb.callTool(root, 'rename_file', move('greeting.ts', 'd.ts'));
    await until('the setting is borrowed', async () => (await importSettings())[0] === 'always');
    await window.kill();
    await expect(running).resolves.toMatchObject({
      ok: false,
      error: { code: 'E_EDITOR_NOT_ATTACHED', details: { applied: 'unknown' } },
    });
    at = `case-${folders}-link`;
    write('greeting.ts', GREETING);
    write('main.ts', "import { greeting } from './greeting';\n\ngreeting('');\n");
    // By another path of the same folder: as if it were another project.
    const link = join(editor.projects, `by-link-${folders}`);
    symlinkSync(root, link);
    window = await editor.open(link);
    await devdb.serving(root);
    await isGivenBack();
    expect(await ask('rename_file', move('greeting.ts', 'words/greeting.ts'))).toMatchObject({
      to: `${at}/words/greeting.ts`,
      importsUpdated: true,
      changedFiles: [`${at}/main.ts`],
    });
    expect(await unsaved()).toEqual([]);
  });
});
