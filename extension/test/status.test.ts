import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_THEMES } from '../../fixtures/labs/vscode/window.ts';
import type { DevdbHome } from './helpers/devdb-home.ts';
import { describeEditor, type Editor, type Window } from './helpers/editor-lab.ts';
import { notificationsWith } from './helpers/notifications.ts';
import { isRunning } from './helpers/processes.ts';
import { startOnSample } from './helpers/sample-window.ts';
import { until } from './helpers/until.ts';

const ALL = [
  'Copy server URL',
  'Copy set-up for a client...',
  'Doctor report',
  'Add connection...',
  'Restart',
  'Stop',
  'Settings',
  'View log',
];

describeEditor('the status bar item and its menu', () => {
  let editor: Editor;
  let devdb: DevdbHome;
  let window: Window;
  let root = '';

  beforeAll(async () => {
    ({ editor, devdb, window, root } = await startOnSample());
  });

  afterAll(() => editor?.stop());

  const clipboard = () => window.run((vscode) => vscode.env.clipboard.readText());
  /** The rows of the previous list may still be there when the next one opens, so wait until they are gone. */
  const openMenu = async (rows: readonly string[] = ALL) => {
    await window.statusItem().click();
    await until('the menu has its rows', async () => String(await window.quickPick()) === String(rows));
  };

  test('shows port and database, and offers the possible actions', async () => {
    await window.statusText(/^DevDB :\d+ shop.db$/);
    await openMenu();
    await window.screenshot('menu');
    await window.page.keyboard.press('Escape');
  });

  test.each(ALL_THEMES)('can be read in the %s theme', async (theme) => {
    await window.showTheme(theme);
    await openMenu();
    await window.screenshot(`menu-${theme}`);
    await window.page.keyboard.press('Escape');
  });

  test('copies the URL of the server', async () => {
    await openMenu();
    await window.pick('Copy server URL');
    const url = `http://127.0.0.1:${await devdb.serving(root)}/mcp`;
    await until('the URL is on the clipboard', async () => (await clipboard()) === url);
  });

  test("copies a client's set-up as `devdb setup` prints it", async () => {
    await openMenu();
    await window.pick('Copy set-up');
    await expect(window.quickPick()).resolves.toEqual(['Claude Code', 'Cursor', 'VS Code', 'Windsurf', 'Codex']);
    await window.pick('Cursor');
    await until('the set-up is on the clipboard', async () => (await clipboard()).startsWith('Cursor: put this into'));
    await expect(clipboard()).resolves.toContain('devdb-mcp.cjs');
  });

  test("opens doctor's report as a document that never asks to be saved", async () => {
    await openMenu();
    await window.pick('Doctor report');
    const shown = () =>
      window.run((vscode) => {
        const document = vscode.window.activeTextEditor?.document;
        return { text: document?.getText() ?? '', isUntitled: document?.isUntitled };
      });
    await until('the report is open', async () => (await shown()).text.includes('The default database works.'));
    await expect(shown()).resolves.toMatchObject({ isUntitled: false });
    await window.screenshot('doctor-report');
  });

  test('follows the database when the project names another', async () => {
    writeFileSync(join(root, '.devdbrc'), '[{"type":"sqlite","name":"mine","path":"data/shop.db"}]');
    await expect(devdb.callTool(root, 'get-tables', {})).resolves.toMatchObject({ ok: true });
    await window.statusText(/^DevDB :\d+ mine$/);
  });

  test('stops and starts from the menu, and tells calls so meanwhile', async () => {
    const port = await devdb.serving(root);
    const pid = await devdb.sidecarPid(root);
    await openMenu();
    await window.pick('Stop');
    await window.statusText(/DevDB stopped/);
    await devdb.closed(root);
    await until('the sidecar ends', () => !isRunning(pid));
    await openMenu(['Start', 'View log', 'Settings']);
    await window.screenshot('menu-stopped');
    await window.pick('Start');
    await expect(devdb.serving(root)).resolves.toBe(port);
  });

  test('a Node that does not exist is reported once, in words and without buttons, and fixed by another choice', async () => {
    // Settings with machine scope have their own file.
    const choose = (settings: object) =>
      writeFileSync(join(editor.userData, 'Machine', 'settings.json'), JSON.stringify(settings));
    choose({ 'Devdb.sidecar.nodePath': '/no/such/node' });
    const shown = await notificationsWith(window, /\/no\/such\/node could not be started/);
    expect(shown).toEqual([{ message: expect.stringContaining('Devdb.sidecar.nodePath'), buttons: [] }]);
    await window.screenshots('toast-failed');
    await window.command('notifications.clearAll');
    await openMenu(['View log', 'Restart', 'Settings']);
    await window.page.keyboard.press('Escape');
    choose({});
    await devdb.serving(root);
    await window.statusText(/^DevDB :\d+/);
  });

  test("keeps the sidecar's log with its levels", async () => {
    await openMenu();
    await window.pick('View log');
    await window.page.locator('.part.panel .view-lines').first().waitFor();
    await window.screenshot('log');
    const logs = join(editor.userData, 'logs');
    const file = readdirSync(logs, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('DevDB.log'));
    const text = readFileSync(join(logs, file ?? 'there is none'), 'utf8');
    expect(text).toMatch(/\[info\] registry-claimed projectRoot=/);
    expect(text).toMatch(/\[error\] DevDB stopped and was not started again/);
    expect(text).not.toContain('{"time"');
  });
});
