import type { Db, TableFacts } from './catalog.ts';
import { quoteName } from './quote.ts';

/** The least space a row takes in the file: a cell's pointer, its two lengths, its header. */
const LEAST_ROW_BYTES = 5;
const ROWID_NAMES = ['rowid', '_rowid_', 'oid'];

/** How many rows a table has, and whether it may only be fewer. */
export interface EstimatedRows {
  readonly rows: number;
  readonly atMost: boolean;
}

/** Estimates a table's rows without reading the table; undefined where that is not possible. */
export type RowEstimate = (table: TableFacts) => EstimatedRows | undefined;

/** Reads the statistics from ANALYZE once, and estimates other tables from their first and last rowid. */
export function rowEstimates(db: Db): RowEstimate {
  const analysed = analysedRows(db);
  const most = mostRows(db);
  return (table) => {
    if (table.type !== 'table') return undefined;
    const known = analysed.get(table.name.toLowerCase());
    if (known !== undefined) return { rows: known, atMost: false };
    const span = table.withoutRowid ? null : rowidSpan(db, table.name, most);
    return span === null ? undefined : { rows: span, atMost: true };
  };
}

/** Counts up to this many rows: the rest of a large table is never read. */
export function countUpTo(db: Db, table: string, most: number): number {
  const sql = `SELECT count(*) AS rows FROM (SELECT 1 FROM main.${quoteName(table)} LIMIT ?)`;
  return Number(db.prepare<[number], { rows: number | bigint }>(sql).get(most)?.rows ?? 0);
}

function analysedRows(db: Db): Map<string, number> {
  const found = db.prepare(`SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = 'sqlite_stat1'`).get();
  if (found === undefined) return new Map();
  const rows = db
    .prepare<[], { tbl: string; rows: number | bigint }>(
      'SELECT tbl, max(CAST(stat AS INTEGER)) AS rows FROM main.sqlite_stat1 WHERE tbl IS NOT NULL GROUP BY tbl',
    )
    .all();
  return new Map(rows.map(({ tbl, rows: count }) => [String(tbl).toLowerCase(), safeCount(count) ?? 0]));
}

function mostRows(db: Db): number {
  const facts = db
    .prepare<[], { bytes: number | bigint }>(
      `SELECT (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size) AS bytes`,
    )
    .get();
  return Math.ceil(Number(facts?.bytes ?? 0) / LEAST_ROW_BYTES);
}

/**
 * The last rowid minus the first: two lookups in the b-tree. Ids spread wider than the file has room for say nothing.
 */
function rowidSpan(db: Db, table: string, most: number): number | null {
  const taken = new Set(
    db
      .prepare<[string], { name: string }>(`SELECT lower(name) AS name FROM pragma_table_xinfo(?, 'main')`)
      .all(table)
      .map(({ name }) => name),
  );
  const rowid = ROWID_NAMES.find((name) => !taken.has(name));
  if (rowid === undefined) return null;
  const from = `FROM main.${quoteName(table)}`;
  const sql = `SELECT (SELECT max(${rowid}) ${from}) AS last, (SELECT min(${rowid}) ${from}) AS first`;
  const ends = db.prepare<[], { last: bigint | null; first: bigint | null }>(sql).safeIntegers().get();
  if (ends === undefined || ends.last === null || ends.first === null) return 0;
  const span = safeCount(ends.last - ends.first + 1n);
  return span === undefined || span > most ? null : span;
}

function safeCount(count: number | bigint): number | undefined {
  const value = Number(count);
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
