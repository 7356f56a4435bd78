import { AppError } from '@devdb/shared/errors';
import { type Db, findTable } from './catalog.ts';
import { tokenize, unterminatedComment } from './tokenize.ts';

interface SchemaRow {
  readonly type: string;
  readonly sql: string;
}

/**
 * The statements that create a table or view with its indexes and triggers, as stored: run on an empty database they
 * create the same. Indexes made by a key are part of the CREATE TABLE.
 */
export function schemaText(db: Db, table: string): string {
  const { name } = findTable(db, table);
  const rows = db
    .prepare<[string], SchemaRow>(
      `SELECT type, sql FROM main.sqlite_schema WHERE tbl_name = ? COLLATE NOCASE AND sql IS NOT NULL
        ORDER BY CASE type WHEN 'index' THEN 1 WHEN 'trigger' THEN 2 ELSE 0 END, rowid`,
    )
    .all(name);
  if (rows.length === 0) {
    throw new AppError('E_SQL', `SQLite keeps no statement for "${name}".`, {
      hint: 'get-overview lists its columns.',
    });
  }
  return rows.map(({ sql }) => closed(sql)).join('\n\n');
}

/** With an effective semicolon: a stored view or trigger may end in a comment that would swallow it. */
function closed(sql: string): string {
  const read = tokenize(sql);
  const end = read.ok ? (read.tokens.at(-1)?.end ?? 0) : sql.length;
  const tail = sql.slice(end).trimEnd();
  if (tail === '') return `${sql.slice(0, end)};`;
  return `${sql.slice(0, end)};${tail}${unterminatedComment(tail, 0) ? ' */' : ''}`;
}
