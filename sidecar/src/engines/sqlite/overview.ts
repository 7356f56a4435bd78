import { namedTables } from '../named-tables.ts';
import { type Included, indexText, type KeyFacts, keyText, type OverviewTable } from '../overview-facts.ts';
import { type Outline, outline } from '../overview-outline.ts';
import type { OverviewColumn } from '../overview-text.ts';
import { allTables, type Db, findTable, type TableFacts } from './catalog.ts';
import { type IndexFacts, indexesOf } from './indexes.ts';
import { quoteName, readableName } from './quote.ts';
import { type RowEstimate, rowEstimates } from './row-estimate.ts';

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly notnull: number | bigint;
  readonly pk: number | bigint;
  readonly hidden: number | bigint;
}

interface ForeignKeyRow {
  readonly id: number | bigint;
  readonly parent: string;
  readonly column: string;
  readonly parentColumn: string | null;
}

/**
 * A column's `hidden` in pragma_table_xinfo: only 1 means a virtual table's hidden column; 2 and 3 are generated
 * columns.
 */
const VIRTUAL_TABLES_OWN = 1;

/** The schema in one answer, but for the rows of lookup tables: all tables, or the named ones, until it is full. */
export function overview(db: Db, tables: readonly string[] | undefined, include: readonly Included[] = []): Outline {
  const all = allTables(db);
  const named =
    tables &&
    namedTables(
      tables,
      (name) => findTable(db, name),
      ({ name }) => name,
    );
  const estimate = rowEstimates(db);
  const names = new Map(all.map(({ name }) => [name.toLowerCase(), name]));
  const read = new Map(all.map((table) => [table.name, tableOf(db, table, { estimate, names, include })]));
  const wanted = named && { ...named, tables: named.tables.flatMap(({ name }) => read.get(name) ?? []) };
  return outline([...read.values()], wanted, include);
}

interface Reading {
  readonly estimate: RowEstimate;
  /** The names of all tables by their lower case: SQLite ignores the case. */
  readonly names: ReadonlyMap<string, string>;
  readonly include: readonly Included[];
}

function tableOf(db: Db, table: TableFacts, { estimate, names, include }: Reading): OverviewTable {
  const { columns, problem } = columnsOf(db, table.name);
  const rows = problem === undefined ? estimate(table) : undefined;
  return {
    name: table.name,
    written: readableName(table.name),
    from: `main.${quoteName(table.name)}`,
    kind: table.type === 'virtual' ? 'virtual table' : table.type,
    columns,
    rows: rows?.rows ?? null,
    atMost: rows?.atMost === true,
    comment: problem === undefined ? undefined : `cannot be read: ${problem}`,
    keys: table.type === 'table' ? foreignKeyRows(db, table.name).map((key) => keyFacts(db, key, names)) : [],
    indexes:
      include.includes('indexes') && problem === undefined ? indexesOf(db, table.name).flatMap(toldIndex) : undefined,
    definition: include.includes('views') && table.type === 'view' ? definitionOf(db, table.name) : undefined,
  };
}

/** The index of a primary key of one column is its PK. */
function toldIndex({ name, isUnique, origin, columns }: IndexFacts): string[] {
  if (origin === 'pk' && columns.length === 1) return [];
  const shown = origin === 'c' ? readableName(name) : origin === 'pk' ? 'primary key' : 'key';
  return [indexText(shown, isUnique && origin === 'c', columns)];
}

function definitionOf(db: Db, view: string): string | undefined {
  const found = db
    .prepare<[string], { sql: string | null }>(
      `SELECT sql FROM main.sqlite_schema WHERE type = 'view' AND name = ? COLLATE NOCASE`,
    )
    .get(view);
  return found?.sql ?? undefined;
}

