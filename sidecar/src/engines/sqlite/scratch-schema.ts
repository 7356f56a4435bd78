import { allTables, type Db, type TableFacts } from './catalog.ts';
import { isSchemaProblem } from './overview.ts';
import { quoteName } from './quote.ts';
import { isWord, tokenize } from './tokenize.ts';

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly pk: number | bigint;
}

/**
 * Copies what the planner looks at into an empty database: tables without rows, views, indexes, and what ANALYZE
 * counted. Tables are declared anew from what SQLite says about them, since their stored text could hold anything.
 */
export function copySchema(from: Db, to: Db): void {
  for (const table of allTables(from)) {
    if (table.type === 'table') to.prepare(declaration(from, table)).run();
  }
  const stored = from
    .prepare<[], { sql: string }>(
      `SELECT sql FROM main.sqlite_schema WHERE type IN ('index', 'view') AND sql IS NOT NULL ORDER BY type, rowid`,
    )
    .all();
  for (const { sql } of stored) copyObject(to, sql);
  copyStatistics(from, to);
}

/** A type may be quoted like a name; its text still says the column's affinity. */
function declaration(db: Db, { name, withoutRowid }: TableFacts): string {
  const columns = db
    .prepare<[string], ColumnRow>(
      `SELECT name, type, pk FROM pragma_table_xinfo(?, 'main') WHERE hidden <> 1 ORDER BY cid`,
    )
    .all(name);
  const key = columns.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a.pk) - Number(b.pk));
  const [only] = key;
  const isRowid = key.length === 1 && !withoutRowid && only?.type.toUpperCase() === 'INTEGER';
  const parts = columns.map((column) => {
    const type = column.type === '' ? '' : ` ${quoteName(column.type)}`;
    return isRowid && column === only
      ? `${quoteName(column.name)} INTEGER PRIMARY KEY`
      : `${quoteName(column.name)}${type}`;
  });
  if (key.length > 0 && !isRowid) parts.push(`PRIMARY KEY (${list(key.map((column) => column.name))})`);
  for (const columnsOfKey of uniqueKeys(db, name)) parts.push(`UNIQUE (${list(columnsOfKey)})`);
  return `CREATE TABLE ${quoteName(name)} (${parts.join(', ')})${withoutRowid ? ' WITHOUT ROWID' : ''}`;
}

function uniqueKeys(db: Db, table: string): string[][] {
  const rows = db
    .prepare<[string], { index: string; column: string }>(
      `SELECT list.name AS "index", part.name AS "column"
         FROM pragma_index_list(?, 'main') AS list, pragma_index_info(list.name, 'main') AS part
        WHERE list.origin = 'u' ORDER BY list.seq DESC, part.seqno`,
    )
    .all(table);
  return [...Map.groupBy(rows, ({ index }) => index).values()].map((parts) => parts.map(({ column }) => column));
}

function list(names: readonly string[]): string {
  return names.map(quoteName).join(', ');
}

/** Only what really makes an index or a view is run; neither reads anything. One that is broken is left out. */
function copyObject(to: Db, sql: string): void {
  const read = tokenize(sql);
  const words = read.ok ? read.tokens.slice(0, 3) : [];
  const makes = isWord(words[1], 'UNIQUE') ? words[2] : words[1];
  if (!isWord(words[0], 'CREATE') || !(isWord(makes, 'INDEX') || isWord(makes, 'VIEW'))) return;
  try {
    to.prepare(sql).run();
  } catch (error) {
    if (!isSchemaProblem(error)) throw error;
  }
}

function copyStatistics(from: Db, to: Db): void {
  const found = from.prepare(`SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = 'sqlite_stat1'`).get();
  if (found === undefined) return;
  to.prepare('ANALYZE').run();
  const add = to.prepare('INSERT INTO sqlite_stat1 VALUES (?, ?, ?)');
  for (const row of from.prepare('SELECT tbl, idx, stat FROM main.sqlite_stat1').raw().all()) {
    if (Array.isArray(row)) add.run(...row);
  }
  to.prepare('ANALYZE sqlite_schema').run();
}
