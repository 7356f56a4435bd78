import { AppError } from '@devdb/shared/errors';
import { MAX_SIDECAR_RESTARTS, SIDECAR_RESTART_PAUSE_MS, SIDECAR_RESTART_WINDOW_MS } from '@devdb/shared/limits';
import { type EditorSide, SidecarClient, type WindowProject } from './sidecar-client.ts';
import { type SidecarCommand, SidecarProcess } from './sidecar-process.ts';

/** What the status bar shows. */
export type SidecarState =
  | { readonly kind: 'off' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly projects: readonly { readonly root: string; readonly port: number }[] }
  /** The budget of restarts is used up: it does not come back by itself. */
  | { readonly kind: 'failed'; readonly reason: string };

export interface SupervisorOptions {
  readonly command: () => SidecarCommand;
  readonly projects: () => readonly WindowProject[];
  readonly side: EditorSide;
  readonly onState: (state: SidecarState) => void;
  readonly log: (line: string) => void;
  readonly now: () => number;
  /** Resolves after the time, or at once when the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Keeps one sidecar running while it is wanted: starts it, greets it, starts it again when it stops by itself. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #waiting = new Set<() => void>();
  #state: SidecarState = { kind: 'off' };
  #client: SidecarClient | undefined;
  #last: Promise<void> = Promise.resolve();
  #run: { readonly controller: AbortController; readonly over: Promise<void> } | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** The greeted sidecar, while there is one. */
  get client(): SidecarClient | undefined {
    return this.#client;
  }

  /** The greeted sidecar; while it starts, the call waits for it, until the signal aborts. */
  async ready(signal: AbortSignal): Promise<SidecarClient> {
    // A pipe can be closed before its process has been seen to end.
    while (this.#client === undefined || this.#client.closed) {
      if (signal.aborted) throw new AppError('E_CANCELLED', 'The call was cancelled.');
      if (this.#state.kind === 'off' || this.#state.kind === 'failed') throw notRunning(this.#state);
      await this.#nextState(signal);
    }
    return this.#client;
  }

  /** Starts it anew with the projects and settings of now; without projects nothing runs. */
  restart(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#stopRun();
      if (this.#options.projects().length === 0) {
        this.#enter({ kind: 'off' });
        return;
      }
      const controller = new AbortController();
      this.#run = { controller, over: this.#keepRunning(controller.signal) };
    });
  }

  /** Ends it and waits until it is gone. */
  stop(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#stopRun();
      this.#enter({ kind: 'off' });
    });
  }

  #enter(state: SidecarState): void {
    this.#state = state;
    this.#options.onState(state);
    for (const wake of [...this.#waiting]) wake();
  }

  #nextState(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  /** Settings, folders and a person may all ask at once; two runs side by side would leave one behind. */
  #inTurn(step: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(step);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #stopRun(): Promise<void> {
    const run = this.#run;
    this.#run = undefined;
    run?.controller.abort();
    await run?.over;
  }

  async #keepRunning(stopping: AbortSignal): Promise<void> {
    const { now, pause, log } = this.#options;
    const stops: number[] = [];
    this.#enter({ kind: 'starting' });
    while (!stopping.aborted) {
      const reason = await this.#runOnce(stopping);
      if (stopping.aborted) return;
      stops.push(now());
      const recent = stops.filter((time) => now() - time < SIDECAR_RESTART_WINDOW_MS).length;
      if (recent > MAX_SIDECAR_RESTARTS) {
        this.#enter({ kind: 'failed', reason });
        return;
      }
      this.#enter({ kind: 'starting' });
      log(`The sidecar stopped: ${reason}. Starting it again (${recent} of ${MAX_SIDECAR_RESTARTS}).`);
      await pause(SIDECAR_RESTART_PAUSE_MS * 2 ** (recent - 1), stopping);
    }
  }

  /** One life of the sidecar; resolves with the reason of its end. */
  async #runOnce(stopping: AbortSignal): Promise<string> {
    const { command, projects, side, log } = this.#options;
    const sidecar = new SidecarProcess(command(), log);
    const client = new SidecarClient(sidecar, side);
    try {
      const { projects: opened } = await client.hello(projects(), stopping);
      this.#client = client;
      this.#enter({ kind: 'running', projects: opened });
      await Promise.race([sidecar.stopped, client.gone, aborted(stopping)]);
      if (stopping.aborted) await client.shutdown();
    } catch (error) {
      // The handshake failed. A process that died says more about it than the closed pipe does.
      await sidecar.end();
      return `${error instanceof Error ? error.message : String(error)} (${await sidecar.stopped})`;
    } finally {
      this.#client = undefined;
      await sidecar.end();
      client.close();
    }
    return sidecar.stopped;
  }
}

function notRunning(state: SidecarState): AppError {
  if (state.kind === 'failed') {
    return new AppError('E_UNREACHABLE', `The DevDB sidecar of this window stopped: ${state.reason}.`, {
      hint: 'A person can run "DevDB: Restart" in this window; the DevDB log there says more.',
    });
  }
  return new AppError('E_DISABLED', 'DevDB is off in this window.', {
    hint: 'Open a folder, and see that Devdb.enableMcpServer is on for it.',
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
