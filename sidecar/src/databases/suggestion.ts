import { SERVER_TYPES, SERVERS } from '@devdb/shared/engines';
import type { SuggestedConnection } from '@devdb/shared/protocol/suggested-connection';
import type { Skipped, Suggested } from '../detection/detector.ts';

/** What to write into `.devdbrc` for a database that was only half understood. */
export interface Suggestion {
  readonly connection: SuggestedConnection;
  /** The same as one line that is a valid `.devdbrc`. */
  readonly line: string;
  readonly from: Pick<Skipped, 'file' | 'line'>;
}

/** The suggestion for the first database that was half understood; undefined when there is none. */
export function suggestionFrom(skipped: readonly Skipped[]): Suggestion | undefined {
  const half = skipped.find(({ suggests }) => suggests !== undefined);
  if (half?.suggests === undefined) return undefined;
  const connection = connectionOf(half.suggests);
  return { connection, line: JSON.stringify([connection]), from: { file: half.file, line: half.line } };
}

/** Never with a password: the file may be committed, and VS Code asks for it. */
function connectionOf({ kind, host, port, user, database }: Suggested): SuggestedConnection {
  if (kind === 'sqlite') return { type: kind, path: database ?? 'data/app.db' };
  const type = SERVER_TYPES.find((one) => SERVERS[one].kind === kind);
  if (type === undefined) throw new Error(`No connection in .devdbrc has the engine ${kind}.`);
  return {
    type,
    host: host ?? 'localhost',
    ...(port === undefined ? {} : { port }),
    ...(user === undefined || user === '' ? {} : { username: user }),
    database: database ?? 'NAME',
  };
}
