import { openShop } from '../../fixtures/labs/sample-project.ts';
import type { DevdbHome } from './helpers/devdb-home.ts';
import { describeEditor, type Editor, type Window } from './helpers/editor-lab.ts';
import { startOnSample } from './helpers/sample-window.ts';
import { until } from './helpers/until.ts';

const UPDATE = "UPDATE customers SET city = 'Nice' WHERE id = 1";

describeEditor('a question before something is changed', () => {
  let editor: Editor;
  let window: Window;
  let devdb: DevdbHome;
  let root: string;

  beforeAll(async () => {
    ({ editor, devdb, window, root } = await startOnSample());
  });

  afterAll(() => editor?.stop());

  /** Nested pages: the editor's own frame around the one with the question. */
  function question() {
    return window.page.frameLocator('iframe.webview').frameLocator('iframe#active-frame').locator('main');
  }

  async function press(label: string): Promise<void> {
    await question().locator(`button:enabled >> text="${label}"`).click();
  }

  async function gone(): Promise<void> {
    await until('no question is on show', async () => (await window.page.locator('iframe.webview').count()) === 0);
  }

  function query(sql: string, signal?: AbortSignal) {
    return devdb.callTool(root, 'run-query', { query: sql }, signal);
  }

  function cities(): unknown[] {
    const database = openShop(root);
    try {
      return database
        .prepare('SELECT city FROM customers ORDER BY id')
        .all()
        .map(({ city }) => city);
    } finally {
      database.close();
    }
  }

  test('says what would run, where, and what it would change; a yes runs it', async () => {
    const running = query(UPDATE);
    await question().locator('text=It changes 1 row.').waitFor();
    await window.screenshot('question');
    const text = (await question().textContent()) ?? '';
    expect(text).toContain('Run this UPDATE on shop.db?');
    expect(text).toContain(UPDATE);
    expect(cities()[0]).toBe('Lyon');
    await press('Run once');
    await expect(running).resolves.toMatchObject({ ok: true, data: { affectedRows: 1 } });
    expect(cities()[0]).toBe('Nice');
    await gone();
  });

  test.each([
    ['the button', () => press('No')],
    ['Escape', () => question().press('Escape')],
    ['closing the tab', () => window.command('workbench.action.closeActiveEditor')],
  ])('is answered with no by %s', async (_how, decline) => {
    const running = query("UPDATE customers SET city = 'Rome' WHERE id = 2");
    await question().waitFor();
    await decline();
    await expect(running).resolves.toMatchObject({ ok: false, error: { code: 'E_APPROVAL_DENIED' } });
    expect(cities()[1]).toBe('Malmö');
    await gone();
  });

  test('disappears when its call is cancelled, and the next one is shown and answered on its own', async () => {
    const cancel = new AbortController();
    const first = query("UPDATE customers SET city = 'Oslo' WHERE id = 1", cancel.signal);
    const cancelled = expect(first).rejects.toThrow();
    await question().locator('text=Oslo').waitFor();
    const second = query("UPDATE customers SET city = 'Turin' WHERE id = 3");
    cancel.abort();
    await cancelled;
    await question().locator('text=Turin').waitFor();
    await press('No');
    await expect(second).resolves.toMatchObject({ ok: false, error: { code: 'E_APPROVAL_DENIED' } });
    expect(cities()).toEqual(['Nice', 'Malmö', 'Bari', 'Samarqand']);
    await gone();
  });

  test('is not asked again of a client allowed for its session, but of every other client', async () => {
    const client = await devdb.stdioClient();
    try {
      const run = (city: string) =>
        client.call('run-query', {
          projectRoot: root,
          query: `UPDATE customers SET city = '${city}' WHERE id = 4`,
        });
      const first = run('Bukhara');
      await press('Run for this session');
      await expect(first).resolves.toMatchObject({ isError: false });
      await expect(run('Khiva')).resolves.toMatchObject({ isError: false });
      expect(cities()[3]).toBe('Khiva');
      const other = query(UPDATE);
      await press('No');
      await expect(other).resolves.toMatchObject({ ok: false });
    } finally {
      await client.close();
    }
    await gone();
  });

  test('accepts no yes before the end of the statement has been visible', async () => {
    await window.page.setViewportSize({ width: 900, height: 480 });
    const running = query(`UPDATE customers SET city =\n${'upper(\n'.repeat(9)}'x'${')\n'.repeat(9)}WHERE id = 1`);
    await question().locator('text=Scroll to the end').waitFor();
    await question().locator('button:enabled >> text="No"').waitFor();
    await expect(question().locator('button:enabled >> text="Run once"').count()).resolves.toBe(0);
    await question().locator('#statement').press('End');
    await press('Run once');
    await expect(running).resolves.toMatchObject({ ok: true });
    expect(cities()[0]).toBe('X');
    await window.page.setViewportSize({ width: 1400, height: 900 });
    await gone();
  });

  test('keeps the end of a long statement visible, in every theme', async () => {
    const cases = Array.from({ length: 400 }, (_, n) => `  WHEN ${n} THEN 'City ${n}'`).join('\n');
    const statement = `UPDATE customers SET city = CASE id\n${cases}\n  ELSE '\u202eevil' END\nWHERE 1 = 1`;
    const running = query(statement);
    await question().locator('text=WHERE 1 = 1').first().waitFor();
    await window.screenshots('question');
    await question().locator('button:enabled >> text="Run once"').waitFor();
    await expect(question().textContent()).resolves.toMatch(/U\+202E/);
    await press('Show the whole statement');
    await expect(question().locator('#whole').textContent()).resolves.toContain('WHEN 200 THEN');
    await press('No');
    await expect(running).resolves.toMatchObject({ ok: false });
    await gone();
  });
});
