import type { Knex } from 'knex';
import { type NamedTables, namedTables } from '../named-tables.ts';
import { type Included, indexText, KEYS_ALONE, type KeyFacts, type OverviewTable } from '../overview-facts.ts';
import { type Outline, outline } from '../overview-outline.ts';
import type { OverviewColumn } from '../overview-text.ts';
import type { Catalog, CatalogRow, TableFacts } from './catalog.ts';
import { quoteName, readableName, shownName } from './quote.ts';

/** The schema in one answer, but for the rows of lookup tables: all tables, or the named ones, until it is full. */
export async function overview(
  catalog: Catalog,
  tables: readonly string[] | undefined,
  include: readonly Included[] = [],
): Promise<Outline> {
  const named = tables && (await tablesNamed(catalog, tables));
  const listed = await catalog.tables();
  // A name may mean a table that is not listed: one of the server's own.
  const others = (named?.tables ?? []).filter((one) => listed.every((other) => keyOfTable(other) !== keyOfTable(one)));
  const parts = await partsOf(catalog, others, include);
  const of = (some: readonly TableFacts[]) => some.map((table) => tableOf(table, parts, catalog.ownSchema));
  const all = of(listed);
  const known = new Map([...all, ...of(others)].map((table) => [table.name, table]));
  const wanted = named && { ...named, tables: named.tables.flatMap(({ shown }) => known.get(shown) ?? []) };
  return outline(all, wanted, include);
}

/** What the catalogue holds about each table, by its schema and name. */
interface Parts {
  readonly columns: ReadonlyMap<string, readonly CatalogRow[]>;
  readonly keys: ReadonlyMap<string, readonly CatalogRow[]>;
  readonly indexes: ReadonlyMap<string, readonly CatalogRow[]> | undefined;
  readonly definitions: ReadonlyMap<string, readonly CatalogRow[]> | undefined;
}

async function partsOf(catalog: Catalog, others: readonly TableFacts[], include: readonly Included[]): Promise<Parts> {
  return {
    columns: Map.groupBy(include.includes(KEYS_ALONE) ? [] : await columnsOf(catalog, others), keyOf),
    keys: Map.groupBy(await foreignKeysOf(catalog, others), keyOf),
    indexes: include.includes('indexes') ? Map.groupBy(await indexesOf(catalog, others), keyOf) : undefined,
    definitions: include.includes('views') ? Map.groupBy(await viewsOf(catalog, others), keyOf) : undefined,
  };
}

function tableOf(table: TableFacts, parts: Parts, ownSchema: string): OverviewTable {
  const { schema, name, shown, kind, rows, comment } = table;
  const key = keyOfTable(table);
  const columns = parts.columns.get(key) ?? [];
  const broken = kind === 'view' && columns.length === 0 ? 'cannot be read: its columns are not known' : undefined;
  return {
    name: shown,
    written: dotted(schema, name, ownSchema),
    from: `${quoteName(schema)}.${quoteName(name)}`,
    kind,
    columns: columns.map(columnOf),
    rows: kind === 'table' ? (rows ?? null) : null,
    comment: comment === '' ? broken : comment,
    keys: keysOf(parts.keys.get(key) ?? [], ownSchema),
    indexes: parts.indexes && indexTexts(parts.indexes.get(key) ?? []),
    definition: parts.definitions?.get(key)?.[0]?.['definition'] ?? undefined,
  };
}

async function tablesNamed(catalog: Catalog, names: readonly string[]): Promise<NamedTables<TableFacts>> {
  const finds = new Map<string, () => TableFacts>();
  for (const name of names) {
    try {
      const table = await catalog.find(name);
      finds.set(name, () => table);
    } catch (error) {
      finds.set(name, () => {
        throw error;
      });
    }
  }
  const find = (name: string): TableFacts => {
    const found = finds.get(name);
    if (found === undefined) throw new Error('A name of the call was not looked up.');
    return found();
  };
  return namedTables(names, find, ({ shown }) => shown);
}

function keyOfTable({ schema, name }: TableFacts): string {
  return JSON.stringify([schema, name]);
}

function keyOf({ schema, table }: CatalogRow): string {
  return JSON.stringify([schema, table]);
}

/** Narrows a question to the tables that are listed, and these others. */
function listedOr(catalog: Catalog, others: readonly TableFacts[]) {
  return (query: Knex.QueryBuilder) =>
    query.where((either) => {
      either.whereNotIn('TABLE_SCHEMA', [...catalog.leftOutSchemas]);
      const places = others.map(({ schema, name }) => [schema, name]);
      if (places.length > 0) either.orWhereIn(['TABLE_SCHEMA', 'TABLE_NAME'], places);
    });
}

