import type { AdvisedFlag } from '@devdb/shared/plans';
import { createIndex } from '../create-index.ts';
import { searches, tablesInWant, withNamedIndexes } from '../plan-flags.ts';
import type { NamedIndex } from '../plan-steps.ts';
import { allTables, type Db } from './catalog.ts';
import { columnRows } from './overview.ts';
import { explainable } from './plan.ts';
import { quoteName, readableName } from './quote.ts';
import { copySchema } from './scratch-schema.ts';
import { isName, isWord, tokenize } from './tokenize.ts';

/** Copying a larger schema would take longer than the advice is worth. */
const MOST_TABLES = 500;
/** Columns that a statement compares which are tried, alone and in pairs. */
const MOST_COLUMNS = 6;
const MOST_FLAGGED = 5;
const TRIED = 'devdb_tried_index';

interface Advice {
  readonly columns: readonly string[];
  /** SQLite's own words: `b=? AND a>?`. */
  readonly constraint: string;
}

/**
 * Names the index that would help with each table that is read as a whole or has an index built for it. An index is
 * named only when SQLite plans to search it: planned in a scratch database with a copy of the schema.
 */
export function withIndexAdvice(
  db: Db,
  openScratch: () => Db,
  sql: string,
  flags: readonly AdvisedFlag[],
): readonly AdvisedFlag[] {
  const tables = tablesInWant(flags).slice(0, MOST_FLAGGED);
  if (tables.length === 0 || allTables(db).length > MOST_TABLES) return flags;
  const scratch = openScratch();
  try {
    copySchema(db, scratch);
    const statement = explainable(sql);
    const found = tables.flatMap((table) => {
      const advice = best(scratch, statement, table, comparedColumns(db, statement, table));
      return advice === undefined ? [] : [named(table, advice)];
    });
    return withNamedIndexes(flags, found);
  } finally {
    scratch.close();
  }
}

function named(table: string, { columns, constraint }: Advice): NamedIndex {
  const index = `${readableName(table)} (${columns.map(readableName).join(', ')})`;
  const create = createIndex({ table, on: quoteName(table), columns }, quoteName);
  return { table, index, create, tried: { engine: 'SQLite', does: searches(constraint) } };
}

/** The table's columns that the statement names behind its first FROM, UPDATE or WHERE. */
function comparedColumns(db: Db, statement: string, table: string): string[] {
  const columns = new Map(columnRows(db, table).map(({ name }) => [name.toLowerCase(), name]));
  const read = tokenize(statement);
  const tokens = read.ok ? read.tokens : [];
  const from = tokens.findIndex((token) => ['FROM', 'UPDATE', 'WHERE'].some((word) => isWord(token, word)));
  const named = tokens.slice(Math.max(from, 0)).flatMap((token) => {
    const name = isName(token) ? columns.get(token.value.toLowerCase()) : undefined;
    return name ?? [];
  });
  return [...new Set(named)].slice(0, MOST_COLUMNS);
}

function best(scratch: Db, statement: string, table: string, columns: readonly string[]): Advice | undefined {
  const pairs = columns.flatMap((one) => columns.flatMap((other) => (one === other ? [] : [[one, other]])));
  let found: Advice | undefined;
  for (const tried of [...columns.map((column) => [column]), ...pairs]) {
    const constraint = searched(scratch, statement, table, tried);
    // A longer index is better only when more of it is searched.
    if (constraint !== undefined && worth(constraint) > worth(found?.constraint))
      found = { columns: tried, constraint };
  }
  return found;
}

/** How SQLite would search an index on these columns, in its own words; undefined where it would not. */
function searched(scratch: Db, statement: string, table: string, columns: readonly string[]): string | undefined {
  scratch.prepare(`CREATE INDEX ${TRIED} ON ${quoteName(table)} (${columns.map(quoteName).join(', ')})`).run();
  try {
    const rows = scratch.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${statement}`).all();
    const uses = rows.flatMap(({ detail }) => constraintOf(detail) ?? []);
    return uses.sort((one, other) => worth(other) - worth(one))[0];
  } finally {
    scratch.prepare(`DROP INDEX ${TRIED}`).run();
  }
}

/** What stands in brackets behind the name of the index. */
function constraintOf(detail: string): string | undefined {
  const before = ` INDEX ${TRIED} (`;
  const at = detail.indexOf(before);
  return at < 0 ? undefined : detail.slice(at + before.length, detail.lastIndexOf(')'));
}

/** An equality narrows more than a range. */
function worth(constraint: string | undefined): number {
  if (constraint === undefined) return 0;
  return constraint.split(' AND ').reduce((sum, part) => sum + (/[<>]/.test(part) ? 1 : 2), 0);
}
