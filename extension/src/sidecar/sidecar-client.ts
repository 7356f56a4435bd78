import type { Envelope } from '@devdb/shared/envelope';
import { AppError } from '@devdb/shared/errors';
import {
  ASK_TIMEOUT_MS,
  GATE_GRACE_MS,
  HANDSHAKE_TIMEOUT_MS,
  MAX_QUERY_TIMEOUT_MS,
  SHUTDOWN_GRACE_MS,
} from '@devdb/shared/limits';
import type { Answer, Progress, Question } from '@devdb/shared/protocol';
import { askPerson } from '@devdb/shared/protocol/editor-methods';
import { checkPipeVersion, hello, PIPE_VERSION, type ProjectSettings } from '@devdb/shared/protocol/handshake';
import { Peer } from '@devdb/shared/protocol/peer';
import { runTool, shutdown, status, toolProgress } from '@devdb/shared/protocol/sidecar-methods';
import { StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import type { SidecarProcess } from './sidecar-process.ts';

/** Longer than any tool may take with a question in between: the gate's own deadline always comes first. */
const TOOL_CALL_LIMIT_MS = MAX_QUERY_TIMEOUT_MS + ASK_TIMEOUT_MS + GATE_GRACE_MS;

export interface WindowProject {
  readonly root: string;
  readonly settings: ProjectSettings;
}

export interface EditorSide {
  readonly version: string;
  readonly editor: string;
  readonly client: { readonly id: string; readonly name: string };
  readonly ask: (question: Question, signal: AbortSignal) => Promise<Answer>;
  readonly onFault: (error: unknown) => void;
}

export interface ToolCall {
  readonly tool: string;
  readonly input: unknown;
  readonly signal: AbortSignal;
  readonly progress?: (progress: Progress) => void;
}

/** The editor's end of the pipe. */
export class SidecarClient {
  readonly #peer: Peer;
  readonly #side: EditorSide;
  readonly #listeners = new Map<string, (progress: Progress) => void>();
  readonly #gone: Promise<void>;
  #calls = 0;

  constructor({ input, output }: Pick<SidecarProcess, 'input' | 'output'>, side: EditorSide) {
    this.#side = side;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gone = promise;
    this.#peer = new Peer({
      reader: new StreamMessageReader(input),
      writer: new StreamMessageWriter(output),
      gone: sidecarGone,
      onFault: side.onFault,
      onClosed: resolve,
    });
    this.#peer.answer(askPerson, async (question, signal) => ({ answer: await side.ask(question, signal) }));
    this.#peer.hear(toolProgress, ({ call, progress, total, message }) => {
      this.#listeners.get(call)?.({
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      });
    });
    this.#peer.listen();
  }

  get closed(): boolean {
    return this.#peer.closed;
  }

  /** Resolves when the pipe is closed, by whichever end. */
  get gone(): Promise<void> {
    return this.#gone;
  }

  /** The handshake: opens the window's projects and answers their ports. */
  async hello(projects: readonly WindowProject[], signal: AbortSignal) {
    const { version, editor } = this.#side;
    const params = { pipeVersion: PIPE_VERSION, version, editor, projects: [...projects] };
    const answer = await this.#peer.call(hello, params, { signal, timeoutMs: HANDSHAKE_TIMEOUT_MS });
    checkPipeVersion(answer.pipeVersion, version, answer.version);
    return answer;
  }

  /** Runs a tool through the sidecar's gate. */
  async runTool({ tool, input, signal, progress }: ToolCall): Promise<Envelope> {
    this.#calls += 1;
    const call = String(this.#calls);
    if (progress !== undefined) this.#listeners.set(call, progress);
    try {
      const params = { call, tool, input, client: this.#side.client };
      return await this.#peer.call(runTool, params, { signal, timeoutMs: TOOL_CALL_LIMIT_MS });
    } finally {
      this.#listeners.delete(call);
    }
  }

  /** What the sidecar says about itself. */
  status(signal: AbortSignal) {
    return this.#peer.call(status, {}, { signal, timeoutMs: HANDSHAKE_TIMEOUT_MS });
  }

  /** Asks the sidecar to end in order. That it is gone already is as good. */
  async shutdown(): Promise<void> {
    try {
      await this.#peer.call(shutdown, {}, { timeoutMs: SHUTDOWN_GRACE_MS });
    } catch (error) {
      if (!this.#peer.closed) this.#side.onFault(error);
    }
  }

  close(): void {
    this.#peer.close();
  }
}

function sidecarGone(): AppError {
  return new AppError('E_UNREACHABLE', 'The DevDB sidecar of this window is not running.', {
    hint: 'It is started again by itself; call again in a moment. The DevDB log of the window says why it stopped.',
  });
}
