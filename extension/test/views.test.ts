import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { TOOLSETS } from '@devdb/shared/tools';
import * as z from 'zod';
import { openShop } from '../../fixtures/labs/sample-project.ts';
import { ALL_THEMES } from '../../fixtures/labs/vscode/window.ts';
import { problemsInThemes } from './helpers/accessibility.ts';
import type { DevdbHome, StdioClient } from './helpers/devdb-home.ts';
import { describeEditor, type Editor, type Window } from './helpers/editor-lab.ts';
import { movedDiagram } from './helpers/frame-times.ts';
import { tabKept } from './helpers/kept-tabs.ts';
import { animations, followSystem, glide } from './helpers/motion.ts';
import { answerQuestion } from './helpers/question.ts';
import { openSample, type SampleWindow, startOnSample } from './helpers/sample-window.ts';
import { until } from './helpers/until.ts';

const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n';
const JOIN = `SELECT customers.name, products.name AS product, quantity
FROM orders
JOIN customers ON customers.id = customer_id
JOIN products ON products.id = product_id
WHERE ordered_at > '2026-03-04'
ORDER BY customers.name`;
const WIDE = 10_000;

/** Tables that each refer to the one before, and some to an earlier one as well. */
function addTables(path: string, count: number): void {
  const database = new DatabaseSync(path);
  const tables = Array.from({ length: count }, (_, n) => {
    const keys = [...(n > 0 ? [n - 1] : []), ...(n % 5 === 0 || n % 5 === 2 ? [Math.floor(n / 3)] : [])];
    const columns = keys.map((to, at) => `, k${at} INTEGER REFERENCES t${to}(id)`).join('');
    return `CREATE TABLE t${n}(id INTEGER PRIMARY KEY, name TEXT, made_at TEXT${columns});`;
  });
  database.exec(`BEGIN; ${tables.join('')} COMMIT`);
  database.close();
}

