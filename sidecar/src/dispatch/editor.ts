import { AppError } from '@devdb/shared/errors';
import type { FinalChange } from '@devdb/shared/final-change';
import { ASK_TIMEOUT_MS, KEPT_CONNECTIONS_TIMEOUT_MS, MAX_QUERY_TIMEOUT_MS } from '@devdb/shared/limits';
import type { Answer, Progress, Question } from '@devdb/shared/protocol';
import { activityChanged, type CallRecord } from '@devdb/shared/protocol/call-record';
import type { KeptDatabases } from '@devdb/shared/protocol/connection-methods';
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
import type { ParamsOf, ResultOf } from '@devdb/shared/protocol/method';
import type { Peer } from '@devdb/shared/protocol/peer';
import { progressOf } from '@devdb/shared/protocol/progress';
import { rowsArrived } from '@devdb/shared/protocol/rows-notice';
import { toolProgress } from '@devdb/shared/protocol/sidecar-methods';
import { EDITOR_ANSWERS_MS, WINDOW_LOOK_TIMEOUT_MS } from './limits.ts';

/**
 * Longer than every deadline of the gate, which are the ones that count: this only ends a call that both ends forgot.
 */
const EDITOR_CALL_LIMIT_MS = 2 * MAX_QUERY_TIMEOUT_MS;

export interface EditorCall {
  readonly root: string;
  readonly tool: string;
  readonly input: unknown;
  readonly client: { readonly id: string; readonly name: string };
  readonly approved: boolean;
  readonly progress: (progress: Progress) => void;
  /** How long an aborted call is still awaited, to learn what it changed. */
  readonly settleMs: number;
  /** What the user has agreed to after the editor refused it. */
  readonly agreed?: FinalChange;
}

/** The editor at the other end of the pipe, if there is one: runs its tools and asks its user. */
export class Editor {
  #peer: Peer | undefined;
  readonly #running = new Map<string, EditorCall['progress']>();
  #calls = 0;
  #name: string | undefined;
  #linkOpener: string | undefined;
  #goneAt: Date | undefined;

  /** Sends all further calls to this peer, in place of the previous one. */
  attach(peer: Peer, name?: string, linkOpener?: string): void {
    this.#peer = peer;
    this.#name = name;
    this.#linkOpener = linkOpener;
    this.#goneAt = undefined;
    peer.hear(editorToolProgress, (news) => this.#running.get(news.call)?.(progressOf(news)));
  }

  /** Detaches this peer, unless another has replaced it. */
  detach(peer: Peer): void {
    if (this.#peer !== peer) return;
    this.#peer = undefined;
    this.#goneAt = new Date();
  }

  get attached(): boolean {
    return this.#peer !== undefined && !this.#peer.closed;
  }

  /** The editor's name and version, as it reports them. */
  get name(): string | undefined {
    return this.#name;
  }

  /** What links begin with that open a table in it; undefined while none is attached. */
  get linkOpener(): string | undefined {
    return this.attached ? this.#linkOpener : undefined;
  }

  /** When the last editor disconnected; undefined while one is attached. */
  get goneAt(): Date | undefined {
    return this.#goneAt;
  }

  /** Whether it responds now: a stuck editor is still attached. */
  async answers(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#attachedPeer().call(pingEditor, {}, { signal, timeoutMs: EDITOR_ANSWERS_MS });
      return true;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AppError) return false;
      throw error;
    }
  }

  /** Runs a tool in the editor. The gate's signal is the deadline; the pipe's own limit is a last resort. */
  async run({ progress, settleMs, ...params }: EditorCall, signal: AbortSignal): Promise<unknown> {
    const peer = this.#attachedPeer();
    this.#calls += 1;
    const call = String(this.#calls);
    this.#running.set(call, progress);
    try {
      const options = { signal, settleMs, timeoutMs: EDITOR_CALL_LIMIT_MS };
      return await peer.call(runEditorTool, { call, ...params }, options);
    } finally {
      this.#running.delete(call);
    }
  }

  /** Shows a question as a dialog. No answer in time means no. */
  async ask(question: Question, signal: AbortSignal): Promise<Answer> {
    const { answer } = await this.#attachedPeer().call(askPerson, question, { signal, timeoutMs: ASK_TIMEOUT_MS });
    return answer;
  }

  /** What it stores for a project: connections and passwords the user entered. */
  async kept(root: string, signal: AbortSignal): Promise<KeptDatabases> {
    const timeoutMs = KEPT_CONNECTIONS_TIMEOUT_MS;
    return this.#attachedPeer().call(keptDatabases, { root }, { signal, timeoutMs });
  }

  /** Which files of a project its window shows; none without an editor. */
  async look(root: string, signal: AbortSignal): Promise<ResultOf<typeof lookAtWindow>> {
    if (!this.attached) return { activeFile: '', openFiles: [] };
    return this.#attachedPeer().call(lookAtWindow, { root }, { signal, timeoutMs: WINDOW_LOOK_TIMEOUT_MS });
  }

  /** Shows its user a message; without an editor the message is dropped. */
  notify(news: ParamsOf<typeof notifyPerson>): void {
    this.#peer?.tell(notifyPerson, news);
  }

  /** Tells it that a result of its person has more rows. */
  rowsArrived(news: ParamsOf<typeof rowsArrived>): void {
    this.#peer?.tell(rowsArrived, news);
  }

  /** Reports the progress of a call that it made for its person. */
  progress(call: string, progress: Progress): void {
    this.#peer?.tell(toolProgress, { call, ...progress });
  }

  /** Tells it to ask for this project's status again. */
  projectChanged(root: string): void {
    this.#peer?.tell(projectChanged, { root });
  }

  /** Tells it of calls that began, changed or ended. */
  activityChanged(calls: CallRecord[]): void {
    this.#peer?.tell(activityChanged, { calls });
  }

  #attachedPeer(): Peer {
    if (this.#peer === undefined || this.#peer.closed) throw notAttached();
    return this.#peer;
  }
}

/** The error of a call to the editor when there is none, or when it goes away during the call. */
export function notAttached(): AppError {
  return new AppError('E_EDITOR_NOT_ATTACHED', 'No editor is attached to this DevDB sidecar.', {
    hint: 'Open the project in VS Code with the DevDB extension; this tool needs the editor.',
  });
}
