import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findTool } from '@devdb/shared/tools';
import { addExampleFiles } from '../../fixtures/labs/sample-project.ts';
import type { DevdbHome, StdioClient } from './helpers/devdb-home.ts';
import { describeEditor, type Editor, type Window } from './helpers/editor-lab.ts';
import { startOnSample } from './helpers/sample-window.ts';
import { until } from './helpers/until.ts';

const RENAME = { oldUri: 'src/greeting.ts', newUri: 'src/words/greeting.ts' };
const RENAMED = {
  from: 'src/greeting.ts',
  to: 'src/words/greeting.ts',
  importsUpdated: true,
  changedFiles: ['src/main.ts'],
};
const SETTINGS = ['js/ts.updateImportsOnFileMove.enabled', 'files.refactoring.autoSave'];

describeEditor('tools that run in the editor', () => {
  let editor: Editor;
  let window: Window;
  let devdb: DevdbHome;
  let agent: StdioClient;
  let root: string;

  beforeAll(async () => {
    ({ editor, devdb, window, root } = await startOnSample({ settings: { 'files.autoSave': 'off' } }, addExampleFiles));
    agent = await devdb.stdioClient();
  });

  afterAll(async () => {
    await agent?.close();
    await editor?.stop();
  });

  beforeEach(async () => {
    addExampleFiles(root);
    await until('the editor has read the files again', () =>
      window.run((vscode) => {
        const { readFileSync, existsSync } = process.getBuiltinModule('node:fs');
        return vscode.workspace.textDocuments.every(
          ({ uri, isDirty, getText }) =>
            uri.scheme !== 'file' ||
            !existsSync(uri.fsPath) ||
            (!isDirty && getText() === readFileSync(uri.fsPath, 'utf8')),
        );
      }),
    );
  });

  async function ask(tool: string, input: object) {
    const { text, isError } = await agent.call(tool, { projectRoot: root, ...input });
    return isError ? text : (JSON.parse(text).data ?? JSON.parse(text));
  }

  function main(): string {
    return readFileSync(join(root, 'src', 'main.ts'), 'utf8');
  }

  /** What the user has set for the updating of imports; nothing, as long as nobody borrows it. */
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

  test.each(['get_setting', 'rename_file'])('%s gives what its examples say', async (name) => {
    for (const { input, gives } of findTool(name)?.examples ?? []) {
      addExampleFiles(root);
      const { text, isError } = await agent.call(name, { projectRoot: root, ...input });
      expect([name, input, isError ? /^\[(\w+)\]/.exec(text)?.[1] : 'ok']).toEqual([name, input, gives]);
    }
  });

  test('a file moves with the imports that point at it, saved, and without a question of the editor', async () => {
    expect(await ask('rename_file', RENAME)).toEqual(RENAMED);
    expect(main()).toContain("from './words/greeting'");
    expect(existsSync(join(root, 'src', 'greeting.ts'))).toBe(false);
    expect(await importSettings()).toEqual([null, null]);
    expect(existsSync(join(root, '.vscode'))).toBe(false);
  });

  test('imports stay as they are where that is asked for', async () => {
    const answer = { from: 'src/greeting.ts', to: 'src/hello.ts', importsUpdated: false, changedFiles: [] };
    expect(await ask('rename_file', { ...RENAME, newUri: 'src/hello.ts', updateImports: false })).toEqual(answer);
    expect(main()).toContain("from './greeting'");
    expect(await importSettings()).toEqual([null, null]);
  });

  test('a folder moves with the imports of its files', async () => {
    await ask('rename_file', RENAME);
    const answer = await ask('rename_file', { oldUri: 'src/words', newUri: 'src/texts' });
    expect(answer).toMatchObject({ to: 'src/texts', importsUpdated: true, changedFiles: ['src/main.ts'] });
    expect(main()).toContain("from './texts/greeting'");
  });

  test("the user's unsaved text in another file is not saved for them", async () => {
    await window.run(
      async (vscode, file) => {
        const document = await vscode.workspace.openTextDocument(file);
        const edit = new vscode.WorkspaceEdit();
        edit.insert(document.uri, new vscode.Position(document.lineCount, 0), '// not finished\n');
        await vscode.workspace.applyEdit(edit);
      },
      join(root, 'src', 'main.ts'),
    );
    const answer = await ask('rename_file', RENAME);
    expect(answer).toMatchObject({ importsUpdated: true, unsavedFiles: ['src/main.ts'] });
    expect(main()).not.toContain('not finished');
    await window.command('workbench.action.files.revertResource');
    await window.run(async (vscode) => {
      await vscode.commands.executeCommand('workbench.action.files.saveAll');
    });
  });

  test('a file that would be replaced is asked about, and a no leaves both', async () => {
    const running = devdb.callTool(root, 'rename_file', { ...RENAME, newUri: 'src/main.ts', overwrite: true });
    const question = window.page.frameLocator('iframe.webview').frameLocator('iframe#active-frame').locator('main');
    await question.locator('text=A file at the new path is replaced.').waitFor();
    await window.screenshots('question-rename');
    await question.press('Escape');
    await expect(running).resolves.toMatchObject({ ok: false, error: { code: 'E_APPROVAL_DENIED' } });
    expect(existsSync(join(root, 'src', 'greeting.ts'))).toBe(true);
  });

  test('a setting that was borrowed when the window was killed is put back by the next one', async () => {
    const running = agent.call('rename_file', { projectRoot: root, ...RENAME });
    await until('the setting is borrowed', async () => (await importSettings())[0] === 'always');
    await window.kill();
    expect((await running).isError).toBe(true);
    window = await editor.open(root);
    await devdb.serving(root);
    await until('the setting is put back', async () => (await importSettings())[0] === null);
  });
});
