import { AppError } from '@devdb/shared/errors';
import type { Session } from './engine.ts';
import { LOOKUP_BYTES, LOOKUP_CELL_BYTES, MOST_LOOKUP_ROWS } from './limits.ts';
import type { LookupPlace, Outline } from './overview-outline.ts';
import type { Overview, TableEntry } from './overview-text.ts';

type LookupRows = NonNullable<TableEntry['lookupRows']>;

/** Reads the rows of the lookup tables, each as any other read: judged, under guard, capped. */
export async function withLookups(
  { answer, lookups }: Outline,
  session: Pick<Session, 'prepare'>,
  signal: AbortSignal,
): Promise<Overview> {
  const places = new Map(lookups.map((place) => [place.name, place]));
  const tables: TableEntry[] = [];
  let room = LOOKUP_BYTES;
  for (const entry of answer.tables) {
    const place = places.get(entry.name);
    if (place === undefined || room <= 0) {
      tables.push(entry);
      continue;
    }
    const read = await lookupRows(place, session, room, signal);
    if (read === undefined) {
      const { lookup: _lookup, ...plain } = entry;
      tables.push(plain);
      continue;
    }
    room -= Buffer.byteLength(JSON.stringify(read));
    tables.push({ ...entry, lookupRows: read });
  }
  return { ...answer, tables };
}

/** Undefined where there are too many rows for a list of codes: the estimate was wrong. */
async function lookupRows(
  { from, ordered }: LookupPlace,
  session: Pick<Session, 'prepare'>,
  bytes: number,
  signal: AbortSignal,
): Promise<LookupRows | undefined> {
  try {
    const statement = await session.prepare(`SELECT * FROM ${from}${ordered ? ' ORDER BY 1' : ''}`, signal);
    if (statement.effect !== 'read') return { error: 'Its rows cannot be read without a question.' };
    const caps = { rows: MOST_LOOKUP_ROWS, bytes, cellBytes: LOOKUP_CELL_BYTES };
    const outcome = await statement.read(caps, signal);
    if (outcome.kind !== 'rows') return { error: `Reading it was refused as ${outcome.verb}.` };
    const { columns, rows, rowCount, truncated, cut } = outcome.rows;
    if (truncated && rowCount >= MOST_LOOKUP_ROWS) return undefined;
    if (truncated) return { error: 'Its rows did not fit: name this table alone in tables.' };
    return { columns: columns.map(({ name }) => name), rows, ...(cut === undefined ? {} : { cut }) };
  } catch (error) {
    // One table that may not be read does not lose the others.
    if (error instanceof AppError && IN_ITS_PLACE.has(error.code)) return { error: error.message };
    throw error;
  }
}

const IN_ITS_PLACE: ReadonlySet<string> = new Set(['E_SQL', 'E_UNKNOWN_TABLE', 'E_READ_ONLY']);
