import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeSampleProject } from '../../fixtures/labs/sample-project.ts';
import { DevdbHome } from './helpers/devdb-home.ts';
import { describeEditor, type Editor, startEditor, type Window } from './helpers/editor-lab.ts';
import { notificationsOf, notificationsWith } from './helpers/notifications.ts';
import { isRunning } from './helpers/processes.ts';
import { until } from './helpers/until.ts';

type Level = 'Global' | 'Workspace' | 'WorkspaceFolder';

/** Sets a setting as a user does, at one of its levels, and for one folder of the window where it takes one. */
async function set(window: Window, name: string, value: unknown, level: Level, folder = 0): Promise<void> {
  await window.run(
    async (vscode, key: string, wanted: unknown, where: Level, index: number) => {
      const uri = vscode.workspace.workspaceFolders?.[index]?.uri;
      await vscode.workspace
        .getConfiguration('Devdb', uri)
        .update(key, wanted ?? undefined, vscode.ConfigurationTarget[where]);
    },
    name,
    value,
    level,
    folder,
  );
}

function writeWorkspace(file: string, folders: readonly string[]): string {
  writeFileSync(file, JSON.stringify({ folders: folders.map((path) => ({ path })), settings: {} }));
  return file;
}

describeEditor('the settings and folders of a window', () => {
  let editor: Editor;
  let devdb: DevdbHome;
  let window: Window;
  let one = '';
  let two = '';

  beforeAll(async () => {
    editor = await startEditor();
    devdb = new DevdbHome(editor.home);
    one = makeSampleProject(join(editor.projects, 'one'));
    two = makeSampleProject(join(editor.projects, 'two'));
    window = await editor.open(writeWorkspace(join(editor.projects, 'both.code-workspace'), [one, two]));
  });

  afterAll(() => editor?.stop());

  test('every folder has its own port, and the status bar shows the first and its database', async () => {
    const [first, second] = [await devdb.serving(one), await devdb.serving(two)];
    expect(first).not.toBe(second);
    await expect(window.statusText(/shop/)).resolves.toBe(`DevDB :${first} shop.db +1`);
    await window.screenshot('status-bar-two-folders');
  });

  test('the folder wins over the workspace and that over the user, and no other folder is disturbed', async () => {
    const pid = await devdb.sidecarPid(one);
    await set(window, 'enableMcpServer', false, 'Workspace');
    await window.statusText(/DevDB off/);
    await devdb.closed(one);
    await until('the sidecar ends', () => !isRunning(pid));
    await window.screenshot('status-bar-off');
    await set(window, 'enableMcpServer', true, 'WorkspaceFolder', 1);
    await devdb.serving(two);
    await window.statusText(/^DevDB :\d+ shop.db$/);
    expect(devdb.registry()).not.toHaveProperty([one]);
    const alone = await devdb.sidecarPid(two);
    await set(window, 'enableMcpServer', false, 'Global');
    await set(window, 'enableMcpServer', true, 'Workspace');
    await devdb.serving(one);
    await expect(devdb.sidecarPid(two)).resolves.toBe(alone);
    await expect(devdb.sidecarPid(one)).resolves.toBe(alone);
    for (const level of ['Global', 'Workspace'] as const) await set(window, 'enableMcpServer', undefined, level);
    await set(window, 'enableMcpServer', undefined, 'WorkspaceFolder', 1);
    await window.statusText(/\+1$/);
  });

  test('tools that are switched off are off at once, in the same process', async () => {
    const pid = await devdb.sidecarPid(one);
    await set(window, 'mcp.disabledTools', ['get-overview'], 'WorkspaceFolder', 0);
    await until('get-overview is off', async () => {
      const answer = await devdb.callTool(one, 'get-overview', {});
      return !answer.ok && answer.error.code === 'E_DISABLED';
    });
    await expect(devdb.callTool(two, 'get-overview', {})).resolves.toMatchObject({ ok: true });
    await set(window, 'mcp.disabledTools', undefined, 'WorkspaceFolder', 0);
    await until('get-overview is on', async () => (await devdb.callTool(one, 'get-overview', {})).ok);
    await expect(devdb.sidecarPid(one)).resolves.toBe(pid);
  });

  test('an added folder is served and a removed one is not, while the others keep their process and port', async () => {
    const before = { pid: await devdb.sidecarPid(two), port: await devdb.serving(two) };
    const three = makeSampleProject(join(editor.projects, 'three'));
    await window.run((vscode, path: string) => {
      vscode.workspace.updateWorkspaceFolders(2, 0, { uri: vscode.Uri.file(path) });
    }, three);
    await devdb.serving(three);
    await window.statusText(/\+2$/);
    await window.run((vscode) => vscode.workspace.updateWorkspaceFolders(2, 1));
    await devdb.closed(three);
    await window.statusText(/\+1$/);
    expect({ pid: await devdb.sidecarPid(two), port: await devdb.serving(two) }).toEqual(before);
  });

  test('customBasePath comes first where it exists, and is ignored where it does not', async () => {
    const inner = makeSampleProject(join(one, 'backend'));
    await set(window, 'customBasePath', 'backend', 'WorkspaceFolder', 0);
    const port = await devdb.serving(inner);
    await window.statusText(new RegExp(`^DevDB :${port} .*\\+2$`));
    await devdb.serving(one);
    await set(window, 'customBasePath', 'no-such-folder', 'WorkspaceFolder', 0);
    await devdb.closed(inner);
    await window.statusText(new RegExp(`^DevDB :${await devdb.serving(one)} .*\\+1$`));
    await set(window, 'customBasePath', undefined, 'WorkspaceFolder', 0);
  });

  test('a taken fixed port is reported once, in a toast without buttons, and the next one is used', async () => {
    const taken = await devdb.serving(two);
    const before = await devdb.serving(one);
    await set(window, 'http.port', taken, 'WorkspaceFolder', 0);
    const shown = await notificationsWith(window, /Devdb\.http\.port/);
    expect(shown).toEqual([{ message: expect.stringContaining(`Port ${taken}`), buttons: [] }]);
    await window.screenshot('toast-fixed-port');
    await expect(devdb.serving(one)).resolves.not.toBe(taken);
    await set(window, 'http.port', undefined, 'WorkspaceFolder', 0);
    expect(before).not.toBe(taken);
    await until('the toast is cleared', async () => {
      await window.command('notifications.clearAll');
      return (await notificationsOf(window)).length === 0;
    });
  });

  test('ports are not forwarded, and a repository cannot loosen safety', async () => {
    const forwarded = await window.run(
      (vscode) => vscode.workspace.getConfiguration('remote').inspect('portsAttributes')?.defaultValue,
    );
    expect(forwarded).toMatchObject({ '50001-50999': { onAutoForward: 'ignore' } });
    mkdirSync(join(two, '.vscode'), { recursive: true });
    const loose = {
      'Devdb.database.writes': 'allow',
      'Devdb.sidecar.nodePath': '/bin/true',
      'Devdb.mcpJson.inGit': true,
    };
    writeFileSync(
      join(two, '.vscode', 'settings.json'),
      JSON.stringify({ ...loose, 'Devdb.mcp.disabledTools': ['x'] }),
    );
    await until('the settings of the folder are read', () =>
      window.run(
        (vscode, path: string) =>
          vscode.workspace.getConfiguration('Devdb', vscode.Uri.file(path)).get<string[]>('mcp.disabledTools')?.[0] ===
          'x',
        two,
      ),
    );
    const seen = await window.run((vscode, path: string) => {
      const config = vscode.workspace.getConfiguration('Devdb', vscode.Uri.file(path));
      return [config.get('database.writes'), config.get('sidecar.nodePath'), config.get('mcpJson.inGit')];
    }, two);
    expect(seen).toEqual(['ask', '', false]);
  });

  test('nothing but failures was shown', async () => {
    await expect(notificationsOf(window)).resolves.toEqual([]);
  });
});
