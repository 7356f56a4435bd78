import type { EngineContext, ServerTarget } from '../engine.ts';
import { ServerPool } from '../server-pool.ts';
import { configurationOf } from './address.ts';
import { ServerConnection } from './connection.ts';
import { ConnectionLost, connectionError, lost } from './failures.ts';

/** The connections to one database of SQL Server. */
export class Connections extends ServerPool<ServerConnection> {
  constructor(target: ServerTarget, { projectRoot, log }: EngineContext) {
    const parts = {
      name: 'mssql',
      connect: async (signal: AbortSignal) => ServerConnection.open(configurationOf(target, projectRoot), signal),
      stop: (connection: ServerConnection) => connection.stop(),
      // Its own word on the connection that was stopped, which it gives whatever the rights of the login are.
      stillRuns: async (connection: ServerConnection) => connection.isBusy && !connection.isBroken,
      isLost: (error: unknown) => error instanceof ConnectionLost,
      lost,
      refused: (error: unknown) => connectionError(error, undefined),
    };
    super(parts, log);
  }
}
