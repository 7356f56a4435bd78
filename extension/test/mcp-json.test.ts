import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeSampleProject } from '../../fixtures/labs/sample-project.ts';
import { DevdbHome } from './helpers/devdb-home.ts';
import { describeEditor, type Editor, startEditor, type Window } from './helpers/editor-lab.ts';
import { until } from './helpers/until.ts';

/** A window on a busy machine needs a while to start its extensions. */
const WITHIN_MS = 60_000;
jest.setTimeout(3 * WITHIN_MS);

const fileOf = (root: string) => join(root, '.mcp.json');
const typeIn = (root: string): string | undefined =>
  existsSync(fileOf(root)) ? JSON.parse(readFileSync(fileOf(root), 'utf8')).mcpServers?.devdb?.type : undefined;
const entered = (root: string, type = 'stdio') =>
  until(`${root} has an entry of ${type}`, () => typeIn(root) === type, WITHIN_MS);
const gone = (root: string) => until(`${root} has no .mcp.json`, () => !existsSync(fileOf(root)), WITHIN_MS);

describeEditor('.mcp.json', () => {
  let editor: Editor;

  beforeAll(async () => {
    editor = await startEditor();
  });

  afterAll(() => editor?.stop());

  test('exists while the window does: after a reload too, not after it was closed or killed', async () => {
    const root = makeSampleProject(join(editor.projects, 'one'));
    const closed = await editor.open(root);
    await entered(root);
    // There is no Claude Code yet to offer anything for.
    expect(await closed.notifications()).toEqual([]);
    await closed.reload();
    await new DevdbHome(editor.home).serving(root);
    await entered(root);
    await closed.close();
    await gone(root);
    const killed = await editor.open(root);
    await entered(root);
    await killed.kill();
    await gone(root);
  });

  test('follows the folders of a window and its settings', async () => {
    const roots = ['a', 'b', 'c'].map((name) => makeSampleProject(join(editor.projects, name)));
    const [a = '', b = '', c = ''] = roots;
    const file = join(editor.projects, 'several.code-workspace');
    writeFileSync(file, JSON.stringify({ folders: [{ path: a }, { path: b }] }));
    const window = await editor.open(file);
    await Promise.all([entered(a), entered(b)]);
    expect(existsSync(fileOf(c))).toBe(false);
    await window.run(
      (vscode, path) => vscode.workspace.updateWorkspaceFolders(1, 1, { uri: vscode.Uri.file(path) }),
      c,
    );
    await Promise.all([gone(b), entered(c)]);
    await set(window, 'http');
    await Promise.all([entered(a, 'http'), entered(c, 'http')]);
    await set(window, 'off');
    await Promise.all([gone(a), gone(c)]);
    await set(window, undefined);
    await Promise.all([entered(a), entered(c)]);
    await window.close();
    await Promise.all([gone(a), gone(c)]);
  });

  test('that cannot be read is left alone and reported in a toast without buttons', async () => {
    const root = makeSampleProject(join(editor.projects, 'broken'));
    writeFileSync(fileOf(root), '{\n  "mcpServers": {\n');
    const window = await editor.open(root);
    const toast = await window.notification(/was left unchanged/);
    expect(await toast.textContent()).toContain(`${fileOf(root)}:3`);
    expect(await toast.locator('.monaco-button').count()).toBe(0);
    await window.screenshot('mcp-json-toast');
    await window.close();
    expect(readFileSync(fileOf(root), 'utf8')).toBe('{\n  "mcpServers": {\n');
  });

  test('is not the only way: where Claude Code is installed, setting it up for all projects is offered once', async () => {
    const config = join(editor.home, '.claude.json');
    mkdirSync(join(editor.home, '.claude'));
    writeFileSync(config, '{ "numStartups": 1 }');
    const window = await editor.open(makeSampleProject(join(editor.projects, 'offered')));
    const offer = await window.notification(/Claude Code/);
    await window.screenshots('claude-offer');
    await offer.locator('.monaco-button').filter({ hasText: 'Set up' }).first().click();
    await until('Claude Code knows DevDB', () => readFileSync(config, 'utf8').includes('devdb-mcp.cjs'));
    expect(JSON.parse(readFileSync(config, 'utf8'))).toMatchObject({
      numStartups: 1,
      mcpServers: { devdb: { type: 'stdio' } },
    });
    await window.close();

    writeFileSync(config, '{}');
    const second = await editor.open(makeSampleProject(join(editor.projects, 'again')));
    await second.statusText(/:\d+/);
    expect(await second.notifications()).toEqual([]);
    await second.command('devdb.setUpClaude');
    expect(readFileSync(config, 'utf8')).toContain('devdb-mcp.cjs');
  });
});

function set(window: Window, entry: string | undefined): Promise<void> {
  return window.run(async (vscode, value) => {
    await vscode.workspace.getConfiguration('Devdb').update('mcpJson.entry', value, true);
  }, entry);
}
