import type { EngineContext, ServerTarget } from '../engine.ts';
import { ServerPool } from '../server-pool.ts';
import { ServerConnection } from './connection.ts';
import { connectionError, failureOf, isEnding, lost } from './failures.ts';

/** The connections to one database of Postgres. */
export class Connections extends ServerPool<ServerConnection> {
  /** `prepare` gets each new connection before anybody else. */
  constructor(
    target: ServerTarget,
    { projectRoot, log }: EngineContext,
    prepare: (connection: ServerConnection) => Promise<void>,
  ) {
    const parts = {
      name: 'postgres',
      connect: (signal: AbortSignal) => ServerConnection.open(target, projectRoot, signal),
      prepare,
      stop: (connection: ServerConnection) => connection.cancel(),
      isLost: (error: unknown, connection: ServerConnection) => connection.isBroken || isEnding(failureOf(error)),
      lost,
      refused: connectionError,
    };
    super(parts, log);
  }
}
