import { availableParallelism, loadavg } from 'node:os';
import { crowdFactor } from '@devdb/shared/crowd';
import { AppError } from '@devdb/shared/errors';
import {
  ASK_TIMEOUT_MS,
  GATE_GRACE_MS,
  HANDSHAKE_TIMEOUT_MS,
  MAX_QUERY_TIMEOUT_MS,
  SHUTDOWN_GRACE_MS,
} from '@devdb/shared/limits';
import type { Answer, Progress, Question } from '@devdb/shared/protocol';
import { activityChanged, type CallRecord } from '@devdb/shared/protocol/call-record';
import type { KeptDatabases } from '@devdb/shared/protocol/connection-methods';
import type { DoctorText } from '@devdb/shared/protocol/doctor-method';
import {
  askPerson,
  editorToolProgress,
  keptDatabases,
  lookAtWindow,
  notifyPerson,
  pingEditor,
  projectChanged,
  runEditorTool,
} from '@devdb/shared/protocol/editor-methods';
import {
  checkPipeVersion,
  hello,
  PIPE_VERSION,
  type ProjectOutcome,
  type WindowProject,
} from '@devdb/shared/protocol/handshake';
import type { Method, ParamsOf, ResultOf } from '@devdb/shared/protocol/method';
import { type CallOptions, Peer } from '@devdb/shared/protocol/peer';
import { progressOf } from '@devdb/shared/protocol/progress';
import { rowsArrived } from '@devdb/shared/protocol/rows-notice';
import type { SetupClient } from '@devdb/shared/protocol/setup-clients';
import {
  runTool,
  type SidecarStatus,
  setProjects,
  setupText,
  shutdown,
  status,
  toolProgress,
} from '@devdb/shared/protocol/sidecar-methods';
import { StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import { DOCTOR_TIMEOUT_MS } from './limits.ts';
import type { SidecarProcess } from './sidecar-process.ts';

/** Longer than any tool may take including a question, so that the gate's own deadline always comes first. */
const TOOL_CALL_LIMIT_MS = MAX_QUERY_TIMEOUT_MS + ASK_TIMEOUT_MS + GATE_GRACE_MS;

/** The answer to the greeting is small. If something endless comes instead, it is not buffered until the deadline. */
const MAX_BYTES_BEFORE_GREETING = 1024 * 1024;

const NOTHING_KEPT: KeptDatabases = { connections: [], passwords: [] };
const NOTHING_OPEN = { activeFile: '', openFiles: [] };

export type EditorToolRunner = (
  call: ParamsOf<typeof runEditorTool>,
  signal: AbortSignal,
  progress: (progress: Progress) => void,
) => Promise<unknown>;

type RowsNews = ParamsOf<typeof rowsArrived>;

export interface EditorSide {
  readonly version: string;
  readonly editor: string;
  /** What links begin with that open a table in it. */
  readonly linkOpener?: string;
  readonly client: { readonly id: string; readonly name: string };
  readonly ask: (question: Question, signal: AbortSignal) => Promise<Answer>;
  /** What the editor stores for a project: connections and passwords the user entered. */
  readonly kept?: (root: string) => Promise<KeptDatabases>;
  /** Which files of a project the window shows. */
  readonly look?: (root: string) => ResultOf<typeof lookAtWindow>;
  /** Shows the sidecar's messages to the user. */
  readonly notify: (news: ParamsOf<typeof notifyPerson>) => void;
  /** Something the sidecar reports of this project has changed. */
  readonly projectChanged: (root: string) => void;
  /** Calls of agents began, changed or ended; told while it was asked for. */
  readonly activity?: (calls: readonly CallRecord[]) => void;
  readonly runTool: EditorToolRunner;
  readonly onFault: (error: unknown) => void;
}

export interface ToolCall {
  /** Which project of the window; the first when left out. */
  readonly root?: string;
  readonly tool: string;
  readonly input: unknown;
  readonly signal: AbortSignal;
  readonly progress?: (progress: Progress) => void;
  /** The editor has just asked its user about this very call, and the answer was yes. */
  readonly confirmed?: boolean;
}

/** A tool's answer: its text, or its error's message. */
export interface ToolAnswer {
  readonly ok: boolean;
  readonly text: string;
}

/** The editor's end of the pipe. */
export class SidecarClient {
  readonly #peer: Peer;
  readonly #input: SidecarProcess['input'];
  readonly #side: EditorSide;
  readonly #listeners = new Map<string, (progress: Progress) => void>();
  readonly #rowListeners = new Map<string, (news: RowsNews) => void>();
  readonly #gone: Promise<void>;
  #calls = 0;

  constructor({ input, output }: Pick<SidecarProcess, 'input' | 'output'>, side: EditorSide) {
    this.#side = side;
    this.#input = input;
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
    this.#peer.answer(lookAtWindow, async ({ root }) => side.look?.(root) ?? NOTHING_OPEN);
    this.#peer.answer(keptDatabases, async ({ root }) => (await side.kept?.(root)) ?? NOTHING_KEPT);
    this.#peer.answer(pingEditor, async () => ({}));
    this.#peer.hear(notifyPerson, (news) => side.notify(news));
    this.#peer.hear(activityChanged, ({ calls }) => side.activity?.(calls));
    this.#peer.hear(projectChanged, ({ root }) => side.projectChanged(root));
    this.#peer.hear(rowsArrived, (news) => this.#rowListeners.get(news.result)?.(news));
    this.#peer.hear(toolProgress, (news) => this.#listeners.get(news.call)?.(progressOf(news)));
    this.#peer.answer(runEditorTool, (params, signal) =>
      side.runTool(params, signal, (progress) =>
        this.#peer.tell(editorToolProgress, { call: params.call, ...progress }),
      ),
    );
    this.#peer.listen();
  }

  get closed(): boolean {
    return this.#peer.closed;
  }

  /** Resolves when either end has closed the pipe. */
  get gone(): Promise<void> {
    return this.#gone;
  }

  /** The handshake: opens the window's projects and returns their ports. */
  async hello(projects: readonly WindowProject[], signal: AbortSignal, timeoutMs = HANDSHAKE_TIMEOUT_MS) {
    const { version, editor, linkOpener } = this.#side;
    const link = linkOpener === undefined ? {} : { linkOpener };
    const params = { pipeVersion: PIPE_VERSION, version, editor, projects: [...projects], ...link };
    const unwatch = this.#watchGreeting();
    try {
      const answer = await this.#peer.call(hello, params, { signal, timeoutMs, stretch: crowdNow });
      checkPipeVersion(answer.pipeVersion, version, answer.version);
      return answer;
    } finally {
      unwatch();
    }
  }

  /** Runs a tool through the sidecar's gate; returns the text for the model. */
  async runTool({ root, tool, input, signal, progress, confirmed = false }: ToolCall): Promise<ToolAnswer> {
    this.#calls += 1;
    const call = String(this.#calls);
    const unhear = this.hearProgress(call, progress ?? (() => undefined));
    try {
      const params = {
        call,
        tool,
        input,
        confirmed,
        client: this.#side.client,
        ...(root === undefined ? {} : { root }),
      };
      return await this.#peer.call(runTool, params, { signal, timeoutMs: TOOL_CALL_LIMIT_MS });
    } finally {
      unhear();
    }
  }

  /** The sidecar's status and that of its projects. */
  status(signal: AbortSignal): Promise<SidecarStatus> {
    return this.#peer.call(status, {}, { signal, timeoutMs: HANDSHAKE_TIMEOUT_MS });
  }

  /** Serves exactly these folders from now on; those that stay are not interrupted. */
  async setProjects(projects: readonly WindowProject[], signal: AbortSignal): Promise<readonly ProjectOutcome[]> {
    const answer = await this.#peer.call(
      setProjects,
      { projects: [...projects] },
      { signal, timeoutMs: HANDSHAKE_TIMEOUT_MS },
    );
    return answer.projects;
  }

  /** The text that `devdb setup` prints for a client. */
  async setupText(client: SetupClient, signal: AbortSignal): Promise<string> {
    return (await this.#peer.call(setupText, { client }, { signal, timeoutMs: HANDSHAKE_TIMEOUT_MS })).text;
  }

  /** Doctor's report on a project. */
  async doctorText(root: string, signal: AbortSignal): Promise<DoctorText> {
    const { doctorText } = await import('@devdb/shared/protocol/doctor-method');
    return this.#peer.call(doctorText, { root }, { signal, timeoutMs: DOCTOR_TIMEOUT_MS });
  }

  /** Hears of the rows of a result until the returned function is called. */
  hearRows(result: string, listener: (news: RowsNews) => void): () => void {
    this.#rowListeners.set(result, listener);
    return () => this.#rowListeners.delete(result);
  }

  /** Hears of the progress of a call with this id until the returned function is called. */
  hearProgress(call: string, listener: (progress: Progress) => void): () => void {
    this.#listeners.set(call, listener);
    return () => this.#listeners.delete(call);
  }

  /** Sends any other message of the pipe. */
  call<Params, Result>(method: Method<Params, Result>, params: Params, options: CallOptions): Promise<Result> {
    return this.#peer.call(method, params, options);
  }

  /** Asks the sidecar to shut down. If it is already gone, that is fine. */
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

  #watchGreeting(): () => void {
    let bytes = 0;
    const onData = (part: Buffer) => {
      bytes += part.length;
      if (bytes > MAX_BYTES_BEFORE_GREETING) this.#peer.close();
    };
    this.#input.on('data', onData);
    return () => this.#input.off('data', onData);
  }
}

function crowdNow(): number {
  return crowdFactor(loadavg()[0] ?? 0, availableParallelism());
}

function sidecarGone(): AppError {
  return new AppError('E_UNREACHABLE', 'The DevDB sidecar of this window is not running.', {
    hint: 'It restarts automatically; call again in a moment. The DevDB log of the window says why it stopped.',
  });
}
