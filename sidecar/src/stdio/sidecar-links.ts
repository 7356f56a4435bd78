import { unlessAborted } from '@devdb/shared/abort';
import { MAX_CLIENT_NAME_CHARS } from '@devdb/shared/limits';
import type { Secret } from '../host/secret.ts';
import { ConnectionFailed } from '../registry/connection-failed.ts';
import type { Params } from './messages.ts';
import { QuestionRelay } from './question-relay.ts';
import { refusedFailure } from './refusal.ts';
import { type CallEnd, SidecarLink, type Speaker } from './sidecar-link.ts';
import { keyOf, type Target, targetNotOpen } from './target.ts';
import { readProgress, type ToolCall } from './tool-call.ts';
import type { Failure } from './tool-results.ts';

export interface LinksParts {
  /** Read for every new link, so that a new token is noticed. Throws when there is none. */
  readonly readToken: () => Secret;
  readonly speaker: Speaker;
  readonly version: string;
}

/** Sends calls to sidecars, over one link each. */
export class SidecarLinks {
  readonly #parts: LinksParts;
  readonly #kept = new Map<string, SidecarLink>();
  readonly #opening = new Map<string, Promise<SidecarLink>>();

  constructor(parts: LinksParts) {
    this.#parts = parts;
  }

  /**
   * The finished MCP result, or the failure. A call is sent a second time when the other side cannot have acted on it,
   * or when it is a read whose kept link broke before any answer came.
   */
  async run(call: ToolCall, input: string, target: Target): Promise<string | Failure> {
    const kept = this.#find(target);
    if (kept !== undefined) {
      let heard = false;
      const onLine = () => {
        heard = true;
      };
      try {
        return await this.#runOn(kept, call, input, target, onLine);
      } catch (error) {
        const mayRepeat = error instanceof ConnectionFailed && (!error.sent || (call.tool.tool.readOnly && !heard));
        if (call.signal.aborted || !mayRepeat) throw error;
      }
    }
    // Others wait for the same link, so a caller that leaves must not end it for them.
    const opened = await unlessAborted(this.#openOnce(target), call.signal, cancelled);
    return await this.#runOn(opened, call, input, target);
  }

  #find(target: Target): SidecarLink | undefined {
    const key = keyOf(target);
    const kept = this.#kept.get(key);
    if (kept?.usable) return kept;
    this.#kept.delete(key);
    return undefined;
  }

  /** Calls that arrive while a link is being opened share it. */
  #openOnce(target: Target): Promise<SidecarLink> {
    const key = keyOf(target);
    const found = this.#find(target);
    if (found !== undefined) return Promise.resolve(found);
    const opening =
      this.#opening.get(key) ??
      this.#open(target, key).finally(() => {
        this.#opening.delete(key);
      });
    this.#opening.set(key, opening);
    return opening;
  }

  async #open({ port, root }: Target, key: string): Promise<SidecarLink> {
    const { readToken, speaker } = this.#parts;
    const connection = await SidecarLink.open({ port, root, token: readToken() }, speaker);
    this.#kept.set(key, connection);
    return connection;
  }

  async #runOn(
    connection: SidecarLink,
    call: ToolCall,
    input: string,
    target: Target,
    onLine?: () => void,
  ): Promise<string | Failure> {
    let questions: QuestionRelay | undefined;
    const relay = () => {
      questions ??= new QuestionRelay({
        ask: call.ask,
        answer: async (id, reply) => connection.answer(id, reply),
      });
      return questions;
    };
    const line = (said: Params) => {
      onLine?.();
      if (said['type'] === 'progress') call.progress?.(readProgress(said));
      else relay().take(said);
    };
    const { signal, holdBack } = call;
    try {
      const end = await connection.call({ text: callText(call, input), signal, line, holdBack });
      return 'result' in end ? end.result : this.#refused(end, call, target, connection.serverVersion);
    } finally {
      questions?.end();
    }
  }

  #refused({ refusal }: Extract<CallEnd, { refusal: string }>, call: ToolCall, target: Target, serverVersion: string) {
    const facts = { tool: call.tool.tool.name, entryVersion: this.#parts.version, serverVersion };
    const failure = refusedFailure(refusal, facts);
    return failure.code === 'E_WRONG_PROJECT' ? targetNotOpen(target) : failure;
  }
}

function callText({ tool, client }: ToolCall, input: string): string {
  const name = JSON.stringify(client.name.slice(0, MAX_CLIENT_NAME_CHARS));
  const ask = client.canAsk ? ',"canAsk":true' : '';
  const form = client.textAlone ? ',"textAlone":true' : '';
  return `{"tool":${JSON.stringify(tool.tool.name)},"client":${name}${ask}${form},"input":${input}}`;
}

function cancelled(): ConnectionFailed {
  return new ConnectionFailed('The call was cancelled.');
}
