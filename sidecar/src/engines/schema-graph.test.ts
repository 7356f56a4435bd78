import { MOST_DIAGRAM_TABLES } from '@devdb/shared/limits';
import { MOST_GRAPH_COLUMNS } from './limits.ts';
import type { OverviewTable } from './overview-facts.ts';
import { schemaGraph } from './schema-graph.ts';

const plain = { isKey: false, notNull: false, isUnique: false, isGenerated: false };

function table(name: string, columns: readonly string[], parents: readonly string[] = []): OverviewTable {
  return {
    name,
    written: `"${name}"`,
    from: `"${name}"`,
    kind: 'table',
    rows: null,
    columns: columns.map((column, at) => ({ ...plain, name: column, type: 'integer', isKey: at === 0 })),
    keys: parents.map((parent) => ({
      columns: [`ref (${parent})`],
      parent: `"${parent}"`,
      parentName: parent,
      parentColumns: ['id'],
    })),
  };
}

const names = ({ tables }: ReturnType<typeof schemaGraph>) => tables.map(({ name }) => name);

test('tells tables with their columns and keys by name, whatever the names are', () => {
  const graph = schemaGraph([table('a -> b(c)', ['id', 'x, y']), table('d', ['id'], ['a -> b(c)'])], undefined);
  expect(graph).toEqual({
    left: 0,
    tables: [
      {
        name: 'a -> b(c)',
        kind: 'table',
        columns: [
          { name: 'id', type: 'integer', isKey: true, notNull: false },
          { name: 'x, y', type: 'integer', isKey: false, notNull: false },
        ],
        keys: [],
      },
      {
        name: 'd',
        kind: 'table',
        columns: [{ name: 'id', type: 'integer', isKey: true, notNull: false }],
        keys: [{ columns: ['ref (a -> b(c))'], parent: 'a -> b(c)', parentColumns: ['id'], isGuessed: false }],
      },
    ],
  });
});

test('marks a key that is only guessed', () => {
  const { tables } = schemaGraph([table('customers', ['id']), table('orders', ['id', 'customer_id'])], undefined);
  expect(tables[1]?.keys).toEqual([
    { columns: ['customer_id'], parent: 'customers', parentColumns: ['id'], isGuessed: true },
  ]);
});

test('leaves out keys to what is not there', () => {
  const lost = { columns: ['a'], parent: 'gone', parentName: undefined, parentColumns: ['id'] };
  const { tables } = schemaGraph(
    [{ ...table('t', ['id']), keys: [lost] }, table('u', ['id'], ['elsewhere'])],
    undefined,
  );
  expect(tables.map(({ keys }) => keys)).toEqual([[], []]);
});

describe('a schema with more tables than a diagram shows', () => {
  // A chain t0 <- t1 <- t2 ..., and one table at its end that most others point to.
  const chain = Array.from({ length: MOST_DIAGRAM_TABLES + 20 }, (_, at) =>
    table(`t${at}`, ['id'], at === 0 ? [] : [`t${at - 1}`]),
  );
  const alone = Array.from({ length: 20 }, (_, at) => table(`alone${at}`, ['id']));

  test('shows the most joined tables', () => {
    const graph = schemaGraph([...alone, ...chain], undefined);
    expect(names(graph)).toHaveLength(MOST_DIAGRAM_TABLES);
    expect(names(graph).filter((name) => name.startsWith('alone'))).toEqual([]);
    expect(graph.left).toBe(40);
  });

  test('shows those nearest to the named ones, each with its keys to what is shown', () => {
    const last = chain.slice(-1);
    const graph = schemaGraph([...alone, ...chain], last);
    expect(names(graph)).toEqual(
      chain
        .slice(-MOST_DIAGRAM_TABLES)
        .map(({ name }) => name)
        .reverse(),
    );
    expect(graph.tables.at(-1)?.keys).toEqual([]);
    expect(graph.tables[0]?.keys).toHaveLength(1);
  });
});

test('a table with very many columns says how many there are', () => {
  const columns = Array.from({ length: MOST_GRAPH_COLUMNS + 5 }, (_, at) => `c${at}`);
  const [wide] = schemaGraph([table('wide', columns)], undefined).tables;
  expect([wide?.columns.length, wide?.columnCount]).toEqual([MOST_GRAPH_COLUMNS, MOST_GRAPH_COLUMNS + 5]);
});

test('tables of huge columns end where there is no more room', () => {
  const huge = Array.from({ length: 30 }, (_, at) => table(`h${at}`, ['x'.repeat(1024 * 1024)]));
  const graph = schemaGraph(huge, undefined);
  expect(names(graph)).toEqual(['h0', 'h1', 'h2']);
  expect(graph.left).toBe(27);
});
