import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DevdbHome } from './helpers/devdb-home.ts';
import { describeEditor, type Editor, type Window } from './helpers/editor-lab.ts';
import { invokeTool } from './helpers/invoke-tool.ts';
import { startOnSample } from './helpers/sample-window.ts';
import { until } from './helpers/until.ts';

describeEditor("what the editor's own agent gets", () => {
  let editor: Editor;
  let devdb: DevdbHome;
  let window: Window;
  let root: string;

  beforeAll(async () => {
    ({ editor, devdb, window, root } = await startOnSample({ settings: { 'chat.disableAIFeatures': false } }));
  });

  afterAll(() => editor?.stop());

  /** The editor lists what extensions contribute; only an invocation shows whether there is anything behind it. */
  async function answers(tool: string, input: object = {}): Promise<boolean> {
    return (await invokeTool(window, `devdb_${tool}`, input)).ok;
  }

  function set(name: string, value: unknown): Promise<void> {
    return window.run(
      async (vscode, key, to) => vscode.workspace.getConfiguration('Devdb').update(key, to, 1),
      name,
      value,
    );
  }

  test('are tools, except those that are switched off', async () => {
    await until('the tools answer', () => answers('get-schema', { table: 'customers' }));
    await set('mcp.disabledTools', ['get-schema']);
    await until('get-schema is gone', async () => !(await answers('get-schema', { table: 'customers' })));
    await expect(answers('get-tables')).resolves.toBe(true);
    await set('mcp.disabledTools', undefined);
    await until('get-schema is back', () => answers('get-schema', { table: 'customers' }));
  });

  test('is a server instead of tools, by the setting, and then neither', async () => {
    let rows: readonly string[] = [];
    await set('vscodeAgent', 'mcp');
    await until('no tool answers', async () => !(await answers('get-tables')));
    // Of servers whose labels are equal, ignoring case, the editor switches one off, and it reads this file as well.
    await until('the project has an entry for clients', () => existsSync(join(root, '.mcp.json')));
    expect(JSON.parse(readFileSync(join(root, '.mcp.json'), 'utf8'))).toMatchObject({ mcpServers: { devdb: {} } });
    const listing = window.command('workbench.mcp.listServer');
    await until('both are servers', async () => {
      rows = await window.quickPick();
      return ['DevDB in this window', 'devdb'].every((label) => rows.some((row) => row.startsWith(label)));
    }).catch((error: unknown) => {
      throw new Error(`${String(error)} There are: ${rows.join(', ')}`);
    });
    await window.screenshot('agent-mcp-servers');
    await window.page.keyboard.press('Escape');
    await listing;
    // By name: a server's menu has other rows while the editor is still checking it.
    await window.command('workbench.mcp.startServer', 'devdb.devdb/DevDB in this window', { waitForLiveTools: true });
    const ofServer = () =>
      window.run((vscode) =>
        vscode.lm.tools
          .map(({ name }) => name)
          .filter((name) => /get-tables$/.test(name) && !name.startsWith('devdb_')),
      );
    await until("the server's tools are there", async () => (await ofServer()).length > 0);
    const found = await ofServer();
    expect(found).toHaveLength(1);
    const [tool = ''] = found;
    await expect(invokeTool(window, tool, {})).resolves.toMatchObject({
      ok: true,
      // The text that is made for a model, not the structured form around it.
      text: '["customers","orders","products","revenue"]',
    });
    await set('vscodeAgent', 'off');
    await expect(answers('get-tables')).resolves.toBe(false);
    await set('vscodeAgent', undefined);
    await until('the tools are back', () => answers('get-tables'));
  });

  test('a database elsewhere is connected only after a yes in the editor, which is remembered', async () => {
    writeFileSync(join(root, '.env'), 'DATABASE_URL=postgres://ada:pw@db.example.invalid:5432/far\n');
    const page = window.page.frameLocator('iframe.webview').frameLocator('iframe#active-frame').locator('main');
    const ask = () => devdb.callTool(root, 'get-tables', { connection: 'env:DATABASE_URL' });
    const running = ask();
    await page.locator('text=the host db.example.invalid is not this machine').waitFor();
    await page.locator('button:enabled >> text="Connect"').waitFor();
    await window.screenshot('question-connect');
    await page.locator('button:enabled >> text="Connect"').click();
    // It does not exist: the attempt is what counts.
    const { error } = { error: undefined, ...(await running) };
    expect(error?.code).toBe('E_NO_CONNECTION');
    expect(error?.message).not.toContain('not approved');
    const again = { error: undefined, ...(await ask()) };
    expect(again.error?.message).not.toContain('not approved');
    writeFileSync(join(root, '.env'), 'DATABASE_URL=postgres://ada:pw@db2.example.invalid:5432/far\n');
    const other = ask();
    await page.locator('text=the host db2.example.invalid is not this machine').waitFor();
    await page.press('Escape');
    await expect(other).resolves.toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('did not agree') },
    });
    await expect(ask()).resolves.toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('did not agree') },
    });
  });
});

describeEditor('an untrusted workspace', () => {
  test('has read-only tools, opens no database, and accepts no connection', async () => {
    const { editor, devdb, window, root } = await startOnSample({ trust: 'ask' });
    try {
      await until('tools that read are there', async () =>
        (await invokeTool(window, 'devdb_get-tables', {})).text.includes('E_UNTRUSTED_WORKSPACE'),
      );
      // Reading tools work in the editor; changing ones are refused, whoever calls them.
      const overHttp = (tool: string, input: object) => devdb.callTool(root, tool, input);
      await expect(overHttp('get_setting', { key: 'editor.tabSize' })).resolves.toMatchObject({ ok: true });
      await expect(overHttp('rename_file', { oldUri: 'data/shop.db', newUri: 'a.db' })).resolves.toMatchObject({
        ok: false,
        error: { code: 'E_UNTRUSTED_WORKSPACE', details: { applied: false } },
      });
      await expect(invokeTool(window, 'devdb_run-query', { query: 'SELECT 1' })).resolves.toMatchObject({
        ok: false,
        text: expect.not.stringContaining('E_'),
      });
      await window.command('devdb.addConnection');
      await window.notification(/not trusted/);
    } finally {
      await editor.stop();
    }
  });
});
