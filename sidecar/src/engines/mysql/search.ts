import type { ToolInput, ToolOutput } from '@devdb/shared/tools';
import { type Candidate, searched } from '../schema-search.ts';
import type { Catalog, CatalogRow } from './catalog.ts';
import { shownName } from './quote.ts';

/** Tables, views, columns, routines, indexes and keys that match by name or comment, in this order. */
export async function searchSchema(
  catalog: Catalog,
  pattern: string,
  kind: ToolInput<'search-schema'>['kind'],
): Promise<ToolOutput<'search-schema'>> {
  const candidates = [
    ...(await tablesOf(catalog)),
    ...(await columnsOf(catalog)),
    ...(await routinesOf(catalog)),
    ...(await indexesOf(catalog)),
    ...(await foreignKeysOf(catalog)),
  ];
  return searched(candidates, pattern, kind);
}

async function tablesOf(catalog: Catalog): Promise<Candidate[]> {
  return (await catalog.tables()).map(({ shown, kind, comment }) => ({
    kind: kind === 'view' ? 'view' : 'table',
    name: shown,
    comment,
  }));
}

async function columnsOf(catalog: Catalog): Promise<Candidate[]> {
  const rows = await catalog.askWithoutClosed('COLUMNS', (query) =>
    query
      .select({
        schema: 'TABLE_SCHEMA',
        table: 'TABLE_NAME',
        name: 'COLUMN_NAME',
        type: 'COLUMN_TYPE',
        comment: 'COLUMN_COMMENT',
      })
      .whereNotIn('TABLE_SCHEMA', [...catalog.leftOutSchemas])
      .orderBy(['TABLE_SCHEMA', 'TABLE_NAME', 'ORDINAL_POSITION']),
  );
  return rows.map((row) => ({
    kind: 'column',
    name: row['name'] ?? '',
    table: tableOf(row, catalog),
    type: row['type'] ?? '',
    comment: row['comment'] ?? '',
  }));
}

async function routinesOf(catalog: Catalog): Promise<Candidate[]> {
  const rows = await catalog.ask('ROUTINES', (query) =>
    query
      .select({
        schema: 'ROUTINE_SCHEMA',
        name: 'ROUTINE_NAME',
        type: 'ROUTINE_TYPE',
        answer: 'DTD_IDENTIFIER',
        comment: 'ROUTINE_COMMENT',
      })
      .whereNotIn('ROUTINE_SCHEMA', [...catalog.leftOutSchemas])
      .orderBy(['ROUTINE_SCHEMA', 'ROUTINE_NAME']),
  );
  return rows.map(({ schema, name, type, answer, comment }) => ({
    kind: 'routine',
    name: shownName(schema ?? '', name ?? '', catalog.ownSchema),
    type: [type?.toLowerCase(), answer].filter((part) => part !== null && part !== undefined && part !== '').join(' '),
    comment: comment ?? '',
  }));
}

/** The primary key is a key; a unique key is an index with a name. */
async function indexesOf(catalog: Catalog): Promise<Candidate[]> {
  const rows = await catalog.ask('STATISTICS', (query) =>
    query
      .select({
        schema: 'TABLE_SCHEMA',
        table: 'TABLE_NAME',
        name: 'INDEX_NAME',
        several: 'NON_UNIQUE',
        column: 'COLUMN_NAME',
        comment: 'INDEX_COMMENT',
      })
      .whereNotIn('TABLE_SCHEMA', [...catalog.leftOutSchemas])
      .orderBy(['TABLE_SCHEMA', 'TABLE_NAME', 'INDEX_NAME', 'SEQ_IN_INDEX']),
  );
  return grouped(rows).map((parts) => {
    const [first = {}] = parts;
    const list = `(${parts.map(({ column }) => column ?? '(expression)').join(', ')})`;
    const name = first['name'] ?? '';
    const table = tableOf(first, catalog);
    if (name === 'PRIMARY') return { kind: 'key', name, table, type: `primary key ${list}` };
    const type = first['several'] === '0' ? `unique ${list}` : list;
    return { kind: 'index', name, table, type, comment: first['comment'] ?? '' };
  });
}

async function foreignKeysOf(catalog: Catalog): Promise<Candidate[]> {
  const rows = await catalog.ask('KEY_COLUMN_USAGE', (query) =>
    query
      .select({
        schema: 'TABLE_SCHEMA',
        table: 'TABLE_NAME',
        name: 'CONSTRAINT_NAME',
        column: 'COLUMN_NAME',
        toSchema: 'REFERENCED_TABLE_SCHEMA',
        toTable: 'REFERENCED_TABLE_NAME',
        toColumn: 'REFERENCED_COLUMN_NAME',
      })
      .whereNotNull('REFERENCED_TABLE_NAME')
      .whereNotIn('TABLE_SCHEMA', [...catalog.leftOutSchemas])
      .orderBy(['TABLE_SCHEMA', 'TABLE_NAME', 'CONSTRAINT_NAME', 'ORDINAL_POSITION']),
  );
  return grouped(rows).map((parts) => {
    const [first = {}] = parts;
    const to = shownName(first['toSchema'] ?? '', first['toTable'] ?? '', catalog.ownSchema);
    const own = parts.map(({ column }) => column).join(', ');
    const theirs = parts.map(({ toColumn }) => toColumn).join(', ');
    return {
      kind: 'key',
      name: first['name'] ?? '',
      table: tableOf(first, catalog),
      type: `foreign key (${own}) -> ${to}(${theirs})`,
    };
  });
}

function grouped(rows: readonly CatalogRow[]): CatalogRow[][] {
  return [...Map.groupBy(rows, ({ schema, table, name }) => JSON.stringify([schema, table, name])).values()];
}

function tableOf({ schema, table }: CatalogRow, { ownSchema }: Catalog): string {
  return shownName(schema ?? '', table ?? '', ownSchema);
}
