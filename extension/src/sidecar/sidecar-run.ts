import { untilAborted } from '@devdb/shared/abort';
import { AppError } from '@devdb/shared/errors';
import type { ProjectOutcome, WindowProject } from '@devdb/shared/protocol/handshake';
import {
  MAX_SIDECAR_ENDS,
  MAX_SIDECAR_RESTARTS,
  SIDECAR_RESTART_PAUSE_MS,
  SIDECAR_RESTART_WINDOW_MS,
} from './limits.ts';
import { type EditorSide, SidecarClient } from './sidecar-client.ts';
import { type SidecarCommand, SidecarProcess } from './sidecar-process.ts';

/** The state of a wanted sidecar. A run begins with starting, and returns to it with each restart. */
export type RunState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly projects: readonly ProjectOutcome[] }
  /** The restart budget is used up, so it is not restarted. */
  | { readonly kind: 'failed'; readonly reason: string };

export interface RunOptions {
  readonly command: SidecarCommand;
  /** The current projects. */
  readonly projects: () => readonly WindowProject[];
  readonly side: EditorSide;
  readonly onState: (state: RunState) => void;
  /** A line of the sidecar's own log. */
  readonly onLogLine: (line: string) => void;
  readonly log: (line: string) => void;
  readonly now: () => number;
  /** Resolves after the time, or at once when the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** A shorter timeout, for tests. */
  readonly handshakeMs?: number;
}

/** How one process of the sidecar ended. */
interface LifeEnd {
  readonly reason: string;
  /** It had answered the greeting. */
  readonly cameUp: boolean;
  /** Another attempt is pointless. */
  readonly isHopeless: boolean;
}

/** Keeps a sidecar running until it is stopped: greets it, sends it changes, restarts it when it dies. */
export class SidecarRun {
  readonly #options: RunOptions;
  readonly #stopping = new AbortController();
  readonly #over: Promise<void>;
  #client: SidecarClient | undefined;
  #isStale = false;
  #telling: Promise<void> | undefined;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#over = this.#keepRunning();
  }

  get nodePath(): string {
    return this.#options.command.nodePath;
  }

  /** The greeted sidecar, while there is one. */
  get client(): SidecarClient | undefined {
    return this.#client;
  }

  /** Projects or settings have changed. A sidecar that is starting gets them once it is greeted. */
  async tell(): Promise<void> {
    this.#isStale = true;
    if (this.#client === undefined) return;
    this.#telling ??= this.#tellUntilFresh(this.#client).finally(() => {
      this.#telling = undefined;
    });
    await this.#telling;
  }

  /** Ends it and waits until it is gone. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#over;
  }

  async #tellUntilFresh(client: SidecarClient): Promise<void> {
    const { projects, onState, side } = this.#options;
    while (this.#isStale && this.#client === client) {
      this.#isStale = false;
      try {
        const outcomes = await client.setProjects(projects(), this.#stopping.signal);
        if (this.#client === client) onState({ kind: 'running', projects: outcomes });
      } catch (error) {
        // A sidecar that died gets everything at its next start; one being stopped needs nothing.
        if (!client.closed && !this.#stopping.signal.aborted) side.onFault(error);
      }
    }
  }

  async #keepRunning(): Promise<void> {
    const { now, pause, log, onState } = this.#options;
    const { signal } = this.#stopping;
    const ends: number[] = [];
    let inVain = 0;
    while (!signal.aborted) {
      const end = await this.#runOnce();
      if (signal.aborted) return;
      ends.push(now());
      const recent = ends.filter((time) => now() - time < SIDECAR_RESTART_WINDOW_MS).length;
      inVain = end.cameUp ? 0 : inVain + 1;
      if (end.isHopeless || inVain > MAX_SIDECAR_RESTARTS || recent > MAX_SIDECAR_ENDS) {
        onState({ kind: 'failed', reason: end.reason });
        return;
      }
      onState({ kind: 'starting' });
      log(`The sidecar stopped: ${end.reason}. Starting it again.`);
      await pause(SIDECAR_RESTART_PAUSE_MS * 2 ** Math.max(0, inVain - 1), signal);
    }
  }

  /** One process of the sidecar, from start to end. */
  async #runOnce(): Promise<LifeEnd> {
    const { command, projects, side, onLogLine, onState, handshakeMs } = this.#options;
    const { signal } = this.#stopping;
    const sidecar = new SidecarProcess(command, onLogLine);
    const client = new SidecarClient(sidecar, side);
    let failed = '';
    let cameUp = false;
    try {
      this.#isStale = false;
      const { projects: opened } = await client.hello(projects(), signal, handshakeMs);
      this.#client = client;
      cameUp = true;
      onState({ kind: 'running', projects: opened });
      if (this.#isStale) await this.tell();
      await untilAborted(Promise.race([sidecar.stopped, client.gone]), signal);
      if (signal.aborted) await client.shutdown();
    } catch (error) {
      failed = sentenceOf(error);
    } finally {
      this.#client = undefined;
      await sidecar.end();
      client.close();
    }
    const { reason, neverRan } = await sidecar.stopped;
    return { reason: failed === '' ? reason : `${failed} (${reason})`, cameUp, isHopeless: neverRan };
  }
}

/** Why the greeting failed; empty when the pipe just closed, since the end of the process says more. */
function sentenceOf(error: unknown): string {
  if (error instanceof AppError) return error.code === 'E_UNREACHABLE' ? '' : error.message.replace(/\.$/, '');
  return error instanceof Error ? error.message : String(error);
}
