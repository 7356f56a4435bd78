import { toWire } from '@devdb/shared/errors';
import type { DatabaseState } from '@devdb/shared/protocol/sidecar-methods';
import type { DatabaseBook } from './database-book.ts';

/** The default database of a project, or a sentence on why there is none. Connects to nothing. */
export async function databaseState(book: DatabaseBook, signal: AbortSignal): Promise<DatabaseState> {
  try {
    const { entries } = await book.state(signal);
    const chosen = entries.find(({ isDefault }) => isDefault);
    if (chosen !== undefined) return { name: chosen.name, engine: chosen.kind };
    if (entries.length === 0) return { problem: 'No database was found.' };
    return { problem: 'There is no default database: every database found needs approval.' };
  } catch (error) {
    signal.throwIfAborted();
    return { problem: toWire(error).message };
  }
}
