import { namedTables } from '../named-tables.ts';
import { columnText, type Overview, type TableEntry, untilFull } from '../overview-text.ts';
import { allTables, type Db, findTable, type TableFacts } from './catalog.ts';
import { readableName } from './quote.ts';
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

/** The schema in one answer: all tables, or the named ones, until the answer is full. */
export function overview(db: Db, tables: readonly string[] | undefined): Overview {
  const all = allTables(db);
  const named =
    tables &&
    namedTables(
      tables,
      (name) => findTable(db, name),
      ({ name }) => name,
    );
  const estimate = rowEstimates(db);
  const read = (table: TableFacts) => ({
    entry: tableEntry(db, table, estimate),
    foreignKeys: table.type === 'table' ? foreignKeysOf(db, table.name) : [],
  });
  if (named === undefined) return untilFull(all, read);
  return untilFull(named.tables, read, { referencedBy: incoming(db, all, named.tables), unknown: named.unknown });
}

/** The foreign keys of other tables that point to these. SQLite ignores the case of their names. */
function incoming(db: Db, all: readonly TableFacts[], wanted: readonly TableFacts[]): string[] {
  const names = new Set(wanted.map(({ name }) => name.toLowerCase()));
  return all.flatMap(({ name, type }) => {
    if (type !== 'table' || names.has(name.toLowerCase())) return [];
    const keys = foreignKeyRows(db, name).filter((key) => names.has(key[0]?.parent.toLowerCase() ?? ''));
    return keys.map((key) => foreignKeyText(db, name, key));
  });
}

function tableEntry(db: Db, table: TableFacts, estimate: RowEstimate): TableEntry {
  const kind = table.type === 'virtual' ? 'virtual table' : table.type;
  const { columns, problem } = columnsOf(db, table.name);
  const rows = problem === undefined ? estimate(table) : null;
  const entry = { name: table.name, kind, columns, rows };
  return problem === undefined ? entry : { ...entry, comment: `cannot be read: ${problem}` };
}

/** A view whose tables are gone, or a virtual table without its module, must not hide the rest of the schema. */
function columnsOf(db: Db, table: string): { readonly columns: string[]; readonly problem?: string } {
  try {
    const unique = uniqueColumns(db, table);
    return { columns: columnRows(db, table).map((column) => textOf(column, unique)) };
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

function textOf({ name, type, notnull, pk, hidden }: ColumnRow, unique: ReadonlySet<string>): string {
  return columnText({
    name: readableName(name),
    type: declaredType(type),
    isKey: Number(pk) > 0,
    notNull: Number(notnull) === 1,
    isUnique: unique.has(name),
    isGenerated: Number(hidden) > VIRTUAL_TABLES_OWN,
  });
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
  return foreignKeyRows(db, table).map((key) => foreignKeyText(db, table, key));
}

function foreignKeyRows(db: Db, table: string): ForeignKeyRow[][] {
  const rows = db
    .prepare<[string], ForeignKeyRow>(
      `SELECT id, "table" AS parent, "from" AS "column", "to" AS parentColumn
         FROM pragma_foreign_key_list(?, 'main') ORDER BY id DESC, seq`,
    )
    .all(table);
  return [...Map.groupBy(rows, ({ id }) => Number(id)).values()];
}

function foreignKeyText(db: Db, table: string, key: readonly ForeignKeyRow[]): string {
  const parent = key[0]?.parent ?? '';
  const named = key.flatMap(({ parentColumn }) => parentColumn ?? []);
  // REFERENCES without columns means the parent's primary key.
  const columns = named.length === key.length ? named : primaryKey(db, parent);
  const own = list(key.map(({ column }) => column));
  return `${readableName(table)}${own} -> ${readableName(parent)}${columns.length === 0 ? '' : list(columns)}`;
}

function primaryKey(db: Db, table: string): string[] {
  return db
    .prepare<[string], { name: string }>(`SELECT name FROM pragma_table_xinfo(?, 'main') WHERE pk > 0 ORDER BY pk`)
    .all(table)
    .map(({ name }) => name);
}

function list(names: readonly string[]): string {
  return `(${names.map(readableName).join(', ')})`;
}