describeEditor('the DevDB view', () => {
  let editor: Editor;
  let window: Window;
  let devdb: DevdbHome;
  let root: string;
  let agent: StdioClient;

  beforeAll(async () => {
    ({ editor, window, devdb, root } = await startOnSample({ settings: { 'Devdb.mcp.toolsets': TOOLSETS } }));
    agent = await devdb.stdioClient(['--toolsets', 'database,code,ide']);
  });

  afterAll(async () => {
    await agent?.close();
    await editor?.stop();
  });

  function call(tool: string, input: Record<string, unknown>) {
    return agent.call(tool, { projectRoot: root, ...input });
  }

  /** The page in the side bar: a page in a page of the editor's. A question that is open comes after it. */
  function page(selector: string) {
    const frame = window.page.locator('iframe.webview').first().contentFrame();
    return frame.frameLocator('iframe#active-frame').locator(selector);
  }

  function calls(text: string) {
    return page('.call').filter({ hasText: text });
  }

  /** What stands in the cells of the grid, whichever page has one. */
  async function gridCells(grid = ''): Promise<string[]> {
    const pages = window.page.locator('iframe.webview');
    for (let at = 0; at < (await pages.count()); at += 1) {
      const cells = pages.nth(at).contentFrame().frameLocator('iframe#active-frame').locator(`${grid} [role=gridcell]`);
      if ((await cells.count()) > 0) return cells.allTextContents();
    }
    return [];
  }

  /** The row that a screen reader reads like this at its beginning. */
  function row(spoken: string) {
    return window.page.locator(`.pane-body [role="treeitem"][aria-label^="${spoken}"]`).first();
  }

  async function open(text: string): Promise<void> {
    if ((await row(text).getAttribute('aria-expanded')) !== 'true') await row(text).click();
  }

  async function look(view: 'databases' | 'activity'): Promise<void> {
    await window.command(`devdb.${view}.focus`);
  }

  async function clipboard(): Promise<string> {
    return window.run((vscode) => vscode.env.clipboard.readText());
  }

  async function menu(text: string, entry: string): Promise<void> {
    await row(text).click({ button: 'right' });
    // With the keyboard: the editor ignores clicks for a moment after a menu has opened.
    await window.page.locator('.monaco-menu .action-label').filter({ hasText: entry }).first().hover();
    await window.page.keyboard.press('Enter');
  }

  describe('Activity', () => {
    beforeAll(async () => {
      await look('activity');
      await page('main').waitFor();
    });

    test('says what it is for while no agent has called', async () => {
      await page('text=No agent has called yet.').waitFor();
      expect(await problemsInThemes(window, 'activity-empty', page('main'))).toEqual([]);
    });

    test('shows each call as it ends: what it asked for, where, what came back', async () => {
      await expect(call('run-query', { query: JOIN })).resolves.toMatchObject({ isError: false });
      await call('get-schema', { table: 'orders' });
      await call('run-query', { query: 'SELECT nosuch FROM orders' });
      await call('code_symbols', { path: 'src/main.ts' });
      await calls('SELECT customers.name').locator('text=4 rows').waitFor();
      await calls('nosuch').filter({ hasText: 'Failed' }).waitFor();
      await calls('src/main.ts').waitFor();
      await expect(page('.call').count()).resolves.toBe(4);
    });

    test('opens a call with the keyboard and shows its statement, first rows and facts', async () => {
      await page('.head').first().focus();
      await page('.head[tabindex="0"]').press('End');
      await page('.head[tabindex="0"]').press('Enter');
      const details = calls('SELECT customers.name').locator('.details');
      await details.locator('td').filter({ hasText: 'Chiara Conti' }).waitFor();
      expect(await details.locator('pre').textContent()).toBe(JOIN);
      await details.locator('button').filter({ hasText: 'Copy statement' }).click();
      await until('the statement is copied', async () => (await clipboard()) === JOIN);
      expect(await problemsInThemes(window, 'activity-details', page('main'))).toEqual([]);
    });

    test('opens the statement in an editor with its database, to run it again', async () => {
      await calls('SELECT customers.name').locator('button').filter({ hasText: 'Re-run in the editor' }).click();
      const shown = () => window.run((vscode) => vscode.window.activeTextEditor?.document.getText() ?? '');
      await until('the statement is in an editor', async () => (await shown()) === `${JOIN};\n`);
      await window.command('workbench.action.revertAndCloseActiveEditor');
      await page('.head').last().click();
    });

    test('shows the plan of a statement that an agent ran', async () => {
      await page('.head').last().click();
      await calls('SELECT customers.name').locator('button').filter({ hasText: 'Show plan' }).click();
      await until('the plan is there', async () => (await gridCells('[role=treegrid]')).includes('customers'));
      await window.command('workbench.action.closeAllEditors');
      await page('.head').last().click();
    });

    test('stops a query that runs, and its agent reads that a person did', async () => {
      const running = call('run-query', { query: ENDLESS, timeoutMs: 600_000 });
      const shown = calls('WITH RECURSIVE');
      await shown.filter({ hasText: 'Running' }).waitFor();
      expect(await problemsInThemes(window, 'activity-running', page('main'))).toEqual([]);
      await followSystem(window, 'no-preference');
      await until('it is seen to run', async () => (await animations(page('main'))) > 0);
      await followSystem(window, 'reduce');
      await until('nothing moves', async () => (await animations(page('main'))) === 0);
      await followSystem(window, 'lab');
      await shown.locator('button.stop').click();
      const { isError, text } = await running;
      expect([isError, text]).toEqual([true, expect.stringContaining('A person stopped this call in the editor.')]);
      await shown.filter({ hasText: 'You stopped it' }).waitFor();
      await expect(page('button.stop').count()).resolves.toBe(0);
    });

    test('tells who allowed a change and who refused one', async () => {
      for (const [city, answer, told] of [
        ['Nice', 'once', 'You allowed it'],
        ['Rome', 'no', 'You said no'],
      ] as const) {
        const running = call('run-query', { query: `UPDATE customers SET city = '${city}' WHERE id = 1` });
        await answerQuestion(window, 'Run this UPDATE', answer);
        await running;
        await look('activity');
        await calls(city).filter({ hasText: told }).waitFor();
      }
      expect(await problemsInThemes(window, 'activity', page('main'))).toEqual([]);
    });

    test('asks about every call of a client that its details name, reads included, until they no longer do', async () => {
      await call('get-database-type', {});
      const details = calls('Get database type').first();
      await details.locator('.head').press('Enter');
      const choice = details.locator('button.always');
      await choice.filter({ hasText: 'Always ask for this client' }).press('Enter');
      await page('.asked').filter({ hasText: 'editor test' }).waitFor();
      await page('button.always:focus').filter({ hasText: 'Stop asking' }).waitFor();
      expect(await problemsInThemes(window, 'activity-asked', page('main'))).toEqual([]);
      for (const [answer, told, isError] of [
        ['no', 'You said no', true],
        ['once', 'You allowed it', false],
      ] as const) {
        const running = call('get-schema', { table: 'products' });
        await answerQuestion(window, 'Let the client that calls itself "editor test" run', answer);
        await expect(running).resolves.toMatchObject({ isError });
        await look('activity');
        await calls('products').filter({ hasText: told }).waitFor();
      }
      await page('.asked button').press('Enter');
      await page('.asked').waitFor({ state: 'hidden' });
      await expect(call('get-schema', { table: 'products' })).resolves.toMatchObject({ isError: false });
      await details.locator('.head').press('Enter');
    });

    test('finds calls by text and by what became of them', async () => {
      await page('input').fill('nosuch');
      await until('one call is on show', async () => (await page('.call').count()) === 1);
      await page('input').fill('');
      await page('select').focus();
      await page('select').press('End');
      await calls('Refused').first().waitFor();
      await expect(calls('Changed').count()).resolves.toBe(0);
      await page('select').press('Home');
      await calls('Changed').first().waitFor();
    });
  });

  describe('Databases', () => {
    beforeAll(async () => {
      await window.page.setViewportSize({ width: 1400, height: 1400 });
      await look('databases');
      await row('shop.db').waitFor();
    });

    test('shows tables and views with estimates, and below them columns with keys, foreign keys and indexes', async () => {
      await open('shop.db');
      await row('revenue, view').waitFor();
      await row('customers, table, about 4 rows').waitFor();
      await open('orders, table');
      await row('id, key column').waitFor();
      await row('customer_id, column INTEGER NOT NULL').waitFor();
      await open('Foreign keys');
      await window.page
        .locator('.pane-body [role="treeitem"]')
        .filter({ hasText: '→ customers(id)' })
        .first()
        .waitFor();
      await open('Indexes');
      await row('orders_by_customer').waitFor();
      await window.screenshots('databases');
    });

    test('shows the tables whose names have what is typed, while it is typed, until all are shown again', async () => {
      const tables = window.page.locator('.pane-body [role="treeitem"][aria-label*=", table"]');
      const asked = window.command('devdb.databases.filter');
      const input = window.page.locator('.quick-input-widget .quick-input-box input');
      await input.fill('ORD');
      await until('one table is left', async () => (await tables.count()) === 1);
      await row('orders, table').waitFor();
      await input.press('Escape');
      await asked;
      await row('products, table').waitFor();
      const again = window.command('devdb.databases.filter');
      await input.fill('er ust');
      await input.press('Enter');
      await again;
      await until('the other table is left', async () => (await tables.count()) === 1);
      await row('customers, table').waitFor();
      await window.page.locator('.tree-explorer-viewlet-tree-view .message').filter({ hasText: 'er ust' }).waitFor();
      await window.screenshots('databases-filter');
      await window.command('devdb.databases.showAll');
      await row('products, table').waitFor();
    });

    test('a new query of a database runs on it', async () => {
      await menu('shop.db', 'New query');
      const shown = () =>
        window.run((vscode) => {
          const document = vscode.window.activeTextEditor?.document;
          return [document?.languageId ?? '', document?.getText() ?? '-'];
        });
      await until('it is open', async () => (await shown()).join() === 'sql,');
      await window.page.locator('.monaco-editor.focused').first().waitFor();
      await window.page.keyboard.type('SELECT 1;');
      await window.page.locator('.codelens-decoration a').filter({ hasText: 'shop.db' }).first().waitFor();
      await window.command('workbench.action.revertAndCloseActiveEditor');
    });

    test('copies a name and a SELECT, and shows the DDL as a text that cannot be changed', async () => {
      await open('shop.db');
      await row('products, table').waitFor();
      await menu('products, table', 'Copy name');
      await until('the name is copied', async () => (await clipboard()) === 'products');
      await menu('products, table', 'Copy as SELECT');
      await until(
        'a SELECT is copied',
        async () => (await clipboard()) === 'SELECT id, name, price_cents FROM "products"',
      );
      await menu('products, table', 'Show DDL');
      const shown = () =>
        window.run((vscode) => {
          const document = vscode.window.activeTextEditor?.document;
          return [document?.languageId ?? '', document?.uri.scheme ?? '', document?.getText() ?? ''];
        });
      await until('the DDL is on show', async () => (await shown())[2]?.includes('CREATE TABLE products') === true);
      expect((await shown()).slice(0, 2)).toEqual(['sql', 'devdb-report']);
      await window.screenshot('databases-ddl');
      await window.command('workbench.action.closeActiveEditor');
    });

    test('a link of the editor opens a table after its question, and nothing without a yes', async () => {
      await open('shop.db');
      await row('products, table').waitFor();
      await menu('products, table', 'Copy link');
      await until('the link is copied', async () => (await clipboard()).includes('devdb.devdb/open?'));
      const overview = await devdb.callTool(root, 'get-overview', {});
      const { tableLink } = z.object({ data: z.object({ tableLink: z.string() }) }).parse(overview).data;
      for (const [answer, link] of [
        ['Cancel', await clipboard()],
        // As an agent writes it for its user.
        ['Open', `${tableLink}products`],
      ] as const) {
        // The editor's own way of a link, which ends when the link is opened.
        await window.run((vscode) => {
          void vscode.commands.executeCommand('workbench.action.url.openUrl');
        });
        await window.answerInput(link);
        await until('the editor asks whether DevDB may open it', async () =>
          /DevDB/.test((await window.dialog()).message),
        );
        await window.press('Open');
        await until(
          'DevDB asks',
          async () => (await window.dialog()).message === 'Open the data of the table products?',
        );
        await window.press(answer);
      }
      await until('the rows are on show', async () => (await gridCells()).includes('Teapot'));
      const tabs = await window.run((vscode) =>
        vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label)),
      );
      expect(tabs.filter((label) => label === 'Results: products')).toHaveLength(1);
      await window.command('workbench.action.closeAllEditors');
    });

    test('opens the first rows of a table in a grid, by a statement that can be changed', async () => {
      await open('shop.db');
      await row('products, table').waitFor();
      await menu('products, table', 'Open data');
      await until('the rows are on show', async () => (await gridCells()).includes('Teapot'));
      await window.screenshot('databases-open-data');
      const unsaved = () =>
        window.run((vscode) =>
          vscode.workspace.textDocuments.some((one) => one.isUntitled && one.getText().includes('products')),
        );
      // Nothing that the editor would ask about when the tab is closed.
      await expect(unsaved()).resolves.toBe(false);
      const results = window.page.frameLocator('iframe.webview[name] >> nth=-1').frameLocator('iframe#active-frame');
      await results.locator('#cell-0-2').click();
      await results.locator('button[aria-haspopup=menu]').filter({ hasText: 'Columns' }).click();
      await results.locator('[role=menuitem]').filter({ hasText: 'Sort the whole table by price_cents, desc' }).click();
      await results
        .locator('#cell-0-2')
        .filter({ hasText: /^2900$/ })
        .waitFor();
      await results.locator('button.open-statement').click();
      const written = () =>
        window.run((vscode) => vscode.window.visibleTextEditors.map(({ document }) => document.getText()).join());
      const statement = 'SELECT id, name, price_cents FROM "products" ORDER BY "price_cents" DESC LIMIT 10000;';
      await until('the statement is in an editor', async () => (await written()).includes(statement));
      await window.command('workbench.action.revertAndCloseActiveEditor');
      await window.command('workbench.action.closeAllEditors');
    });

    describe('as a diagram', () => {
      /** The page of the tab; the activity's is another one. */
      const diagram = (selector: string) =>
        window.page
          .locator('iframe.webview[name]')
          .last()
          .contentFrame()
          .frameLocator('iframe#active-frame')
          .locator(selector);
      const table = (name: string) => diagram(`g.table[aria-label^="${name}, "]`);
      const chosen = () => diagram('g.table[tabindex="0"]').getAttribute('aria-label');
      const statusSays = (text: string) => diagram('[role=status]').filter({ hasText: text }).waitFor();

      beforeAll(async () => {
        await open('shop.db');
        await menu('shop.db', 'Show diagram');
        await table('orders').waitFor();
      });

      test('shows tables with keys and types, and is read out table by table', async () => {
        await statusSays('4 tables, 2 keys');
        const spoken = await table('orders').getAttribute('aria-label');
        expect(spoken).toMatch(/^orders, table, \d+ columns: id INTEGER key, customer_id INTEGER, .*; references /);
        expect(spoken).toContain('customers by customer_id');
        expect(await problemsInThemes(window, 'diagram', diagram('main'))).toEqual([]);
      });

      test('goes from table to table with arrow keys, and to the neighbours of one with Enter', async () => {
        await table('customers').focus();
        const before = await chosen();
        await table('customers').press('ArrowRight');
        await until('another table is chosen', async () => (await chosen()) !== before);
        await table('customers').focus();
        await table('customers').press('Enter');
        await statusSays('2 tables, 1 key around customers');
        await diagram('g.table[tabindex="0"]').press('Escape');
        await statusSays('4 tables, 2 keys');
      });

      test('finds a table by its name or by a column', async () => {
        await diagram('input[type=search]').fill('price_cents');
        await statusSays('1 table found');
        await diagram('input[type=search]').press('Enter');
        await until('it is chosen', async () => (await chosen())?.startsWith('products, ') === true);
        await diagram('input[type=search]').fill('');
      });

      test('jumps instead of gliding for who wants less motion', async () => {
        await followSystem(window, 'reduce');
        for (const title of ['Zoom in', 'Zoom out', 'Zoom in', 'Show everything']) {
          const { moved, between } = await glide(diagram('main'), 'g.table', `button[title^="${title}"]`);
          expect(moved).toBeGreaterThan(10);
          expect(between).toBe(0);
        }
        await expect(animations(diagram('main'))).resolves.toBe(0);
        await followSystem(window, 'lab');
      });

      test('is copied as Mermaid, and made a picture of both kinds', async () => {
        await diagram('button').filter({ hasText: 'Copy Mermaid' }).click();
        await until('the text is copied', async () => (await clipboard()).startsWith('erDiagram\n'));
        await expect(clipboard()).resolves.toContain('customers ||--o{ orders : "customer_id"');
        // The editor asks where to save only when the picture is made.
        for (const form of ['SVG', 'PNG']) {
          await diagram('button')
            .filter({ hasText: `Save ${form}` })
            .click();
          const name = window.page.locator('.quick-input-widget .quick-input-box input');
          const suggested = `Diagram-shop.db.${form.toLowerCase()}`;
          await until('a name is suggested', async () => (await name.inputValue()).endsWith(suggested));
          await name.press('Escape');
          await name.waitFor({ state: 'hidden' });
        }
      });

      test('comes back after a reload of the window', async () => {
        await tabKept(window, 'devdb.diagram');
        await window.reloadKeepingTabs();
        await devdb.serving(root);
        await statusSays('4 tables, 2 keys');
      });

      test('opens the data of the chosen table', async () => {
        await table('customers').focus();
        await table('customers').press('o');
        await until('the rows are on show', async () => (await gridCells()).includes('Chiara Conti'));
        await window.command('workbench.action.revertAndCloseActiveEditor');
        await window.command('workbench.action.closeAllEditors');
      });
    });

    test('a look by a person is no call of an agent', async () => {
      await look('activity');
      await page('.call').first().waitFor();
      // The one that was asked for the beginning of a link.
      await expect(calls('Get schema overview').count()).resolves.toBe(1);
    });

    test('a database that needs an approval is asked about only on request, and then opened', async () => {
      const other = new DatabaseSync(join(root, '..', 'outside.db'));
      other.exec('CREATE TABLE IF NOT EXISTS far(a)');
      other.close();
      writeFileSync(
        join(root, '.devdbrc'),
        JSON.stringify([{ type: 'sqlite', name: 'outside', path: '../outside.db' }]),
      );
      await look('databases');
      await window.command('devdb.databases.refresh');
      await row('outside').filter({ hasText: 'needs your approval' }).waitFor();
      await open('outside');
      await row('Approve outside').waitFor();
      await window.screenshots('databases-approval');
      await row('Approve outside').click();
      await answerQuestion(window, 'Let agents connect to the database outside?', 'once');
      await look('databases');
      await open('outside');
      await row('far').waitFor();
      await menu('outside', 'Reveal where it was found');
      const file = () => window.run((vscode) => vscode.window.activeTextEditor?.document.uri.fsPath ?? '');
      await until('.devdbrc is open', async () => (await file()) === join(root, '.devdbrc'));
    });

    describe('where no database is found', () => {
      let empty: SampleWindow;

      beforeAll(async () => {
        empty = await openSample(editor, 'empty', (folder) => rmSync(join(folder, 'data', 'shop.db')));
      });
      afterAll(() => empty?.window.close());

      test('says what can be done', async () => {
        await empty.window.command('devdb.databases.focus');
        await empty.window.page
          .locator('.welcome-view-content')
          .filter({ hasText: 'No database was found' })
          .first()
          .waitFor();
        await empty.window.screenshots('databases-none');
      });

      test('a diagram of 300 tables is zoomed and panned as one picture, in which no table is drawn anew', async () => {
        addTables(join(empty.root, 'data', 'shop.db'), 300);
        await empty.window.command('devdb.databases.refresh');
        const database = empty.window.page.locator('.pane-body [role="treeitem"]').filter({ hasText: 'shop.db' });
        await database.first().waitFor();
        await empty.window.command('devdb.databases.showDiagram');
        const shown = empty.window.page
          .frameLocator('iframe.webview[name] >> nth=-1')
          .frameLocator('iframe#active-frame');
        await shown
          .locator('[role=status]')
          .filter({ hasText: /^300 tables, \d+ keys/ })
          .waitFor();
        const { times, changed } = await movedDiagram(shown.locator('.canvas'));
        const at = (share: number) => Math.round(times[Math.floor(share * times.length)] ?? 0);
        process.stdout.write(
          `diagram: 300 tables moved in ${times.length} frames, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms\n`,
        );
        expect(changed).toEqual([]);
      });
    });

    test(`opens a database of ${WIDE} tables`, async () => {
      const wide = await openSample(editor, 'wide', (folder) => {
        const database = openShop(folder);
        const tables = Array.from(
          { length: WIDE },
          (_, n) => `CREATE TABLE t${String(n).padStart(5, '0')}(id INTEGER PRIMARY KEY);`,
        );
        database.exec(`BEGIN; ${tables.join('')} COMMIT`);
        database.close();
      });
      await wide.window.command('devdb.databases.focus');
      const rows = wide.window.page.locator('.pane-body [role="treeitem"]');
      await rows.filter({ hasText: 'shop.db' }).first().click();
      const began = performance.now();
      await wide.window.page.keyboard.press('ArrowRight');
      await rows.filter({ hasText: 'customers' }).first().waitFor();
      process.stdout.write(`databases: ${WIDE} tables on show after ${Math.round(performance.now() - began)} ms\n`);
      const last = performance.now();
      await wide.window.page.keyboard.press('End');
      await rows
        .filter({ hasText: `t0${WIDE - 1}` })
        .first()
        .waitFor();
      process.stdout.write(`databases: the last of them after ${Math.round(performance.now() - last)} ms\n`);
      await wide.window.close();
    });
  });

  test('activity keeps what it showed while another view is on show, and over a reload of the window', async () => {
    await look('databases');
    await window.command('workbench.view.explorer');
    await call('get-tables', {});
    await look('activity');
    await calls('Get tables').waitFor();
    const before = await page('.call').count();
    await window.reload();
    await devdb.serving(root);
    await look('activity');
    await until('the calls are on show again', async () => (await page('.call').count()) === before);
    await calls("UPDATE customers SET city = '?'").first().waitFor();
  });

  test('every theme has a picture of each surface', () => {
    for (const surface of ['activity', 'activity-details', 'databases']) {
      for (const theme of ALL_THEMES) {
        const picture = readFileSync(join(__dirname, '..', '..', '.cache', 'screenshots', `${surface}-${theme}.png`));
        expect(picture.length).toBeGreaterThan(10_000);
      }
    }
  });
});
