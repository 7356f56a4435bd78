import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openShop } from '../../fixtures/labs/sample-project.ts';
import { problemsInThemes } from './helpers/accessibility.ts';
import type { DevdbHome } from './helpers/devdb-home.ts';
import { describeEditor, type Editor, type Window } from './helpers/editor-lab.ts';
import { tabKept } from './helpers/kept-tabs.ts';
import { type WindowMemory, windowMemory } from './helpers/memory.ts';
import { startOnSample } from './helpers/sample-window.ts';
import { until } from './helpers/until.ts';

const MILLION = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)
SELECT i AS id, CASE WHEN i % 3 = 0 THEN NULL WHEN i % 3 = 1 THEN '' ELSE 'row ' || i END AS label,
  '{"id":' || (9007199254740992 + i) || ',"tags":[]}' AS facts, x'00ff41' AS photo
FROM n`;

/** Ten dots by ten. */
const PNG =
  '89504e470d0a1a0a0000000d494844520000000a0000000a08060000008d32cfbd000000154944415478da6364f8cf50cf40' +
  '04601c55485f850012400ef796907ea80000000049454e44ae426082';

const SQL = `${MILLION};

SELECT name, city FROM customers ORDER BY id;

SELECT nosuch FROM customers;

WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;

UPDATE customers SET city = 'Nice' WHERE id = 1;

SELECT id, customer_id, quantity, ordered_at FROM orders WHERE id <= 4 ORDER BY id;

