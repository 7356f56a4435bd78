import type { Engine, EngineContext, Session, Target } from '../engine.ts';
import { reader } from './reader.ts';
import { PostgresSession } from './session.ts';

/** Postgres, with its own grammar and a read-only transaction for every read. */
export const postgresEngine: Engine = { kind: 'postgres', open, reader };

/** Opens nothing yet: the first statement connects. */
function open(target: Target, context: EngineContext): Session {
  if ('file' in target) throw new Error('Postgres is a server, and this target is a file.');
  return new PostgresSession(target, context);
}
