import type { ToolInput, ToolOutput } from '@devdb/shared/tools';
import { MAX_SEARCH_MATCHES } from '../limits.ts';
import { nameMatcher } from '../name-matcher.ts';
import { allTables, type Db, type TableFacts } from './catalog.ts';
import { columnRows, declaredType, isSchemaProblem } from './overview.ts';

type Match = ToolOutput<'search-schema'>['matches'][number];
type Kind = ToolInput<'search-schema'>['kind'];

/** Tables, views and columns whose names match; tables before columns. SQLite has no routines. */
export function searchSchema(db: Db, pattern: string, kind: Kind): ToolOutput<'search-schema'> {
  const matches = nameMatcher(pattern);
  const found: Match[] = [];
  let total = 0;
  for (const match of candidates(db, kind)) {
    if (!matches(match.name)) continue;
    total += 1;
    if (found.length < MAX_SEARCH_MATCHES) found.push(match);
  }
  return { matches: found, total, truncated: total > found.length };
}

function* candidates(db: Db, kind: Kind): Generator<Match> {
  if (kind === 'routine') return;
  const tables = allTables(db);
  for (const { name, type } of tables) {
    const own = type === 'view' ? 'view' : 'table';
    if (kind === undefined || kind === own) yield { kind: own, name };
  }
  if (kind !== undefined && kind !== 'column') return;
  for (const table of tables) yield* columnsOf(db, table);
}

function columnsOf(db: Db, table: TableFacts): Match[] {
  try {
    return columnRows(db, table.name).map(({ name, type }) => {
      const declared = declaredType(type);
      const match = { kind: 'column', name, table: table.name } as const;
      return declared === '' ? match : { ...match, type: declared };
    });
  } catch (error) {
    // A view whose tables are gone has no columns to find.
    if (isSchemaProblem(error)) return [];
    throw error;
  }
}
