import { AppError } from '@devdb/shared/errors';
import type { SidecarClient } from './sidecar-client.ts';
import type { SidecarCommand } from './sidecar-process.ts';
import type { RunOptions, RunState, SidecarRun } from './sidecar-run.ts';

/** What the sidecar of this window is doing. */
export type SidecarState =
  /** No project wants it. */
  | { readonly kind: 'off' }
  /** A person stopped it; it stays so until they start it again. */
  | { readonly kind: 'stopped' }
  | RunState;

export interface SupervisorOptions extends Omit<RunOptions, 'command' | 'onState'> {
  /** How a sidecar would be started now. */
  readonly command: () => SidecarCommand;
  readonly onState: (state: SidecarState) => void;
}

/** Decides whether the window's sidecar runs, and follows what folders, settings and the person want. */
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

  /** The greeted sidecar; while it starts, the call waits for it, until the signal aborts. */
  async ready(signal: AbortSignal): Promise<SidecarClient> {
    for (;;) {
      const { client } = this;
      // A pipe can be closed before its process has been seen to end.
      if (client !== undefined && !client.closed) return client;
      if (signal.aborted) throw new AppError('E_CANCELLED', 'The call was cancelled.');
      if (this.#state.kind !== 'starting' && this.#state.kind !== 'running') throw notRunning(this.#state);
      await this.#nextState(signal);
    }
  }

  /** Starts it anew, also one that a person stopped; without projects nothing runs. */
  restart(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#endRun();
      await this.#startIfWanted();
    });
  }

  /** Folders or settings are different now: a running sidecar goes on and is told, one that was given up gets a chance. */
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

  /** Ends it because a person wants it, and waits until it is gone. */
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
    // Loaded with the first sidecar: a window without one is spared the pipe and the schemas of its messages.
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

  /** Settings, folders and a person may all ask at once; two runs side by side would leave one behind. */
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
