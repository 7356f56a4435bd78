import type { EngineContext, ServerTarget } from '../engine.ts';
import { ServerPool } from '../server-pool.ts';
import { ServerConnection } from './connection.ts';
import { Control } from './control.ts';
import { connectionError, isLost, lost } from './errors.ts';

/** The connections to one MySQL or MariaDB database, and the one that stops statements on the others. */
export class Connections extends ServerPool<ServerConnection> {
  readonly #control: Control;

  /** `prepare` gets each new connection first. */
  constructor(target: ServerTarget, context: EngineContext, prepare: (connection: ServerConnection) => Promise<void>) {
    const connect = (signal: AbortSignal): Promise<ServerConnection> => ServerConnection.open(target, context, signal);
    const control = new Control(connect);
    const parts = {
      name: 'mysql',
      connect,
      prepare: (connection: ServerConnection) => {
        control.getReady();
        return prepare(connection);
      },
      stop: (connection: ServerConnection) => stop(connection, control),
      stillRuns: ({ threadId }: ServerConnection, signal: AbortSignal) => control.isAlive(threadId, signal),
      isLost,
      lost,
      refused: connectionError,
    };
    super(parts, context.log);
    this.#control = control;
  }

  override async end(): Promise<void> {
    await super.end();
    this.#control.end();
  }
}

/** The answer is unwanted, so the connection is cut first: it must not reach another call. */
async function stop(connection: ServerConnection, control: Control): Promise<void> {
  if (connection.isBroken) return;
  connection.cut();
  await control.kill(connection.threadId);
}
