import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeUnless } from '../../fixtures/labs/needs.ts';
import { makeSampleProject } from '../../fixtures/labs/sample-project.ts';
import { DevdbHome } from './helpers/devdb-home.ts';
import { describeEditor, type Editor, startEditor, type Window } from './helpers/editor-lab.ts';
import { answerQuestion } from './helpers/question.ts';
import { LAB_ENGINES, type RowsLab } from './helpers/rows-labs.ts';
import { until } from './helpers/until.ts';

const DIGITS = Array.from({ length: 10 }, (_, digit) => `SELECT ${digit} AS n`).join(' UNION ALL ');
/** A few more rows than "Open data" reads. */
const LAST = 10_050;
const NUMBER = 'a.n + 10 * b.n + 100 * c.n + 1000 * d.n + 10000 * e.n + 1';
const SCRIPT = [
  'CREATE TABLE makers (name VARCHAR(20) NOT NULL PRIMARY KEY)',
  `CREATE TABLE parts (
    id INTEGER NOT NULL PRIMARY KEY, maker VARCHAR(20) NOT NULL, name VARCHAR(40), stock INTEGER DEFAULT 7 NOT NULL,
    CONSTRAINT part_maker FOREIGN KEY (maker) REFERENCES makers (name))`,
  `INSERT INTO makers VALUES ('acme'), ('Özil')`,
  `INSERT INTO parts VALUES (1, 'acme', 'Anvil', 5), (2, 'Özil', NULL, 3), (3, 'acme', '', 9)`,
  'CREATE TABLE many (id INTEGER NOT NULL PRIMARY KEY)',
  `INSERT INTO many SELECT ${NUMBER} FROM (${DIGITS}) a CROSS JOIN (${DIGITS}) b CROSS JOIN (${DIGITS}) c
    CROSS JOIN (${DIGITS}) d CROSS JOIN (${DIGITS}) e WHERE ${NUMBER} <= ${LAST}`,
];
const PARTS = ['id', 'maker', 'name', 'stock'];