SELECT 'dot.png' AS name, x'${PNG}' AS picture
`;

/** For SQLite a bracket quotes, and its statement is not known anywhere else. */
const LAYOUT = "select [a;b]  ,'x  y' from t -- why\nwhere a=1;\nselect 2;\n";
const LAID = "select\n    [a;b],\n    'x  y'\nfrom\n    t -- why\nwhere\n    a = 1;\nselect\n    2;\n";

const PROGRAM = 'const year = 2026;\nexport const late = `SELECT o.id FROM orders o WHERE o.ordered_at > §{year}`;\n';

describeEditor('a .sql file', () => {
  let editor: Editor;
  let window: Window;
  let root: string;
  let devdb: DevdbHome;

  beforeAll(async () => {
    ({ editor, window, root, devdb } = await startOnSample({}, (folder) => {
      writeFileSync(join(folder, 'app.sql'), SQL);
      writeFileSync(join(folder, 'layout.sql'), LAYOUT);
      writeFileSync(join(folder, 'late.ts'), PROGRAM.replace('§', '$'));
    }));
    await window.run(
      async (vscode, file) => {
        const document = await vscode.workspace.openTextDocument(file);
        await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
      },
      join(root, 'app.sql'),
    );
  });

  afterAll(() => editor?.stop());

  /** The results are the first page of the window, a question is the next. */
  const webview = (at: number) =>
    window.page.frameLocator(`iframe.webview >> nth=${at}`).frameLocator('iframe#active-frame');
  const page = () => webview(0);
  const grid = () => page().locator('[role=grid]');
  const status = () => page().locator('[role=status]');
  const rows = () => page().locator('[role=gridcell][data-column="0"]');
  const cell = (row: number, column: number) => page().locator(`#cell-${row}-${column}`);
  const menu = (name: string) => page().locator('button[aria-haspopup=menu]').filter({ hasText: name });

  /** Chooses what a menu above the rows offers. */
  async function choose(name: string, entry: string): Promise<void> {
    await menu(name).click();
    await page().locator('[role=menuitem]').filter({ hasText: entry }).click();
    await page().locator('[role=menu]').waitFor({ state: 'detached' });
  }

  /** Puts the cursor where this stands in the file, and presses the keys that run a statement. */
  async function run(at: string): Promise<void> {
    await window.run(
      async (vscode, file, offset) => {
        const document = await vscode.workspace.openTextDocument(file);
        const position = document.positionAt(offset);
        await vscode.window.showTextDocument(document, {
          viewColumn: vscode.ViewColumn.One,
          selection: new vscode.Range(position, position),
        });
      },
      join(root, 'app.sql'),
      SQL.indexOf(at),
    );
    await window.page.locator('.monaco-editor.focused').first().waitFor();
    await window.page.keyboard.press('Control+Enter');
  }

  function spool(): string[] {
    const folder = join(editor.home, '.devdb', 'spool');
    return existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : [];
  }

  async function closeResults(): Promise<void> {
    await window.run(async (vscode) => {
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      await vscode.window.tabGroups.close(tabs.filter((tab) => tab.label.startsWith('Results:')));
    });
  }

  async function clipboard(): Promise<string> {
    return window.run((vscode) => vscode.env.clipboard.readText());
  }

  /** Shows a file of the project with the cursor where this stands in it, and the keys in it. */
  async function open(file: string, at: string): Promise<void> {
    await window.run(
      async (vscode, path, words) => {
        const document = await vscode.workspace.openTextDocument(path);
        const position = document.positionAt(document.getText().indexOf(words));
        const selection = new vscode.Range(position, position);
        await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, selection });
      },
      join(root, file),
      at,
    );
    await window.page.locator('.monaco-editor.focused').first().waitFor();
  }

  const shown = () =>
    window.run((vscode) => {
      const document = vscode.window.activeTextEditor?.document;
      return { scheme: document?.uri.scheme, text: document?.getText() ?? '' };
    });

  test('is formatted in the dialect of its database, and one step takes it back', async () => {
    await open('layout.sql', 'select');
    await window.command('editor.action.formatDocument');
    await until('the file is formatted', async () => (await shown()).text === LAID);
    await window.page.keyboard.press('Control+z');
    await until('the file is as it was', async () => (await shown()).text === LAYOUT);
    await window.page.keyboard.type("'");
    await until('a quote is open', async () => (await shown()).text !== LAYOUT);
    const { text } = await shown();
    await window.command('editor.action.formatDocument');
    await window.notification(/Nothing was formatted: there is a string that is never closed in line \d/);
    expect((await shown()).text).toBe(text);
    await window.command('notifications.clearAll');
    await window.command('workbench.action.revertAndCloseActiveEditor');
  });

  test('F12 on a table in the string of a program shows what makes it, before anything has run', async () => {
    await open('late.ts', 'orders o');
    await window.page.keyboard.press('F12');
    await until('the definition is shown', async () => (await shown()).scheme === 'devdb-table');
    expect((await shown()).text).toMatch(/^CREATE TABLE orders \(/);
    await window.command('workbench.action.closeActiveEditor');
  });

  test('the hover of a table in a program has its columns, and leads to its rows', async () => {
    await open('late.ts', 'orders o');
    await window.command('editor.action.showHover');
    const hover = window.page.locator('.monaco-hover').filter({ hasText: 'customer_id INTEGER NOT NULL' });
    await hover.first().waitFor();
    await window.screenshots('table-hover');
    await window.command('editor.action.showHover');
    await hover.first().locator('a').filter({ hasText: 'Open data' }).click();
    await status().filter({ hasText: '6 rows' }).waitFor();
    await window.run(async (vscode) => {
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      await vscode.window.tabGroups.close(tabs.filter((tab) => tab.label.startsWith('Results:')));
    });
    await window.page.locator('.monaco-editor').first().click();
    await window.command('workbench.action.revertAndCloseActiveEditor');
  });

  test('runs the statement at the cursor with the keyboard, and shows a million rows to the last', async () => {
    await run('SELECT i AS id');
    await status().filter({ hasText: '1,000,000 rows' }).waitFor();
    await cell(0, 0).filter({ hasText: /^1$/ }).waitFor();
    expect(await cell(1, 1).textContent()).toBe('row 2');
    expect(await cell(2, 1).textContent()).toBe('NULL');
    expect(await cell(0, 1).textContent()).toBe('');
    expect(await grid().getAttribute('aria-rowcount')).toBe('1000001');
    await grid().focus();
    await grid().press('Control+End');
    await cell(999_999, 0)
      .filter({ hasText: /^1000000$/ })
      .waitFor();
    expect(await grid().getAttribute('aria-activedescendant')).toBe('cell-999999-3');
    await page().locator('[aria-label="Row number"]').fill('500000');
    await page().locator('[aria-label="Row number"]').press('Enter');
    await cell(499_999, 0)
      .filter({ hasText: /^500000$/ })
      .waitFor();
    // Only what is on show is in the page.
    expect(await rows().count()).toBeLessThan(100);
    await grid().press('F2');
    await status().filter({ hasText: 'Only the rows of one table can be edited.' }).waitFor();
  });

  test('is scrolled through a million rows with flat memory in every process', async () => {
    const sidecar = await devdb.sidecarPid(root);
    const scroll = async (places: number) => {
      for (let place = 1; place <= places; place += 1) {
        const row = (place * 618_033) % 1_000_000;
        await page()
          .locator('[aria-label="Row number"]')
          .fill(String(row + 1));
        await page().locator('[aria-label="Row number"]').press('Enter');
        await cell(row, 0)
          .filter({ hasText: new RegExp(`^${row + 1}$`) })
          .waitFor();
      }
    };
    const told = (when: string, { sidecar: rows, extensionHost, pages }: WindowMemory) =>
      process.stdout.write(`${when}: sidecar ${rows} MB, extension host ${extensionHost} MB, pages ${pages} MB\n`);
    // What a first look loads is not what scrolling costs.
    await scroll(20);
    // What the pages hold; the browser's tiles of what was drawn come and go with its own will.
    const heap = async () => Number(await grid().evaluate('performance.memory.usedJSHeapSize')) / 2 ** 20;
    const heapBefore = await heap();
    const before = windowMemory(sidecar, window.pid);
    told('a million rows on show', before);
    await scroll(150);
    const after = windowMemory(sidecar, window.pid);
    told('after 150 places of them', after);
    expect(after.sidecar - before.sidecar).toBeLessThan(40);
    expect(after.extensionHost - before.extensionHost).toBeLessThan(60);
    expect((await heap()) - heapBefore).toBeLessThan(60);
  });

  test('is sorted and filtered in the sidecar', async () => {
    await page().locator('[role=columnheader] button').filter({ hasText: 'id' }).first().click();
    await page().locator('[role=columnheader][aria-sort=ascending]').waitFor();
    await page().locator('[role=columnheader] button').filter({ hasText: 'id' }).first().click();
    await page().locator('[role=columnheader][aria-sort=descending]').waitFor();
    await cell(0, 0)
      .filter({ hasText: /^1000000$/ })
      .waitFor();
    await page().locator('[aria-label="Filter value"]').fill('row 77777');
    await page().locator('[aria-label="Filter value"]').press('Enter');
    await status()
      .filter({ hasText: /^\d+ of 1,000,000 rows/ })
      .waitFor();
    await cell(0, 1).filter({ hasText: 'row 777779' }).waitFor();
    await page().locator('button').filter({ hasText: 'Clear' }).click();
    await status()
      .filter({ hasText: /^1,000,000 rows/ })
      .waitFor();
  });

  test('shows one cell whole: JSON with every digit, binary as bytes', async () => {
    await grid().focus();
    await grid().press('Control+Home');
    await cell(0, 2).click();
    await grid().press('Enter');
    const value = page().locator('aside pre');
    await value.filter({ hasText: '"id": 9007199255740992' }).waitFor();
    await value.press('Escape');
    await grid().press('ArrowRight');
    await grid().press('Enter');
    await value.filter({ hasText: '00 ff 41' }).waitFor();
    expect(await value.textContent()).toContain('..A');
    await value.press('Escape');
    await value.waitFor({ state: 'hidden' });
  });

  test('copies what is selected', async () => {
    await grid().focus();
    await grid().press('Control+Home');
    await grid().press('Shift+ArrowDown');
    await grid().press('Shift+ArrowRight');
    await grid().press('Control+c');
    await status().filter({ hasText: '2 rows copied' }).waitFor();
    expect(await clipboard()).toBe('id\tlabel\n1000000\t""\n999999\t');
    await choose('Copy', 'Copy as INSERT');
    await until('INSERT is copied', async () => (await clipboard()).startsWith('INSERT INTO'));
    expect(await clipboard()).toContain('VALUES (999999, NULL);');
  });

  test('offers at a cell what can be done with it, by mouse and by keyboard', async () => {
    const items = page().locator('[role=menuitem]');
    await cell(1, 1).click({ button: 'right' });
    await items.filter({ hasText: 'Hide label' }).waitFor();
    expect(await grid().getAttribute('aria-activedescendant')).toBe('cell-1-1');
    expect(await problemsInThemes(window, 'results-menu', page().locator('body'))).toEqual([]);
    await page().locator('[role=menuitem]:focus').press('Escape');
    await items.first().waitFor({ state: 'detached' });
    await page().locator('[role=grid]:focus').press('Shift+F10');
    await page().locator('[role=menuitem]:focus').press('End');
    await page().locator('[role=menuitem]:focus').filter({ hasText: 'Fit label' }).press('ArrowDown');
    await page().locator('[role=menuitem]:focus').filter({ hasText: 'View cell' }).press('Enter');
    await page().locator('aside h2').filter({ hasText: 'label, row 2' }).waitFor();
    await page().locator('aside pre').press('Escape');
  });

  test('columns are widened and narrowed with the keyboard', async () => {
    const width = async () => (await page().locator('#head-1').boundingBox())?.width ?? 0;
    const before = await width();
    await grid().press('Alt+ArrowRight');
    await until('the column is wider', async () => (await width()) > before);
    await grid().press('Alt+ArrowLeft');
    await until('the column is as it was', async () => (await width()) === before);
  });

  test('looks well in every theme, and has nothing serious for axe', async () => {
    await grid().focus();
    await grid().press('Control+Home');
    await cell(0, 2).click();
    await grid().press('Enter');
    await page().locator('aside pre').waitFor();
    expect(await problemsInThemes(window, 'results', page().locator('body'))).toEqual([]);
    await page().locator('aside pre').press('Escape');
  });

  test('exports the rows of a statement to a file of the project, which no agent did', async () => {
    await run('SELECT name, city');
    await status().filter({ hasText: '4 rows' }).waitFor();
    await page().locator('button').filter({ hasText: 'Export...' }).click();
    await window.answerInput('exports/customers.csv');
    await window.notification(/Exported 4 rows to exports\/customers\.csv/);
    const written = readFileSync(join(root, 'exports', 'customers.csv'), 'utf8')
      .trim()
      .split(/\r?\n/);
    expect([written.length, written[0]]).toEqual([5, 'name,city']);
    await window.command('notifications.clearAll');
  });

  test('exports rows as they are sorted and filtered, and says so', async () => {
    const name = page().locator('[role=columnheader] button').filter({ hasText: 'name' });
    await name.click();
    await status().filter({ hasText: 'these rows sorted by name, ascending' }).waitFor();
    await name.click();
    await status().filter({ hasText: 'these rows sorted by name, descending' }).waitFor();
    await page().locator('[aria-label="Filter value"]').fill('i');
    await page().locator('[aria-label="Filter value"]').press('Enter');
    await status().filter({ hasText: '2 of 4 rows' }).waitFor();
    await page().locator('button').filter({ hasText: 'Export...' }).click();
    await window.page
      .locator('.quick-input-widget')
      .filter({ hasText: 'Writes the 2 rows on show, filtered and sorted by name, descending; the statement does not' })
      .waitFor();
    await window.answerInput('exports/sorted.jsonl');
    await window.notification(/Exported 2 rows, filtered and sorted by name, descending, to exports\/sorted\.jsonl/);
    const lines = readFileSync(join(root, 'exports', 'sorted.jsonl'), 'utf8')
      .trim()
      .split('\n');
    expect(lines.map((line) => JSON.parse(line).name)).toEqual(['Dilnoza Rahimova', 'Chiara Conti']);
    await window.command('notifications.clearAll');
  });

  test('draws the image that a cell has, beside its bytes', async () => {
    await run("SELECT 'dot.png'");
    await cell(0, 0)
      .filter({ hasText: /^dot\.png$/ })
      .waitFor();
    await cell(0, 1).click();
    await grid().press('Shift+Enter');
    const picture = page().locator('aside figure');
    await picture.locator('figcaption').filter({ hasText: 'image/png, 10 × 10' }).waitFor();
    expect(await picture.locator('img').getAttribute('alt')).toBe('Image of picture, row 1');
    await page().locator('aside pre').filter({ hasText: '89 50 4e 47' }).waitFor();
    expect(await problemsInThemes(window, 'results-image', page().locator('body'))).toEqual([]);
    await page().locator('aside pre').press('Escape');
  });

  test('completes tables and columns of a database that was used, and explains them', async () => {
    const labels = await window.run(
      async (vscode, file, offset) => {
        const uri = vscode.Uri.file(file);
        const document = await vscode.workspace.openTextDocument(uri);
        const at = document.positionAt(offset);
        const { items } = await vscode.commands.executeCommand<{ items: { label: unknown }[] }>(
          'vscode.executeCompletionItemProvider',
          uri,
          at,
        );
        return items.map(({ label }) => label);
      },
      join(root, 'app.sql'),
      SQL.indexOf('name, city'),
    );
    expect(labels).toEqual(expect.arrayContaining(['customers', 'orders', 'name', 'city']));
  });

  test('a mistake stands at its statement in the file, and its sentence below the result', async () => {
    await run('SELECT nosuch');
    await status().filter({ hasText: 'no such column: nosuch' }).waitFor();
    const problems = await window.run(
      async (vscode, file) =>
        vscode.languages
          .getDiagnostics(vscode.Uri.file(file))
          .map(({ message, range, source }) => ({ message, source, line: range.start.line })),
      join(root, 'app.sql'),
    );
    const line = SQL.slice(0, SQL.indexOf('SELECT nosuch')).split('\n').length - 1;
    expect(problems).toEqual([{ message: expect.stringContaining('nosuch'), source: 'DevDB', line }]);
  });

  test('a write is asked about as it is for an agent', async () => {
    await run('UPDATE customers');
    const yes = webview(1).locator('button[data-answer="once"]:enabled');
    await yes.click();
    await yes.waitFor({ state: 'detached' });
    const database = openShop(root);
    await until(
      'the row is changed',
      () => database.prepare('SELECT city FROM customers WHERE id = 1').get()?.['city'] === 'Nice',
    );
    database.close();
  });

  test('several statements run one after the other, each with its result, up to the one that fails', async () => {
    await window.run(
      async (vscode, file, from, to) => {
        const document = await vscode.workspace.openTextDocument(file);
        const selection = new vscode.Range(document.positionAt(from), document.positionAt(to));
        await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, selection });
      },
      join(root, 'app.sql'),
      SQL.indexOf('SELECT name, city'),
      SQL.indexOf('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT'),
    );
    await window.command('devdb.runStatement');
    const tabs = page().locator('[role=tab]');
    await tabs.filter({ hasText: '✗' }).waitFor();
    expect(await tabs.allTextContents()).toEqual([
      '1: SELECT name, city FROM customers ORDER B',
      '2: SELECT nosuch FROM customers ✗',
    ]);
    await tabs.first().click();
    await cell(0, 0).filter({ hasText: 'Ada Moreau' }).waitFor();
    await window.screenshots('results-tabs');
  });

  describe('rows of a table', () => {
    const changes = () => page().locator('aside[aria-label=Changes]');
    const mark = (row: number) => page().locator(`[role=row][aria-rowindex="${row + 2}"] .mark`);
    const waiting = (text: string) => status().filter({ hasText: text }).waitFor();
    const order = (id: number) => {
      const database = openShop(root);
      const found = database.prepare('SELECT quantity, ordered_at FROM orders WHERE id = ?').get(id);
      database.close();
      return found && { ...found };
    };
    const yes = () => webview(1).locator('button[data-answer="once"]:enabled');

    test('are edited with the keyboard, and every step is undone', async () => {
      await run('SELECT id, customer_id');
      await menu('Edit').waitFor();
      await cell(0, 2).filter({ hasText: /\d/ }).waitFor();
      await grid().focus();
      await grid().press('Control+Home');
      await grid().press('End');
      await grid().press('ArrowLeft');
      await grid().press('F2');
      const field = page().locator('textarea');
      await field.fill('77');
      await field.press('Tab');
      await cell(0, 2).filter({ hasText: /^77$/ }).waitFor();
      expect(await grid().getAttribute('aria-activedescendant')).toBe('cell-0-3');
      await grid().press('Enter');
      await field.fill('never kept');
      await field.press('Escape');
      await grid().press('ArrowDown');
      await grid().press('Control+Delete');
      await mark(1).waitFor();
      expect(await mark(1).getAttribute('aria-label')).toBe('to be deleted');
      await grid().press('Alt+Insert');
      await mark(4).waitFor();
      await waiting('3 changes not applied');
      await grid().press('Control+z');
      await waiting('2 changes not applied');
      await grid().press('Control+z');
      await waiting('1 change not applied');
      expect(await cell(0, 2).textContent()).toBe('77');
    });

    test('are shown with their changes in every theme, with nothing wrong for axe', async () => {
      await grid().press('ArrowUp');
      await grid().press('ArrowUp');
      await grid().press('Control+Delete');
      await waiting('2 changes not applied');
      await page().locator('button').filter({ hasText: 'Changes...' }).click();
      await changes().locator('code').first().waitFor();
      expect(await changes().locator('code').allTextContents()).toEqual([
        expect.stringMatching(/^DELETE FROM main\."orders" WHERE /),
        'UPDATE main."orders" SET "quantity" = 77 WHERE "id" = 1 AND "quantity" IS ' + String(order(1)?.['quantity']),
      ]);
      expect(await problemsInThemes(window, 'results-edit', page().locator('body'))).toEqual([]);
      await changes().locator('button').filter({ hasText: 'Take back' }).first().click();
      await changes().locator('h2').filter({ hasText: '1 change' }).waitFor();
    });

    test('keep their changes when their tab is closed and opened again', async () => {
      await closeResults();
      const told = await window.notification(/was closed with 1 change that was not applied/);
      await told.locator('.monaco-button').filter({ hasText: 'Reopen with the changes' }).click();
      await cell(0, 2).filter({ hasText: /^77$/ }).waitFor();
      await waiting('1 change not applied');
      await page().locator('button').filter({ hasText: 'Changes...' }).click();
      await changes().locator('h2').filter({ hasText: '1 change' }).waitFor();
    });

    test('keep their changes when somebody else was first, and say what the row is now', async () => {
      const database = openShop(root);
      database.exec('UPDATE orders SET quantity = 41 WHERE id = 1');
      database.close();
      await changes().locator('button').filter({ hasText: 'Apply' }).click();
      await yes().click();
      await changes().locator('.conflict').filter({ hasText: 'quantity is now 41' }).waitFor();
      await page().locator('[role=row][aria-rowindex="2"] .mark[aria-label="in conflict"]').waitFor();
      expect(await cell(0, 2).textContent()).toBe('77');
      expect(order(1)?.['quantity']).toBe(41);
    });

    test('are fresh after the changes were applied', async () => {
      await changes().locator('button').filter({ hasText: 'Take back' }).click();
      await grid().focus();
      await grid().press('Control+Home');
      await grid().press('End');
      await grid().press('Enter');
      await page().locator('textarea').fill('2030-01-01');
      await page().locator('textarea').press('Enter');
      await waiting('1 change not applied');
      await page().locator('button').filter({ hasText: 'Changes...' }).click();
      await changes().locator('button').filter({ hasText: 'Apply' }).click();
      await yes().click();
      await waiting('1 change applied');
      await cell(0, 3)
        .filter({ hasText: /^2030-01-01$/ })
        .waitFor();
      await cell(0, 2).filter({ hasText: /^41$/ }).waitFor();
      expect(order(1)).toEqual({ quantity: 41, ordered_at: '2030-01-01' });
    });

    test('lead to the row that a foreign key refers to', async () => {
      await menu('Edit').waitFor();
      await grid().focus();
      await grid().press('Control+Home');
      await grid().press('ArrowRight');
      const customer = await cell(0, 1).textContent();
      await grid().press('Control+Enter');
      await page()
        .locator('[role=tab][aria-selected=true]')
        .filter({ hasText: '2: SELECT * FROM main."customers"' })
        .waitFor();
      await status()
        .filter({ hasText: /^1 row/ })
        .waitFor();
      await cell(0, 0)
        .filter({ hasText: new RegExp(`^${customer}$`) })
        .waitFor();
    });

    test('bring all rows of their table that have the value of a cell', async () => {
      await page().locator('[role=tab]').first().click();
      await grid().focus();
      await grid().press('Control+Home');
      await grid().press('ArrowRight');
      const customer = await cell(0, 1).textContent();
      await choose('View', 'All rows of orders with this value');
      await page()
        .locator('[role=tab][aria-selected=true]')
        .filter({ hasText: '3: SELECT * FROM main."orders"' })
        .waitFor();
      await cell(0, 1)
        .filter({ hasText: new RegExp(`^${customer}$`) })
        .waitFor();
    });

    test('have columns that are pinned and hidden, and one row is shown from top to bottom', async () => {
      await page().locator('[role=tab]').first().click();
      await cell(0, 2).click();
      await choose('Columns', 'Pin quantity');
      await page().locator('[role=columnheader][aria-colindex="2"]').filter({ hasText: 'quantity' }).waitFor();
      await choose('Columns', 'Hide quantity');
      await page().locator('[role=columnheader]').filter({ hasText: 'quantity' }).waitFor({ state: 'detached' });
      expect(await grid().getAttribute('aria-colcount')).toBe('4');
      await choose('Columns', 'Show 1 hidden column');
      await page().locator('[role=columnheader][aria-colindex="2"]').filter({ hasText: 'quantity' }).waitFor();
      await choose('View', 'View row');
      const record = page().locator('aside[aria-label=Row]');
      expect(await record.locator('th').allTextContents()).toEqual(['id', 'customer_id', 'quantity', 'ordered_at']);
      await grid().focus();
      await grid().press('ArrowDown');
      await record.locator('h2').filter({ hasText: 'Row 2' }).waitFor();
      await window.screenshot('results-record');
      await record.locator('button').filter({ hasText: 'Close' }).click();
    });
  });

  test('a tab comes back after a reload of the window with its statement, which runs again', async () => {
    await closeResults();
    await run('SELECT name, city');
    await cell(0, 0).filter({ hasText: 'Ada Moreau' }).waitFor();
    const groups = () => window.run((vscode) => vscode.window.tabGroups.all.map(({ tabs }) => tabs.length));
    const before = await groups();
    expect(before.length).toBe(2);
    await tabKept(window, 'SELECT name, city FROM customers ORDER BY id');
    await window.reloadKeepingTabs();
    await devdb.serving(root);
    await page().locator('pre').filter({ hasText: 'SELECT name, city FROM customers ORDER BY id' }).waitFor();
    await page().locator('figcaption').filter({ hasText: 'shop.db' }).waitFor();
    expect(await problemsInThemes(window, 'results-left', page().locator('body'))).toEqual([]);
    await expect(groups()).resolves.toEqual(before);
    await page().locator('button').filter({ hasText: 'Run again' }).click();
    await cell(0, 0).filter({ hasText: 'Ada Moreau' }).waitFor();
    // The file goes on with the same tab.
    await run('SELECT nosuch');
    await status().filter({ hasText: 'no such column: nosuch' }).waitFor();
    await expect(groups()).resolves.toEqual(before);
  });

  test('says that the sidecar was killed, and runs the same again', async () => {
    await run('SELECT name, city');
    await cell(0, 0).filter({ hasText: 'Ada Moreau' }).waitFor();
    process.kill(await devdb.sidecarPid(root), 'SIGKILL');
    const gone = page().locator('[role=alert]');
    await gone.filter({ hasText: 'has ended' }).waitFor();
    await window.screenshot('results-gone');
    await gone.locator('button').click();
    await gone.filter({ hasText: 'has ended' }).waitFor({ state: 'detached' });
    await cell(0, 0).filter({ hasText: 'Ada Moreau' }).waitFor();
  });

  test('a statement without end is ended by closing the tab, which leaves no file', async () => {
    await run('SELECT i FROM n;');
    await status()
      .filter({ hasText: /^[1-9][\d,]* rows/ })
      .waitFor();
    expect(spool().length).toBeGreaterThan(0);
    await grid().press('F2');
    await status().filter({ hasText: 'can be edited once all of them have been read' }).waitFor();
    await closeResults();
    await until('the files are gone', () => spool().every((name) => !/[\\/]/.test(name)));
  });

  test('a plan comes back after a reload of the window with its statement, and is asked for again', async () => {
    await closeResults();
    await open('app.sql', 'SELECT name, city');
    await window.command('devdb.explainStatement');
    await page().locator('[role=treegrid]').waitFor();
    await tabKept(window, 'devdb.plan');
    await window.reloadKeepingTabs();
    await devdb.serving(root);
    await page().locator('[role=status]').filter({ hasText: 'the plan is gone' }).waitFor();
    await page().locator('pre').filter({ hasText: 'SELECT name, city FROM customers ORDER BY id' }).waitFor();
    await window.screenshot('plan-left');
    await page().locator('button').filter({ hasText: 'Explain again' }).click();
    await page().locator('[role=treegrid]').waitFor();
  });
});