/** A view whose tables are gone, or a virtual table without its module, must not hide the rest of the schema. */
function columnsOf(db: Db, table: string): { readonly columns: OverviewColumn[]; readonly problem?: string } {
  try {
    const unique = uniqueColumns(db, table);
    return { columns: columnRows(db, table).map((column) => columnOf(column, unique)) };
  } catch (error) {
    if (!isSchemaProblem(error)) throw error;
    return { columns: [], problem: error.message };
  }
}

/** Whether SQLite reports that this one table or view is broken; a locked or damaged file is a different problem. */
export function isSchemaProblem(error: unknown): error is { readonly message: string } {
  // The driver's error class may come from another realm, so the shape is checked.
  if (typeof error !== 'object' || error === null) return false;
  return 'code' in error && error.code === 'SQLITE_ERROR' && 'message' in error && typeof error.message === 'string';
}

/** A table's columns, without a virtual table's hidden ones. */
export function columnRows(db: Db, table: string): ColumnRow[] {
  return db
    .prepare<[string, number], ColumnRow>(
      `SELECT name, type, "notnull", pk, hidden FROM pragma_table_xinfo(?, 'main') WHERE hidden <> ? ORDER BY cid`,
    )
    .all(table, VIRTUAL_TABLES_OWN);
}

/** A column's declared type. For a generated column SQLite returns `INTEGER GENERATED ALWAYS`. */
export function declaredType(type: string): string {
  return type.replace(/GENERATED ALWAYS$/i, '').trimEnd();
}

function columnOf({ name, type, notnull, pk, hidden }: ColumnRow, unique: ReadonlySet<string>): OverviewColumn {
  return {
    name: readableName(name),
    type: declaredType(type),
    isKey: Number(pk) > 0,
    notNull: Number(notnull) === 1,
    isUnique: unique.has(name),
    isGenerated: Number(hidden) > VIRTUAL_TABLES_OWN,
  };
}

/** Columns that are unique by themselves; the primary key's own index adds nothing. */
function uniqueColumns(db: Db, table: string): Set<string> {
  const rows = db
    .prepare<[string], { name: string | null }>(
      `SELECT max(part.name) AS name
         FROM pragma_index_list(?, 'main') AS list, pragma_index_info(list.name, 'main') AS part
        WHERE list."unique" = 1 AND list.partial = 0 AND list.origin <> 'pk'
        GROUP BY list.name HAVING count(*) = 1`,
    )
    .all(table);
  return new Set(rows.flatMap(({ name }) => name ?? []));
}

/** In the order of declaration: SQLite numbers them backwards. */
export function foreignKeysOf(db: Db, table: string): string[] {
  const written = readableName(table);
  return foreignKeyRows(db, table).map((key) => keyText({ written }, keyFacts(db, key)));
}

/** The columns of each foreign key. */
export function foreignKeyRows(db: Db, table: string): ForeignKeyRow[][] {
  const rows = db
    .prepare<[string], ForeignKeyRow>(
      `SELECT id, "table" AS parent, "from" AS "column", "to" AS parentColumn
         FROM pragma_foreign_key_list(?, 'main') ORDER BY id DESC, seq`,
    )
    .all(table);
  return [...Map.groupBy(rows, ({ id }) => Number(id)).values()];
}

function keyFacts(db: Db, key: readonly ForeignKeyRow[], names?: ReadonlyMap<string, string>): KeyFacts {
  const parent = key[0]?.parent ?? '';
  const named = key.flatMap(({ parentColumn }) => parentColumn ?? []);
  // REFERENCES without columns means the parent's primary key.
  const columns = named.length === key.length ? named : primaryKey(db, parent);
  return {
    columns: key.map(({ column }) => readableName(column)),
    parent: readableName(parent),
    parentName: names?.get(parent.toLowerCase()),
    parentColumns: columns.map(readableName),
  };
}

/** The columns of the primary key, in its order. */
export function primaryKey(db: Db, table: string): string[] {
  return db
    .prepare<[string], { name: string }>(`SELECT name FROM pragma_table_xinfo(?, 'main') WHERE pk > 0 ORDER BY pk`)
    .all(table)
    .map(({ name }) => name);
}
