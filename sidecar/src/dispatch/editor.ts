import { AppError } from '@devdb/shared/errors';
import {
  ASK_TIMEOUT_MS,
  EDITOR_ANSWERS_MS,
  KEPT_CONNECTIONS_TIMEOUT_MS,
  MAX_QUERY_TIMEOUT_MS,
} from '@devdb/shared/limits';
import type { Answer, Progress, Question } from '@devdb/shared/protocol';
import { type KeptDatabases, keptDatabases } from '@devdb/shared/protocol/connection-methods';
import {
  askPerson,
  editorToolProgress,
  notifyPerson,
  pingEditor,
  projectChanged,
  runEditorTool,
} from '@devdb/shared/protocol/editor-methods';
import type { Peer } from '@devdb/shared/protocol/peer';
import { progressOf } from '@devdb/shared/protocol/progress';
import type * as z from 'zod';

/** Behind every deadline of the gate, which is the one that counts: this only ends a call that both ends forgot. */
const EDITOR_CALL_LIMIT_MS = 2 * MAX_QUERY_TIMEOUT_MS;

export interface EditorCall {
  readonly root: string;
  readonly tool: string;
  readonly input: unknown;
  readonly client: { readonly id: string; readonly name: string };
  readonly approved: boolean;
  readonly progress: (progress: Progress) => void;
  /** How long a call that was ended is still listened to, so that it is known what it changed. */
  readonly settleMs: number;
}

/** The editor at the other end of the pipe, or nobody: runs its tools and asks the person in front of it. */
export class Editor {
  #peer: Peer | undefined;
  readonly #running = new Map<string, EditorCall['progress']>();
  #calls = 0;
  #name: string | undefined;
  #goneAt: Date | undefined;

  /** From now on calls go to this peer; the one before it is forgotten. */
  attach(peer: Peer, name?: string): void {
    this.#peer = peer;
    this.#name = name;
    this.#goneAt = undefined;
    peer.hear(editorToolProgress, (news) => this.#running.get(news.call)?.(progressOf(news)));
  }

  /** Forgets this peer, unless another one has taken its place. */
  detach(peer: Peer): void {
    if (this.#peer !== peer) return;
    this.#peer = undefined;
    this.#goneAt = new Date();
  }

  get attached(): boolean {
    return this.#peer !== undefined && !this.#peer.closed;
  }

  /** What it says of itself: its name and version. */
  get name(): string | undefined {
    return this.#name;
  }

  /** When the last one went; undefined while one is attached. */
  get goneAt(): Date | undefined {
    return this.#goneAt;
  }

  /** Whether it answers now: one that is stuck is attached all the same. */
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

  /** Runs a tool in the editor. The gate's signal is the deadline; this end's own is only a last resort. */
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

  /** Shows a question as a dialog. A question that nobody answers in time is a no. */
  async ask(question: Question, signal: AbortSignal): Promise<Answer> {
    const { answer } = await this.#attachedPeer().call(askPerson, question, { signal, timeoutMs: ASK_TIMEOUT_MS });
    return answer;
  }

  /** What it keeps for a project: connections and passwords that a person typed in. */
  async kept(root: string, signal: AbortSignal): Promise<KeptDatabases> {
    const timeoutMs = KEPT_CONNECTIONS_TIMEOUT_MS;
    return this.#attachedPeer().call(keptDatabases, { root }, { signal, timeoutMs });
  }

  /** Tells the person in front of it something; where there is no editor, nobody is told. */
  notify(news: z.input<typeof notifyPerson.params>): void {
    this.#peer?.tell(notifyPerson, news);
  }

  /** Tells it that it may ask for this project's status again. */
  projectChanged(root: string): void {
    this.#peer?.tell(projectChanged, { root });
  }

  #attachedPeer(): Peer {
    if (this.#peer === undefined || this.#peer.closed) throw notAttached();
    return this.#peer;
  }
}

/** What a call to the editor is told when there is none, or when it went away during the call. */
export function notAttached(): AppError {
  return new AppError('E_EDITOR_NOT_ATTACHED', 'No editor is attached to this DevDB sidecar.', {
    hint: 'Open the project in VS Code with the DevDB extension; this tool needs the editor.',
  });
}
