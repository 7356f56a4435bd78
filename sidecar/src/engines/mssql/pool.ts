import type { EngineContext, ServerTarget } from '../engine.ts';
import { ServerPool } from '../server-pool.ts';
import { configurationOf } from './address.ts';
import { ServerConnection } from './connection.ts';
import { ConnectionLost, connectionError, lost } from './errors.ts';
import { stillRuns } from './leftover.ts';

/** The connections to one database of SQL Server. */
export class Connections extends ServerPool<ServerConnection> {
  constructor(target: ServerTarget, { projectRoot, held, log }: EngineContext) {
    const connect = async (signal: AbortSignal): Promise<ServerConnection> =>
      ServerConnection.open(configurationOf(target, projectRoot), held, signal);
    const parts = {
      name: 'mssql',
      connect,
      stop: (connection: ServerConnection) => connection.stop(),
      stillRuns: (connection: ServerConnection, signal: AbortSignal) => stillRuns(connection, connect, signal),
      isLost: (error: unknown) => error instanceof ConnectionLost,
      lost,
      refused: (error: unknown) => connectionError(error, undefined),
    };
    super(parts, log);
  }
}
