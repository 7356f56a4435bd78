import type { Db } from './catalog.ts';
import { readableName } from './quote.ts';

export interface IndexFacts {
  readonly name: string;
  readonly isUnique: boolean;
  /** Made by a statement, for a UNIQUE, or for the primary key. */
  readonly origin: 'c' | 'u' | 'pk';
  readonly columns: readonly string[];
}

interface IndexRow {
  readonly name: string;
  readonly unique: number | bigint;
  readonly origin: IndexFacts['origin'];
  readonly columns: string;
}

/** A table's indexes, in the order of their making. */
export function indexesOf(db: Db, table: string): IndexFacts[] {
  const rows = db
    .prepare<[string], IndexRow>(
      `SELECT list.name, list."unique", list.origin, json_group_array(part.name ORDER BY part.seqno) AS columns
         FROM pragma_index_list(?, 'main') AS list, pragma_index_info(list.name, 'main') AS part
        GROUP BY list.name ORDER BY list.seq DESC`,
    )
    .all(table);
  return rows.map(({ name, unique, origin, columns }) => ({
    name,
    isUnique: Number(unique) === 1,
    origin,
    columns: namesIn(columns),
  }));
}

/** The part of an index that is an expression has no name. */
function namesIn(columns: string): string[] {
  const names: unknown = JSON.parse(columns);
  if (!Array.isArray(names)) throw new Error('SQLite gave the columns of an index that are no list.');
  return names.map((name) => (typeof name === 'string' ? readableName(name) : '(expression)'));
}
