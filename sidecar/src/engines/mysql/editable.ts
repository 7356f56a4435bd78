import type { EditableTable, KeyLink } from '../row-editing.ts';
import type { Catalog, CatalogRow, TableFacts } from './catalog.ts';
import { quoteName } from './quote.ts';
import { isBinary } from './row-values.ts';

/** What is needed to change single rows of a table. */
export async function editableTable(catalog: Catalog, name: readonly string[]): Promise<EditableTable> {
  const table = await catalog.find(name.map(quoteName).join('.'));
  const columns = await columnsOf(catalog, table);
  const keys = await keysOf(catalog, table);
  return {
    name: table.shown,
    from: quoted(table.schema, table.name),
    columns: columns.map(({ name: column, type, nullable, generated }) => ({
      name: column ?? '',
      type: type ?? '',
      isNullable: nullable === 'YES',
      kind: (generated ?? '') !== '' ? 'given' : isBinary(type ?? '') ? 'binary' : 'plain',
    })),
    key: keys.filter(({ key }) => key === 'PRIMARY').map(({ column }) => column ?? ''),
    refusal: await refusalOf(catalog, table),
    links: linksOf(keys),
  };
}

function columnsOf(catalog: Catalog, { schema, name }: TableFacts): Promise<CatalogRow[]> {
  return catalog.ask('COLUMNS', (query) =>
    query
      .select({
        name: 'COLUMN_NAME',
        type: 'COLUMN_TYPE',
        nullable: 'IS_NULLABLE',
        generated: 'GENERATION_EXPRESSION',
      })
      .where({ TABLE_SCHEMA: schema, TABLE_NAME: name })
      .orderBy('ORDINAL_POSITION'),
  );
}

function keysOf(catalog: Catalog, { schema, name }: TableFacts): Promise<CatalogRow[]> {
  return catalog.ask('KEY_COLUMN_USAGE', (query) =>
    query
      .select({
        key: 'CONSTRAINT_NAME',
        column: 'COLUMN_NAME',
        toSchema: 'REFERENCED_TABLE_SCHEMA',
        toTable: 'REFERENCED_TABLE_NAME',
        toColumn: 'REFERENCED_COLUMN_NAME',
      })
      .where({ TABLE_SCHEMA: schema, TABLE_NAME: name })
      .orderBy(['CONSTRAINT_NAME', 'ORDINAL_POSITION']),
  );
}

/** Changes that cannot be rolled back cannot be made all or none. */
async function refusalOf(catalog: Catalog, { kind, engine }: TableFacts): Promise<string | undefined> {
  if (kind !== 'table') return `It is a ${kind}; change the rows of its tables.`;
  const [found] = await catalog.ask('ENGINES', (query) =>
    query.select({ transactions: 'TRANSACTIONS' }).where({ ENGINE: engine ?? '' }),
  );
  if (found?.['transactions'] === 'YES') return undefined;
  return `Its storage engine (${engine ?? 'unknown'}) has no transactions, so that a failed change could not be undone.`;
}

function linksOf(keys: readonly CatalogRow[]): KeyLink[] {
  const foreign = keys.filter(({ toTable }) => toTable !== null);
  return [...Map.groupBy(foreign, ({ key }) => key).values()].map((parts) => {
    const { toSchema, toTable } = parts[0] ?? {};
    return {
      columns: parts.map(({ column }) => column ?? ''),
      parent: quoted(toSchema ?? '', toTable ?? ''),
      parentName: toTable ?? '',
      parentColumns: parts.map(({ toColumn }) => toColumn ?? ''),
    };
  });
}

function quoted(schema: string, name: string): string {
  return `${quoteName(schema)}.${quoteName(name)}`;
}