describeEditor('a table that a person opened', () => {
  const labs = new Map<string, RowsLab>();
  let editor: Editor;
  let window: Window;
  let root: string;

  beforeAll(async () => {
    editor = await startEditor();
    root = makeSampleProject(join(editor.projects, 'rows'));
    for (const { name, notRun, open } of LAB_ENGINES) {
      if (notRun !== undefined) continue;
      const lab = await open(root);
      labs.set(name, lab);
      for (const statement of SCRIPT) await lab.ask(statement);
    }
    const entries = [...labs].map(([name, { entry }]) => ({ name, ...entry }));
    writeFileSync(join(root, '.devdbrc'), JSON.stringify(entries));
    window = await editor.open(root);
    await new DevdbHome(editor.home).serving(root);
  }, 180_000);

  afterAll(async () => {
    await editor?.stop();
    for (const lab of labs.values()) await lab.remove();
  });

  const frame = () => window.page.frameLocator('iframe.webview[name] >> nth=-1').frameLocator('iframe#active-frame');
  const find = (selector: string) => frame().locator(selector);
  const cell = (row: number, column: number) => find(`#cell-${row}-${column}`);
  const grid = () => find('[role=grid]');
  const head = (name: string) => find('[role=columnheader]').filter({ hasText: name });
  const says = (text: string) => find('[role=status]').filter({ hasText: text }).waitFor();
  const holds = (row: number, column: number, text: string) =>
    cell(row, column)
      .filter({ hasText: new RegExp(`^${text}$`) })
      .waitFor();

  describe.each(LAB_ENGINES)('on $name', ({ name, kind, notRun }) => {
    describeUnless(notRun, `a table on ${name}`, () => {
      const ask = async (sql: string) => {
        const lab = labs.get(name);
        if (lab === undefined) throw new Error(`${name} was not started.`);
        return lab.ask(sql);
      };
      const partsNow = () => ask('SELECT id, maker, name, stock FROM parts ORDER BY id');
      const open = (table: string, columns: readonly string[]) =>
        window.command('devdb.query.openRows', { root, connection: `devdbrc:${name}`, table, columns, kind });

      afterAll(() => window.command('workbench.action.closeAllEditors'));

      test('is sorted as a whole by a click on a head, also where only its first rows were read', async () => {
        await open('many', ['id']);
        await says('10,000 rows');
        const order = async () => (await head('id').getAttribute('aria-sort')) ?? '';
        await head('id').locator('button').click();
        await says('the whole table sorted by id, ascending');
        await head('id').locator('button').click();
        await says('the whole table sorted by id, descending');
        await holds(0, 0, String(LAST));
        await expect(order()).resolves.toBe('descending');
        // With the keyboard on, from where the focus stayed.
        await find('[role=columnheader] button:focus').press('Enter');
        await until('the order is the own one of the database', async () => (await order()) === 'none');
        await window.command('workbench.action.closeActiveEditor');
      });

      test('is filtered as a whole, also where only its first rows were read, and takes the filter back', async () => {
        await open('many', ['id']);
        await says('10,000 rows');
        await find('[aria-label="Filter column"]').selectOption({ label: 'id' });
        await find('[aria-label="Comparison"]').selectOption('greater');
        await find('[aria-label="Filter value"]').fill(String(LAST - 3));
        await find('[aria-label="Filter value"]').press('Enter');
        await says('the whole table filtered');
        await says('3 rows');
        // All that pass are there, so that a head sorts these.
        await head('id').locator('button').click();
        await says('the whole table filtered, these rows sorted by id, ascending');
        await head('id').locator('button').click();
        await says('the whole table filtered, these rows sorted by id, descending');
        await holds(0, 0, String(LAST));
        await expect(find('[aria-label="Filter value"]').inputValue()).resolves.toBe(String(LAST - 3));
        await find('[aria-label="Filter"] button').filter({ hasText: 'Clear' }).click();
        await says('10,000 rows');
        // One column is compared at a time, and the rows stay when that is refused.
        await find('[aria-label="Filter column"]').selectOption('any');
        await find('[aria-label="Comparison"]').selectOption('greater');
        await find('[aria-label="Filter value"]').fill('5');
        await find('[aria-label="Filter value"]').press('Enter');
        await says('Choose the column to compare');
        await says('10,000 rows');
        await window.command('workbench.action.closeActiveEditor');
      });

      test('is edited: cells, a new row, a deleted one, a step taken back, and all of it in one transaction', async () => {
        await open('parts', PARTS);
        await find('[aria-haspopup=menu]').filter({ hasText: 'Edit' }).waitFor();
        await head('stock').locator('button').click();
        await says('these rows sorted by stock, ascending');
        await holds(0, 3, '3');
        await cell(0, 3).click();
        await grid().press('F2');
        await find('textarea').fill('33');
        await find('textarea').press('Enter');
        await cell(2, 0).click();
        await grid().press('Control+Delete');
        await says('2 changes not applied');
        await cell(1, 0).click();
        await grid().press('Control+Delete');
        await says('3 changes not applied');
        await grid().press('Control+z');
        await says('2 changes not applied');
        await grid().press('Alt+Insert');
        for (const [column, text] of ['4', 'acme', "it's new"].entries()) {
          await cell(3, column).click();
          await grid().press('F2');
          await find('textarea').fill(text);
          await find('textarea').press('Enter');
        }
        await says('3 changes not applied');
        await find('button').filter({ hasText: 'Changes...' }).click();
        const statements = find('aside[aria-label=Changes] code');
        await statements.first().waitFor();
        const texts = await statements.allTextContents();
        expect(texts.map((text) => text.split(' ', 1)[0]).sort()).toEqual(['DELETE', 'INSERT', 'UPDATE']);
        await window.screenshot(`rows-${name}-changes`);
        await expect(partsNow()).resolves.toHaveLength(3);
        await find('aside[aria-label=Changes] button').filter({ hasText: 'Apply' }).click();
        await answerQuestion(window, 'Change 3 rows on', 'once');
        await says('3 changes applied');
        await expect(partsNow()).resolves.toEqual([
          [1, 'acme', 'Anvil', 5],
          [2, 'Özil', null, 33],
          [4, 'acme', "it's new", 7],
        ]);
      });

      test('keeps the changes and applies none where a row has changed meanwhile, and says what it is now', async () => {
        await find('[aria-haspopup=menu]').filter({ hasText: 'Edit' }).waitFor();
        const first = find('[role=gridcell][data-column="0"]').filter({ hasText: /^1$/ });
        await cell(Number(await first.getAttribute('data-row')), 3).click();
        await grid().press('F2');
        await find('textarea').fill('50');
        await find('textarea').press('Enter');
        await says('1 change not applied');
        await ask('UPDATE parts SET stock = 6 WHERE id = 1');
        await find('button').filter({ hasText: 'Changes...' }).click();
        await find('aside[aria-label=Changes] button').filter({ hasText: 'Apply' }).click();
        await answerQuestion(window, 'Change 1 row on', 'once');
        const told = find('[role=alert].conflict');
        await told.filter({ hasText: 'stock is now 6' }).waitFor();
        await window.screenshot(`rows-${name}-conflict`);
        await expect(ask('SELECT stock FROM parts WHERE id = 1')).resolves.toEqual([[6]]);
        await find('aside[aria-label=Changes] button').filter({ hasText: 'Take back' }).click();
        await told.waitFor({ state: 'hidden' });
        await find('[role=row].conflict').waitFor({ state: 'hidden' });
      });

      test('stands in the diagram of its database, with the table that it refers to', async () => {
        await window.command('workbench.action.closeAllEditors');
        const shown = window.command('devdb.databases.showDiagram');
        if (labs.size > 1) await window.pick(name);
        await shown;
        const part = find('g.table[aria-label^="parts, "]');
        await part.waitFor();
        expect(await part.getAttribute('aria-label')).toMatch(/references makers by maker/);
        await window.screenshot(`rows-${name}-diagram`);
        await part.focus();
        await part.press('o');
        // Postgres has rows in no order of its own.
        await find('[role=gridcell]')
          .filter({ hasText: /^it's new$/ })
          .waitFor();
      });

      test('stands in the history with its database and its rows, and is opened from there', async () => {
        await window.command('devdb.history.focus');
        const query = `SELECT name AS of_${name} FROM parts WHERE id = 4`;
        await window.command('devdb.query.openData', { root, connection: `devdbrc:${name}`, query });
        const ran = window.page.locator('.pane-body [role="treeitem"]').filter({ hasText: `of_${name}` });
        await ran
          .filter({ hasText: `${name} · 1 row` })
          .first()
          .waitFor();
        await window.command('workbench.action.closeAllEditors');
        await ran.first().click();
        const shown = () => window.run((vscode) => vscode.window.activeTextEditor?.document.getText() ?? '');
        await until('it is open', async () => (await shown()) === `${query};\n`);
        await window.screenshot(`rows-${name}-history`);
        await window.command('workbench.action.revertAndCloseActiveEditor');
        await window.command('workbench.view.explorer');
      });
    });
  });
});
