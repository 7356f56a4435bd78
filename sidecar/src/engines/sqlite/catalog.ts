import type { AppError } from '@devdb/shared/errors';
import { nearNames } from '../near-names.ts';
import { isOperator } from '../operators.ts';
import { unknownTableNear } from '../unknown-names.ts';
import { isName, tokenize } from './tokenize.ts';

/** A better-sqlite3 handle, opened by the child. */
export type Db = import('better-sqlite3').Database;

export interface TableFacts {
  /** As it was created: SQLite ignores the case of names. */
  readonly name: string;
  readonly type: 'table' | 'view' | 'virtual';
  readonly withoutRowid: boolean;
}

interface TableRow {
  readonly name: string;
  readonly type: TableFacts['type'];
  readonly wr: number | bigint;
}

const VISIBLE = `schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`;

/** Names of the tables and views, without SQLite's own and the internal tables of virtual tables. */
export function listTables(db: Db): string[] {
  return allTables(db).map(({ name }) => name);
}

/** The same, with the kind of each. */
export function allTables(db: Db): TableFacts[] {
  const rows = db
    .prepare<[], TableRow>(`SELECT name, type, wr FROM pragma_table_list WHERE ${VISIBLE} ORDER BY name`)
    .all();
  return rows.map(toFacts);
}

/**
 * Finds a table or view by its name in any case, quoted or prefixed with `main.`. E_UNKNOWN_TABLE suggests similar
 * names.
 */
export function findTable(db: Db, wanted: string): TableFacts {
  const statement = db.prepare<[string], TableRow>(`SELECT name, type, wr FROM pragma_table_list(?) WHERE ${VISIBLE}`);
  const row = statement.get(wanted) ?? statement.get(nameIn(wanted));
  if (row === undefined) throw noSuchTable(db, wanted);
  return toFacts(row);
}

/** The error of a table that is not there, with similar names. */
export function noSuchTable(db: Db, wanted: string): AppError {
  return unknownTableNear(wanted, nearNames(nameIn(wanted), listTables(db)));
}

/** `users` for `main.users`, `"users"` and `[users]`; any other text unchanged. */
function nameIn(wanted: string): string {
  const read = tokenize(wanted);
  if (!read.ok) return wanted;
  const [first, dot, second, ...rest] = read.tokens;
  if (dot === undefined) return isName(first) ? first.value : wanted;
  const inMain = isName(first) && first.value.toLowerCase() === 'main' && isOperator(dot, '.');
  return inMain && isName(second) && rest.length === 0 ? second.value : wanted;
}

function toFacts({ name, type, wr }: TableRow): TableFacts {
  return { name, type, withoutRowid: Number(wr) === 1 };
}
