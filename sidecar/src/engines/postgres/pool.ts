import type { EngineContext, ServerTarget } from '../engine.ts';
import { ServerPool } from '../server-pool.ts';
import { ServerConnection } from './connection.ts';
import { Control } from './control.ts';
import { connectionError, failureOf, isEnding, lost } from './errors.ts';

/** The connections to one Postgres database. */
export class Connections extends ServerPool<ServerConnection> {
  readonly #control: Control;

  /** `prepare` gets each new connection first. */
  constructor(target: ServerTarget, context: EngineContext, prepare: (connection: ServerConnection) => Promise<void>) {
    const connect = (signal: AbortSignal): Promise<ServerConnection> => ServerConnection.open(target, context, signal);
    const control = new Control(connect);
    const parts = {
      name: 'postgres',
      connect,
      prepare,
      stillRuns: async ({ processId, cutAt }: ServerConnection, signal: AbortSignal) =>
        processId !== undefined && cutAt !== undefined && control.isAlive(processId, performance.now() - cutAt, signal),
      stop: (connection: ServerConnection) => connection.cancel(),
      isLost: (error: unknown, connection: ServerConnection) => connection.isBroken || isEnding(failureOf(error)),
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
