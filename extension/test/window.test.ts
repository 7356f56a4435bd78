import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeSampleProject } from '../../fixtures/labs/sample-project.ts';
import { describeEditor, type Editor, startEditor, type Window } from './helpers/editor-lab.ts';

describeEditor('a window of the editor', () => {
  let editor: Editor;
  let window: Window;

  beforeAll(async () => {
    editor = await startEditor();
    window = await editor.open(makeSampleProject(join(editor.projects, 'shop')));
  });

  afterAll(() => editor?.stop());

  test('shows in the status bar where the project is served', async () => {
    await expect(window.statusText(/shop/)).resolves.toMatch(/^DevDB :\d+ shop\.db$/);
    await window.screenshots('status-bar');
  });

  test('runs what a test sends it, and passes on what was thrown', async () => {
    const sum = window.run((_vscode, one: number, two: number) => one + two, 1, 2);
    await expect(sum).resolves.toBe(3);
    const failing = window.run(async () => {
      throw new RangeError('thrown in the window');
    });
    await expect(failing).rejects.toThrow('thrown in the window');
  });

  test('gets the same port after a reload and after an extension host crash', async () => {
    const before = await window.statusText(/shop/);
    const pid = window.pid;
    await window.reload();
    await expect(window.statusText(/shop/)).resolves.toBe(before);
    expect(window.pid).not.toBe(pid);
    await window.crashExtensionHost();
    await expect(window.statusText(/shop/)).resolves.toBe(before);
  });

  test('shows dialogs, lists, inputs and notifications for a test to read and answer', async () => {
    const modal = window.run((vscode) =>
      vscode.window.showWarningMessage(
        'Run this?',
        { modal: true, detail: 'DELETE FROM orders' },
        'Run once',
        'Run for this session',
      ),
    );
    await expect(window.dialog()).resolves.toEqual({
      message: 'Run this?',
      detail: 'DELETE FROM orders',
      buttons: expect.arrayContaining(['Run once', 'Run for this session', 'Cancel']),
    });
    await window.screenshot('lab-dialog');
    await window.press('Run for this session');
    await expect(modal).resolves.toBe('Run for this session');

    const picked = window.run((vscode) =>
      vscode.window.showQuickPick([{ label: 'Restart', description: 'starts it again' }, { label: 'Stop' }]),
    );
    await expect(window.quickPick()).resolves.toEqual(['Restart', 'Stop']);
    await window.screenshot('lab-quick-pick');
    await window.pick('Stop');
    await expect(picked).resolves.toEqual({ label: 'Stop' });

    const typed = window.run((vscode) => vscode.window.showInputBox({ prompt: 'Host' }));
    await window.answerInput('127.0.0.1');
    await expect(typed).resolves.toBe('127.0.0.1');

    const seen = window.run((vscode) => vscode.window.showInformationMessage('DevDB stopped.', 'Show log'));
    const notification = await window.notification(/stopped/);
    await expect(window.notifications()).resolves.toEqual(['DevDB stopped.']);
    await window.screenshot('lab-notification');
    await notification.locator('.monaco-button').filter({ hasText: 'Show log' }).click();
    await expect(seen).resolves.toBe('Show log');
  });

  test('starts nothing without a folder', async () => {
    const empty = await editor.open();
    const activated = await empty.run(async (vscode) => {
      const devdb = vscode.extensions.getExtension('devdb.devdb');
      await devdb?.activate();
      return devdb?.isActive;
    });
    expect(activated).toBe(true);
    await expect(empty.statusItem().count()).resolves.toBe(0);
    await empty.close();
  });

  test('opens another folder beside it and closes again', async () => {
    const folder = join(editor.projects, 'plain');
    mkdirSync(folder);
    const other = await editor.open(folder);
    await expect(other.run((vscode) => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath)).resolves.toBe(folder);
    await other.close();
    expect(() => other.pid).toThrow('no extension host');
  });
});
