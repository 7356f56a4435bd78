import { type NamedTables, namedTables } from '../named-tables.ts';
import { columnText, type Overview, type TableEntry, untilFull } from '../overview-text.ts';
import type { Catalog, CatalogRow, TableFacts } from './catalog.ts';
import { readableName, shownName } from './quote.ts';

/** The schema in one answer: all tables, or the named ones, until the answer is full. */
export async function overview(catalog: Catalog, tables: readonly string[] | undefined): Promise<Overview> {
  const named = tables && (await tablesNamed(catalog, tables));
  const wanted = named?.tables ?? (await catalog.tables());
  const columns = Map.groupBy(await columnsOf(catalog, named?.tables), keyOf);
  const keys = Map.groupBy(await foreignKeysOf(catalog, named?.tables), keyOf);
  const read = (table: TableFacts) => {
    const key = keyOfTable(table);
    return {
      entry: tableEntry(table, columns.get(key) ?? []),
      foreignKeys: foreignKeyTexts(keys.get(key) ?? [], catalog.ownSchema),
    };
  };
  if (named === undefined) return untilFull(wanted, read);
  const own = new Set(wanted.map(keyOfTable));
  const others = [...keys].filter(([key]) => !own.has(key));
  const referencedBy = others.flatMap(([, found]) => foreignKeyTexts(found, catalog.ownSchema));
  return untilFull(wanted, read, { referencedBy, unknown: named.unknown });
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

function columnsOf(catalog: Catalog, tables: readonly TableFacts[] | undefined): Promise<CatalogRow[]> {
  return catalog.askWithoutClosed('COLUMNS', (query) => {
    const all = query
      .select({
        schema: 'TABLE_SCHEMA',
        table: 'TABLE_NAME',
        name: 'COLUMN_NAME',
        type: 'COLUMN_TYPE',
        nullable: 'IS_NULLABLE',
        key: 'COLUMN_KEY',
        extra: 'EXTRA',
      })
      .orderBy(['TABLE_SCHEMA', 'TABLE_NAME', 'ORDINAL_POSITION']);
    return tables === undefined
      ? all.whereNotIn('TABLE_SCHEMA', [...catalog.leftOutSchemas])
      : all.whereIn(
          ['TABLE_SCHEMA', 'TABLE_NAME'],
          tables.map(({ schema, name }) => [schema, name]),
        );
  });
}

function tableEntry({ shown, kind, rows, comment }: TableFacts, columns: readonly CatalogRow[]): TableEntry {
  const broken = kind === 'view' && columns.length === 0 ? 'cannot be read: its columns are not known' : '';
  const text = comment === '' ? broken : comment;
  const entry = { name: shown, kind, columns: columns.map(textOf), rows: kind === 'table' ? (rows ?? null) : null };
  return text === '' ? entry : { ...entry, comment: text };
}

function textOf({ name, type, nullable, key, extra }: CatalogRow): string {
  return columnText({
    name: readableName(name ?? ''),
    type: type ?? '',
    isKey: key === 'PRI',
    notNull: nullable === 'NO',
    isUnique: key === 'UNI',
    isGenerated: /GENERATED|VIRTUAL|STORED|PERSISTENT/i.test((extra ?? '').replace(/DEFAULT_GENERATED/i, '')),
  });
}

function foreignKeysOf(catalog: Catalog, tables: readonly TableFacts[] | undefined): Promise<CatalogRow[]> {
  return catalog.ask('KEY_COLUMN_USAGE', (query) => {
    const all = query
      .select({
        schema: 'TABLE_SCHEMA',
        table: 'TABLE_NAME',
        key: 'CONSTRAINT_NAME',
        column: 'COLUMN_NAME',
        toSchema: 'REFERENCED_TABLE_SCHEMA',
        toTable: 'REFERENCED_TABLE_NAME',
        toColumn: 'REFERENCED_COLUMN_NAME',
      })
      .whereNotNull('REFERENCED_TABLE_NAME')
      .orderBy(['TABLE_SCHEMA', 'TABLE_NAME', 'CONSTRAINT_NAME', 'ORDINAL_POSITION']);
    if (tables === undefined) return all.whereNotIn('TABLE_SCHEMA', [...catalog.leftOutSchemas]);
    const places = tables.map(({ schema, name }) => [schema, name]);
    // Those of other tables that point here too.
    return all.where((either) =>
      either
        .whereIn(['TABLE_SCHEMA', 'TABLE_NAME'], places)
        .orWhereIn(['REFERENCED_TABLE_SCHEMA', 'REFERENCED_TABLE_NAME'], places),
    );
  });
}

function foreignKeyTexts(columns: readonly CatalogRow[], ownSchema: string): string[] {
  return [...Map.groupBy(columns, ({ key }) => key).values()].map((key) => {
    const [first] = key;
    const from = dotted(first?.['schema'], first?.['table'], ownSchema);
    const to = dotted(first?.['toSchema'], first?.['toTable'], ownSchema);
    const own = key.map(({ column }) => readableName(column ?? '')).join(', ');
    const theirs = key.map(({ toColumn }) => readableName(toColumn ?? '')).join(', ');
    return `${from}(${own}) -> ${to}(${theirs})`;
  });
}

function dotted(schema: string | null | undefined, table: string | null | undefined, ownSchema: string): string {
  const own = schema === ownSchema;
  return own ? readableName(table ?? '') : shownName(readableName(schema ?? ''), readableName(table ?? ''), ownSchema);
}
