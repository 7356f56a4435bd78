import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openShop } from '../../fixtures/labs/sample-project.ts';
import { problemsInThemes } from './helpers/accessibility.ts';
import { describeEditor, type Editor, type Window } from './helpers/editor-lab.ts';
import { startOnSample } from './helpers/sample-window.ts';
import { until } from './helpers/until.ts';

const JOIN = `SELECT customers.name, visits.page
FROM visits JOIN customers ON customers.id = visits.customer_id
WHERE visits.page = 'page 7'
ORDER BY visits.seen_at`;

const SQL = `${JOIN};

UPDATE visits SET page = 'x' WHERE id = 1;

WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n;

SELECT nosuch FROM visits;
`;

/** A table large enough that reading it whole is worth a warning. */
function addVisits(root: string): void {
  const database = openShop(root);
  database.exec(`CREATE TABLE visits (id INTEGER PRIMARY KEY, customer_id INTEGER, page TEXT, seen_at TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
    INSERT INTO visits SELECT i, 1 + i % 4, 'page ' || (i % 50), date('2026-01-01', '+' || (i % 90) || ' days') FROM n`);
  database.close();
}

describeEditor('plans', () => {
  let editor: Editor;
  let window: Window;
  let root: string;

  beforeAll(async () => {
    ({ editor, window, root } = await startOnSample({}, (folder) => {
      addVisits(folder);
      writeFileSync(join(folder, 'app.sql'), SQL);
    }));
  });

  afterAll(() => editor?.stop());

  const plan = (selector: string) =>
    window.page.frameLocator('iframe.webview >> nth=0').frameLocator('iframe#active-frame').locator(selector);
  const status = (text: string | RegExp) => plan('[role=status]').filter({ hasText: text });
  const row = (text: string) => plan('[role=row][aria-level]').filter({ hasText: text });
  const button = (text: string) => plan('button').filter({ hasText: text });

  /** Puts the cursor where this stands in the file, and asks for its plan as the palette does. */
  async function explain(at: string): Promise<void> {
    await window.run(
      async (vscode, file, offset) => {
        const document = await vscode.workspace.openTextDocument(file);
        const position = document.positionAt(offset);
        const selection = new vscode.Range(position, position);
        await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, selection });
      },
      join(root, 'app.sql'),
      SQL.indexOf(at),
    );
    await window.command('devdb.explainStatement');
  }

  /** Takes the file that the editor suggests, once its dialog listens. */
  async function savedAs(form: string): Promise<string> {
    const name = window.page.locator('.quick-input-widget .quick-input-box input');
    await until('a name is suggested', async () => (await name.inputValue()).endsWith(`.${form}`));
    const file = await name.inputValue();
    await until('the file is written', async () => {
      if (!existsSync(file) && (await name.isVisible())) await window.page.keyboard.press('Enter');
      return existsSync(file) && statSync(file).size > 0;
    });
    await name.waitFor({ state: 'hidden' });
    return file;
  }

  async function clipboard(): Promise<string> {
    return window.run((vscode) => vscode.env.clipboard.readText());
  }

  test('each statement of a file has a lens for its plan', async () => {
    const titles = await window.run(
      async (vscode, file) => {
        const uri = vscode.Uri.file(file);
        await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.One });
        const lenses = await vscode.commands.executeCommand<{ command?: { title: string } }[]>(
          'vscode.executeCodeLensProvider',
          uri,
          100,
        );
        return lenses.map(({ command }) => command?.title);
      },
      join(root, 'app.sql'),
    );
    expect(titles.filter((title) => title === 'Explain')).toHaveLength(4);
  });

  test('shows the steps as a tree, what is worth a warning, and the index that would help', async () => {
    await explain('SELECT customers');
    await status('planned, not run').waitFor();
    await row('customers').waitFor();
    // SQLite tells no costs, and nothing was measured.
    const heads = await plan('[role=columnheader]').allTextContents();
    expect(heads).toContain('Table');
    for (const absent of ['Cost', 'Own share', 'Rows found']) expect(heads).not.toContain(absent);
    expect(await plan('.flag h2').allTextContents()).toContain('Reads a whole table: visits');
    const create = 'CREATE INDEX "visits_page_idx" ON "visits" ("page");';
    expect(await plan('.index code').textContent()).toBe(create);
    await button('Copy CREATE INDEX').click();
    await until('the statement is copied', async () => (await clipboard()) === create);
  });

  test('goes through the tree with the keyboard alone', async () => {
    const current = () => plan('[role=row][tabindex="0"]');
    await current().focus();
    await current().press('End');
    const last = await plan('[role=row][aria-level]').last().getAttribute('data-id');
    expect(await current().getAttribute('data-id')).toBe(last);
    await current().press('Home');
    expect(await current().getAttribute('data-id')).toBe('0');
    await current().press('ArrowDown');
    expect(await current().getAttribute('data-id')).toBe('1');
  });

  test('looks well in every theme, and has nothing for axe', async () => {
    await plan('summary').click();
    expect(await problemsInThemes(window, 'plan', plan('body'))).toEqual([]);
    expect(await plan('[aria-label="The plan as the database writes it"]').textContent()).toContain('SCAN');
  });

  test('runs and measures a read when asked to', async () => {
    await button('Run and measure').click();
    await status(/run and measured: 40 rows in/).waitFor();
  });

  test('opens the statement of an index in an editor, on the same database', async () => {
    await button('Open in an editor').click();
    const shown = () => window.run((vscode) => vscode.window.activeTextEditor?.document.getText() ?? '');
    await until('the statement is in an editor', async () => (await shown()).startsWith('CREATE INDEX'));
    await window.command('workbench.action.revertAndCloseActiveEditor');
  });

  test('plans a write without running it, and offers no measuring', async () => {
    await explain('UPDATE visits');
    await row('visits').waitFor();
    await status('planned, not run').waitFor();
    await button('Run and measure').waitFor({ state: 'hidden' });
    const database = openShop(root);
    expect(database.prepare('SELECT page FROM visits WHERE id = 1').get()).toEqual({ page: 'page 1' });
    database.close();
  });

  test('measuring a statement without end is cancelled, and the plan stays', async () => {
    await explain('WITH RECURSIVE');
    await status('planned, not run').waitFor();
    await button('Run and measure').click();
    await status('Running and measuring').waitFor();
    await button('Cancel').click();
    await status('Cancelled. This is the plan from before.').waitFor();
    expect(await plan('[role=row][aria-level]').count()).toBeGreaterThan(1);
  });

  test('a mistake is shown in the words of the database', async () => {
    await explain('SELECT nosuch');
    await status('nosuch').waitFor();
    await window.screenshot('plan-failed');
  });

  describe('History', () => {
    const ran = (text: string) => window.page.locator('.pane-body [role="treeitem"]').filter({ hasText: text }).first();
    const shown = () => window.run((vscode) => vscode.window.activeTextEditor?.document.getText() ?? '');

    beforeAll(async () => {
      await window.command('workbench.action.closeAllEditors');
      await window.command('devdb.history.focus');
      await window.page.locator('.pane-body').filter({ hasText: 'Statements that you run' }).first().waitFor();
    });

    test('lists what was run, with where, how many rows and when, and opens it with the keyboard', async () => {
      await window.command('devdb.query.openData', { root, query: 'SELECT page FROM visits WHERE id < 4' });
      await ran('SELECT page FROM visits').filter({ hasText: 'shop.db · 3 rows' }).waitFor();
      await window.command('devdb.query.openData', { root, query: 'SELECT nosuch FROM visits' });
      await ran('SELECT nosuch').filter({ hasText: 'failed' }).waitFor();
      await window.screenshots('history');
      await window.command('devdb.history.focus');
      await window.page.keyboard.press('End');
      await window.page.keyboard.press('Enter');
      await until('it is open', async () => (await shown()) === 'SELECT page FROM visits WHERE id < 4;\n');
    });

    test('is searched by any word, and emptied after a yes', async () => {
      const searching = window.command('devdb.history.search');
      expect((await window.quickPick()).join()).toContain('SELECT nosuch FROM visits');
      await window.pick('SELECT nosuch FROM visits');
      await searching;
      await until('it is open', async () => (await shown()) === 'SELECT nosuch FROM visits;\n');
      await window.command('devdb.history.focus');
      const deleting = window.command('devdb.history.deleteAll');
      await window.press('Delete');
      await deleting;
      await ran('SELECT').waitFor({ state: 'detached' });
    });
  });

  test('a result is a chart with one click, with its numbers in a table', async () => {
    await window.command('devdb.query.openData', {
      root,
      query: 'SELECT page, count(*) AS views FROM visits GROUP BY page',
    });
    const results = (selector: string) =>
      window.page.frameLocator('iframe.webview >> nth=-1').frameLocator('iframe#active-frame').locator(selector);
    await results('button').filter({ hasText: 'Chart' }).click();
    const picture = results('svg[role=img]');
    await picture.waitFor();
    expect(await picture.getAttribute('aria-label')).toBe('Bars of views by page: 50 values, in the table below');
    expect(await results('svg rect').count()).toBe(50);
    await results('summary').click();
    expect(await problemsInThemes(window, 'chart-bars', results('body'))).toEqual([]);
    await results('[aria-label="Kind of chart"]').press('p');
    await results('svg path').first().waitFor();
    await window.screenshot('chart-pie');
    await results('button').filter({ hasText: 'Chart' }).click();
    await results('[role=gridcell]').filter({ hasText: 'page 0' }).first().waitFor();
  });

  test('days are an axis of time, and a chart is saved as SVG and PNG', async () => {
    const query =
      "SELECT column1 AS day, column2 AS total FROM (VALUES ('2026-01-31', 2), ('2026-01-01', 3), ('2026-01-02', 5))";
    await window.command('devdb.query.openData', { root, query });
    const results = (selector: string) =>
      window.page.frameLocator('iframe.webview >> nth=-1').frameLocator('iframe#active-frame').locator(selector);
    await results('[role=gridcell]').filter({ hasText: '2026-01-31' }).waitFor();
    await results('button').filter({ hasText: 'Chart' }).click();
    const picture = results('svg[role=img]');
    await picture.waitFor();
    expect(await picture.getAttribute('aria-label')).toBe('Line of total by day: 3 values, in the table below');
    const xs = await Promise.all([0, 1, 2].map((at) => results('svg circle').nth(at).getAttribute('cx')));
    const [first = 0, second = 0, last = 0] = xs.map(Number);
    expect((last - first) / (second - first)).toBeCloseTo(30);
    await window.screenshots('chart-time');
    for (const form of ['svg', 'png']) {
      await results('button')
        .filter({ hasText: `Save ${form.toUpperCase()}` })
        .click();
      const bytes = readFileSync(await savedAs(form));
      if (form === 'svg') expect(bytes.toString()).toMatch(/^<svg .*fill="rgb.*<\/svg>\n$/s);
      else expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    }
  });
});
