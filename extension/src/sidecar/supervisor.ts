import { AppError } from '@devdb/shared/errors';
import type { SidecarClient } from './sidecar-client.ts';
import type { SidecarCommand } from './sidecar-process.ts';
import type { RunOptions, RunState, SidecarRun } from './sidecar-run.ts';

/** The state of this window's sidecar. */
export type SidecarState =
  /** No project needs it. */
  | { readonly kind: 'off' }
  /** Stopped by the user, until they start it again. */
  | { readonly kind: 'stopped' }
  | RunState;

export interface SupervisorOptions extends Omit<RunOptions, 'command' | 'onState'> {
  /** How to start a sidecar now. */
  readonly command: () => SidecarCommand;
  readonly onState: (state: SidecarState) => void;
}

/** Decides whether the window's sidecar runs, and follows the folders, the settings and the user. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #waiting = new Set<() => void>();
  #state: SidecarState = { kind: 'off' };
  #last: Promise<void> = Promise.resolve();
  #run: SidecarRun | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  get state(): SidecarState {
    return this.#state;
  }

  /** The greeted sidecar, while there is one. */
  get client(): SidecarClient | undefined {
    return this.#run?.client;
  }

  /** The greeted sidecar; a call during its start waits for it until the signal aborts. */
  async ready(signal: AbortSignal): Promise<SidecarClient> {
    for (;;) {
      const { client } = this;
      // A pipe can close before its process is known to have ended.
      if (client !== undefined && !client.closed) return client;
      if (signal.aborted) throw new AppError('E_CANCELLED', 'The call was cancelled.');
      if (this.#state.kind !== 'starting' && this.#state.kind !== 'running') throw notRunning(this.#state);
      await this.#nextState(signal);
    }
  }

  /** Restarts it, even if the user had stopped it; without projects nothing runs. */
  restart(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#endRun();
      await this.#startIfWanted();
    });
  }

  /** Folders or settings have changed: a running sidecar continues and gets the new ones; a failed one is started again. */
  update(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#state.kind === 'stopped') return;
      const run = this.#run;
      const stays = run !== undefined && this.#state.kind !== 'failed' && this.#options.projects().length > 0;
      if (stays && run.nodePath === this.#options.command().nodePath) return run.tell();
      await this.#endRun();
      await this.#startIfWanted();
    });
  }

  /** Ends it at the user's request, and waits until it is gone. */
  stop(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#endRun();
      this.#enter({ kind: 'stopped' });
    });
  }

  /** Ends it with the window. */
  end(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#endRun();
      this.#enter({ kind: 'off' });
    });
  }

  async #startIfWanted(): Promise<void> {
    const { command, projects } = this.#options;
    if (projects().length === 0) {
      this.#enter({ kind: 'off' });
      return;
    }
    this.#enter({ kind: 'starting' });
    // Loaded with the first sidecar, so that a window without one does not load the pipe and its schemas.
    const { SidecarRun: Run } = await import('./sidecar-run.ts');
    const run: SidecarRun = new Run({
      ...this.#options,
      command: command(),
      onState: (state) => {
        if (this.#run === run) this.#enter(state);
      },
    });
    this.#run = run;
  }

  async #endRun(): Promise<void> {
    const run = this.#run;
    this.#run = undefined;
    await run?.stop();
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

  /** Settings, folders and the user may all act at once; two parallel runs would leave one behind. */
  #inTurn(step: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(step);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

function notRunning(state: Exclude<SidecarState, { kind: 'starting' | 'running' }>): AppError {
  switch (state.kind) {
    case 'failed':
      return new AppError('E_UNREACHABLE', `The DevDB sidecar of this window stopped: ${state.reason}.`, {
        hint: 'The user can run "DevDB: Restart" in this window; the DevDB log there says more.',
      });
    case 'stopped':
      return new AppError('E_DISABLED', 'DevDB was stopped in this window.', {
        hint: 'The user can run "DevDB: Restart" in this window.',
      });
    case 'off':
      return new AppError('E_DISABLED', 'DevDB is off in this window.', {
        hint: 'Open a folder, and make sure that Devdb.enableMcpServer is on for it.',
      });
  }
}
