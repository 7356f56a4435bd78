import { SERVER_TYPES, SERVERS } from '@devdb/shared/engines';
import type { Skipped, Suggested } from '../detection/detector.ts';
import type { EngineKind } from '../engines/engine.ts';

/** What to write into `.devdbrc` for a database that was only half understood. */
export interface Suggestion {
  /** One line that is a valid `.devdbrc`. */
  readonly line: string;
  readonly from: Pick<Skipped, 'file' | 'line'>;
}

/** The suggestion for the first database that was half understood; undefined when there is none. */
export function suggestionFrom(skipped: readonly Skipped[]): Suggestion | undefined {
  const half = skipped.find(({ suggests }) => suggests !== undefined);
  return (
    half?.suggests && { line: JSON.stringify([entryOf(half.suggests)]), from: { file: half.file, line: half.line } }
  );
}

/** Never with a password: the file may be committed, and VS Code asks for it. */
function entryOf({ kind, host, port, user, database }: Suggested): Readonly<Record<string, unknown>> {
  const type = typeOf(kind);
  if (kind === 'sqlite') return { type, path: database ?? 'data/app.db' };
  return {
    type,
    host: host ?? 'localhost',
    ...(port === undefined ? {} : { port }),
    ...(user === undefined || user === '' ? {} : { username: user }),
    database: database ?? 'NAME',
  };
}

function typeOf(kind: EngineKind): string {
  return kind === 'sqlite' ? kind : (SERVER_TYPES.find((type) => SERVERS[type].kind === kind) ?? kind);
}