function columnsOf(catalog: Catalog, others: readonly TableFacts[]): Promise<CatalogRow[]> {
  return catalog.askWithoutClosed('COLUMNS', (query) =>
    listedOr(
      catalog,
      others,
    )(
      query.select({
        schema: 'TABLE_SCHEMA',
        table: 'TABLE_NAME',
        name: 'COLUMN_NAME',
        type: 'COLUMN_TYPE',
        nullable: 'IS_NULLABLE',
        key: 'COLUMN_KEY',
        extra: 'EXTRA',
      }),
    ).orderBy(['TABLE_SCHEMA', 'TABLE_NAME', 'ORDINAL_POSITION']),
  );
}

function columnOf({ name, type, nullable, key, extra }: CatalogRow): OverviewColumn {
  return {
    name: readableName(name ?? ''),
    type: withoutWidth(type ?? ''),
    isKey: key === 'PRI',
    notNull: nullable === 'NO',
    isUnique: key === 'UNI',
    isGenerated: /GENERATED|VIRTUAL|STORED|PERSISTENT/i.test((extra ?? '').replace(/DEFAULT_GENERATED/i, '')),
  };
}

/** MariaDB and old MySQL tell how wide an integer is shown. It means something with ZEROFILL, and as tinyint(1). */
function withoutWidth(type: string): string {
  const isPlain = /^(?:tinyint|smallint|mediumint|int|bigint)\(/.test(type) && !/^tinyint\(1\)|zerofill/.test(type);
  return isPlain ? type.replace(/\(\d+\)/, '') : type;
}

function foreignKeysOf(catalog: Catalog, others: readonly TableFacts[]): Promise<CatalogRow[]> {
  return catalog.ask('KEY_COLUMN_USAGE', (query) =>
    listedOr(
      catalog,
      others,
    )(
      query
        .select({
          schema: 'TABLE_SCHEMA',
          table: 'TABLE_NAME',
          key: 'CONSTRAINT_NAME',
          column: 'COLUMN_NAME',
          toSchema: 'REFERENCED_TABLE_SCHEMA',
          toTable: 'REFERENCED_TABLE_NAME',
          toColumn: 'REFERENCED_COLUMN_NAME',
        })
        .whereNotNull('REFERENCED_TABLE_NAME'),
    ).orderBy(['TABLE_SCHEMA', 'TABLE_NAME', 'CONSTRAINT_NAME', 'ORDINAL_POSITION']),
  );
}

function keysOf(columns: readonly CatalogRow[], ownSchema: string): KeyFacts[] {
  return [...Map.groupBy(columns, ({ key }) => key).values()].map((key) => {
    const { toSchema, toTable } = key[0] ?? {};
    return {
      columns: key.map(({ column }) => readableName(column ?? '')),
      parent: dotted(toSchema, toTable, ownSchema),
      parentName: shownName(toSchema ?? '', toTable ?? '', ownSchema),
      parentColumns: key.map(({ toColumn }) => readableName(toColumn ?? '')),
    };
  });
}

function indexesOf(catalog: Catalog, others: readonly TableFacts[]): Promise<CatalogRow[]> {
  return catalog.ask('STATISTICS', (query) =>
    listedOr(
      catalog,
      others,
    )(
      query.select({
        schema: 'TABLE_SCHEMA',
        table: 'TABLE_NAME',
        index: 'INDEX_NAME',
        several: 'NON_UNIQUE',
        column: 'COLUMN_NAME',
      }),
    ).orderBy(['TABLE_SCHEMA', 'TABLE_NAME', 'INDEX_NAME', 'SEQ_IN_INDEX']),
  );
}

/** The index of a primary key of one column is its PK. */
function indexTexts(rows: readonly CatalogRow[]): string[] {
  return [...Map.groupBy(rows, ({ index }) => index ?? '')].flatMap(([name, parts]) => {
    const columns = parts.map(({ column }) => (column == null ? '(expression)' : readableName(column)));
    if (name === 'PRIMARY') return columns.length === 1 ? [] : [indexText('primary key', false, columns)];
    return [indexText(readableName(name), parts[0]?.['several'] === '0', columns)];
  });
}

function viewsOf(catalog: Catalog, others: readonly TableFacts[]): Promise<CatalogRow[]> {
  return catalog.ask('VIEWS', (query) =>
    listedOr(
      catalog,
      others,
    )(query.select({ schema: 'TABLE_SCHEMA', table: 'TABLE_NAME', definition: 'VIEW_DEFINITION' })),
  );
}

function dotted(schema: string | null | undefined, table: string | null | undefined, ownSchema: string): string {
  const own = schema === ownSchema;
  return own ? readableName(table ?? '') : shownName(readableName(schema ?? ''), readableName(table ?? ''), ownSchema);
}
