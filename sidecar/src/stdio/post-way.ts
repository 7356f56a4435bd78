import { MAX_ANSWER_BYTES, MAX_CLIENT_NAME_CHARS } from '@devdb/shared/limits';
import { HEADERS, NDJSON, NDJSON_MCP } from '@devdb/shared/protocol/http';
import { UnreadableFile } from '../host/read-file.ts';
import { readAnswer } from './answer-reader.ts';
import type { CallsWayParts } from './calls-way.ts';
import { ConnectionFailed } from './connection-failed.ts';
import { ConnectionPool, type Reply } from './connection-pool.ts';
import type { Params } from './messages.ts';
import { QuestionRelay } from './question-relay.ts';
import { readBody } from './response-body.ts';
import { statusFailure } from './status-failure.ts';
import { type Target, targetNotOpen } from './target.ts';
import { readProgress, type ToolCall } from './tool-call.ts';
import type { Failure } from './tool-results.ts';

/** Sends each call as a request of its own: the way to a sidecar that knows no other. */
export class PostWay {
  readonly #parts: CallsWayParts;
  readonly #pool: ConnectionPool;

  constructor(parts: CallsWayParts) {
    this.#parts = parts;
    this.#pool = new ConnectionPool(parts.readToken);
  }

  /** Whether a proven connection to this sidecar is at hand. */
  keeps({ port, root }: Target): boolean {
    return this.#pool.keeps(port, root);
  }

  async run(call: ToolCall, body: string, target: Target): Promise<string | Failure> {
    const reply = await this.#pool.post({
      port: target.port,
      root: target.root,
      path: `/tools/${encodeURIComponent(call.tool.tool.name)}`,
      headers: this.#headers(call),
      body,
      signal: call.signal,
      repeatable: call.tool.tool.readOnly,
    });
    return this.#read(reply, call, target);
  }

  async #read(reply: Reply, call: ToolCall, target: Target): Promise<string | Failure> {
    const { response, release, discard } = reply;
    if (response.headers['content-type']?.startsWith(NDJSON)) return this.#readLines(reply, call, target);
    const body = await readBody(response, MAX_ANSWER_BYTES).catch((error) => {
      discard();
      throw error;
    });
    release();
    const status = response.statusCode ?? 0;
    if (status === 421) return targetNotOpen(target);
    return statusFailure(status, body, {
      tool: call.tool.tool.name,
      entryVersion: this.#parts.version,
      serverVersion: reply.serverVersion,
    });
  }

  async #readLines({ response, release, discard }: Reply, call: ToolCall, target: Target): Promise<string> {
    const questions = new QuestionRelay({
      ask: call.ask,
      answer: (id, reply) => this.#answer(id, reply, call, target),
    });
    try {
      return await readAnswer(response, {
        line: (line) => {
          if (line['type'] === 'progress') call.progress?.(readProgress(line));
          else questions.take(line);
        },
        received: () => call.holdBack(response),
        ended: release,
      });
    } catch (error) {
      discard();
      throw error;
    } finally {
      questions.end();
    }
  }

  async #answer(id: string, reply: Params, call: ToolCall, target: Target): Promise<void> {
    try {
      const sent = await this.#pool.post({
        port: target.port,
        root: target.root,
        path: `/asks/${encodeURIComponent(id)}`,
        headers: this.#headers(call),
        body: JSON.stringify(reply),
        signal: call.signal,
        repeatable: false,
      });
      await readBody(sent.response, MAX_ANSWER_BYTES);
      sent.release();
    } catch (error) {
      // The call itself runs on the same sidecar and fails with its own sentence when that is gone.
      if (!(error instanceof ConnectionFailed || error instanceof UnreadableFile)) throw error;
    }
  }

  #headers({ client }: ToolCall): Record<string, string> {
    const { clientId, timeoutMs } = this.#parts.speaker;
    return {
      accept: NDJSON_MCP,
      [HEADERS.clientId]: clientId,
      [HEADERS.clientName]: encodeName(client.name),
      ...(client.canAsk ? { [HEADERS.canAsk]: '1' } : {}),
      ...(timeoutMs === undefined ? {} : { [HEADERS.defaultTimeout]: String(timeoutMs) }),
    };
  }
}

/** Percent-encoded, since a header carries little but ASCII; by way of bytes, which mends halves of characters. */
function encodeName(name: string): string {
  return encodeURIComponent(Buffer.from(name.slice(0, MAX_CLIENT_NAME_CHARS)).toString());
}
