import { schemaGraphSchema } from '@devdb/shared/protocol/schema-graph';
import type { ToolOutput } from '@devdb/shared/tools';
import { getOverview } from '@devdb/shared/tools/database/get-overview';
import type { Caps } from '../src/engines/engine.ts';
import type { Included } from '../src/engines/overview-facts.ts';
import { enginesUnderTest, type OpenedShop, type StartedEngine } from './helpers/engines-under-test.ts';
import { writeOf } from './helpers/statements.ts';

const CAPS: Caps = { rows: 500, bytes: 32 * 1024, cellBytes: 4 * 1024 };
const LONG = 'x'.repeat(1000);

/** Codes with labels, a table that points to one of them by a declared key and to others by names alone. */
const TABLES = [
  'CREATE TABLE task_states (code VARCHAR(10) NOT NULL PRIMARY KEY, label VARCHAR(1000) NULL)',
  "INSERT INTO task_states VALUES ('open', 'Open'), ('done', NULL), ('none', '')",
  'CREATE TABLE task_levels (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(1000) NOT NULL)',
  `INSERT INTO task_levels VALUES (1, 'low'), (2, '${LONG}')`,
  'CREATE TABLE task_types (code VARCHAR(10) NOT NULL PRIMARY KEY, label VARCHAR(40) NOT NULL)',
  ...Array.from({ length: 31 }, (_, at) => `INSERT INTO task_types VALUES ('t${at}', 'type ${at}')`),
  `CREATE TABLE tasks (id INTEGER NOT NULL PRIMARY KEY, state_code VARCHAR(10) NOT NULL, customer_id INTEGER NULL,
     level_id INTEGER NULL, kind VARCHAR(10) NULL, deleted_at VARCHAR(30) NULL,
     CONSTRAINT tasks_state FOREIGN KEY (state_code) REFERENCES task_states (code))`,
  'CREATE UNIQUE INDEX tasks_by_kind ON tasks (kind, customer_id)',
  'CREATE TABLE typed (a VARCHAR(10), b INTEGER)',
  'CREATE VIEW open_tasks AS SELECT id, kind FROM tasks WHERE deleted_at IS NULL',
];

describe.each(enginesUnderTest(process.env))('get-overview on $name', (engine) => {
  let started: StartedEngine;
  let shop: OpenedShop;
  const signal = (): AbortSignal => AbortSignal.timeout(30_000);

  beforeAll(async () => {
    started = await engine.start();
    shop = await started.open();
    for (const sql of TABLES) await writeOf(shop.session, sql, CAPS, undefined, signal());
  }, 60_000);
  afterAll(async () => {
    await shop.close();
    await started.stop();
  });

  async function overview(
    tables?: readonly string[],
    include?: readonly Included[],
  ): Promise<ToolOutput<'get-overview'>> {
    const answer = await shop.session.overview(tables, signal(), include);
    expect(getOverview.output.parse(answer)).toEqual(answer);
    return answer;
  }

  test('marks columns that are named like a key without a declared one, both ways', async () => {
    const { guessedKeys, foreignKeys } = await overview();
    expect(guessedKeys).toEqual(expect.arrayContaining(['tasks(customer_id) -> customers(id)']));
    expect(foreignKeys).toContain('tasks(state_code) -> task_states(code)');
    expect(guessedKeys?.join()).not.toContain('tasks(state_code)');
    expect(guessedKeys?.join()).not.toContain('orders(customer_id)');
    expect((await overview(['customers'])).guessedKeys).toContain('tasks(customer_id) -> customers(id)');
  });

  test('as a graph for a diagram, tells each key by the tables at its ends', async () => {
    const { tables, left } = schemaGraphSchema().parse(await shop.session.graph(undefined, signal()));
    expect(left).toBe(0);
    const of = (name: string) => tables.find((table) => table.name === name);
    expect(of('tasks')?.columns[0]).toMatchObject({ name: 'id', isKey: true, notNull: true });
    const keys = of('tasks')?.keys.map(({ columns, parent, isGuessed }) => [columns, parent, isGuessed]);
    expect(keys).toEqual([
      [['state_code'], 'task_states', false],
      [['customer_id'], 'customers', true],
    ]);
    expect(of('open_tasks')).toMatchObject({ kind: 'view', keys: [] });
    const near = await shop.session.graph(['orders'], signal());
    expect(near.tables.map(({ name }) => name).sort()).toEqual(tables.map(({ name }) => name).sort());
    await expect(shop.session.graph(['nosuch'], signal())).rejects.toMatchObject({ code: 'E_UNKNOWN_TABLE' });
  });

  test('has types by their short names', async () => {
    const [typed] = (await overview(['typed'])).tables;
    expect(typed?.columns).toEqual([
      expect.stringMatching(/^a varchar\(10\)$/i),
      expect.stringMatching(/^b int(?:eger)?$/i),
    ]);
  });

  test('tells lookup tables, soft-delete columns and columns of codes', async () => {
    const { tables } = await overview(['task_states', 'tasks']);
    expect(tables.map(({ name, lookup, softDelete, kinds }) => [name, lookup, softDelete, kinds])).toEqual([
      ['task_states', true, undefined, undefined],
      ['tasks', undefined, ['deleted_at'], ['kind']],
    ]);
    expect(JSON.stringify(tables)).not.toMatch(/lookupRows|indexes|definition/);
  });

  test('reads the rows of lookup tables when asked to, unchanged but for long cells, and drops what is no list', async () => {
    const { tables } = await overview(['task_states', 'task_levels', 'task_types', 'tasks'], ['lookups']);
    const [states, levels, types, tasks] = tables;
    expect(states?.lookupRows).toEqual({
      columns: ['code', 'label'],
      rows: [
        ['done', null],
        ['none', ''],
        ['open', 'Open'],
      ],
    });
    expect(levels?.lookupRows).toMatchObject({
      columns: ['id', 'name'],
      rows: [
        [1, 'low'],
        [2, expect.stringMatching(/^x{150,220}/)],
      ],
      cut: [{ row: 1, column: 1, length: 1000 }],
    });
    expect(types).not.toHaveProperty('lookup');
    expect(types).not.toHaveProperty('lookupRows');
    expect(tasks).not.toHaveProperty('lookupRows');
  });

  test('has indexes and the definitions of views when asked to', async () => {
    const { tables } = await overview(['tasks', 'open_tasks'], ['indexes', 'views']);
    const [tasks, view] = tables;
    expect(tasks?.indexes).toContain('UNIQUE tasks_by_kind (kind, customer_id)');
    expect(tasks?.indexes?.join()).not.toMatch(/primary/i);
    expect(view?.definition).toMatch(/select.*kind.*from.*tasks.*where.*deleted_at.*is null/is);
    expect(tasks).not.toHaveProperty('definition');
  });
});
