import { getsTextAlone, type StructuredMode } from '@devdb/shared/structured-clients';
import { parseOrUndefined } from '../host/parse-json.ts';
import { ClientQuestions } from './client-questions.ts';
import { MAX_BATCH_MESSAGES } from './limits.ts';
import {
  errorResponse,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  isRecord,
  isRequestId,
  METHOD_NOT_FOUND,
  type Message,
  notification,
  PARSE_ERROR,
  type Params,
  type RequestId,
  type RequestMessage,
  readMessage,
  resultText,
} from './messages.ts';
import { holdBack, type Output } from './output.ts';
import type { ClientFacts, RunTool } from './tool-call.ts';
import type { ToolList } from './tool-list.ts';

export interface SessionParts {
  readonly output: Output;
  readonly tools: ToolList;
  readonly runTool: RunTool;
  readonly version: string;
  readonly instructions: string;
  /** Whether a success carries its structured form; by the client's name when undefined. */
  readonly structured?: StructuredMode | undefined;
  /** For errors that must never happen; the client sees -32603. */
  readonly report: (error: unknown) => void;
}

const PROTOCOL_VERSIONS: readonly unknown[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/** Some shells put one at the start of what they pipe. */
const BYTE_ORDER_MARK = '\ufeff';

/** The answer to a message: nothing, text now, or text later. */
type Answer = string | undefined | Promise<string | undefined>;

/** The server's side of one MCP connection: lines in, lines out. */
export class Session {
  readonly #parts: SessionParts;
  readonly #running = new Map<RequestId, AbortController>();
  readonly #questions: ClientQuestions;
  #client: ClientFacts = { name: '', canAsk: false, textAlone: false };

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#questions = new ClientQuestions((message) => parts.output.send(message));
  }

  /** One line of standard input: a message or a batch of them. */
  receive(line: string): void {
    let raw: unknown;
    try {
      raw = JSON.parse(line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line);
    } catch {
      this.#send(errorResponse(null, PARSE_ERROR, 'This line is not JSON.'));
      return;
    }
    if (Array.isArray(raw) && raw.length > MAX_BATCH_MESSAGES)
      this.#send(errorResponse(null, INVALID_REQUEST, `A batch may have ${MAX_BATCH_MESSAGES} messages at most.`));
    else if (Array.isArray(raw) && raw.length > 0) this.#receiveBatch(raw);
    else this.#sendLater(this.#answer(readMessage(raw)));
  }

  /** Answers a line that was over the limit. */
  refuseLine(maxBytes: number): void {
    this.#send(
      errorResponse(null, INVALID_REQUEST, `A message may have ${maxBytes} bytes at most; this one was dropped.`),
    );
  }

  /**
   * Answers a line that is not UTF-8: executing it could do something else than was meant. Returning its id lets the
   * client stop waiting.
   */
  refuseBytes(text: string): void {
    const raw = parseOrUndefined(text);
    const id = isRecord(raw) && isRequestId(raw['id']) && !String(raw['id']).includes('\ufffd') ? raw['id'] : null;
    this.#send(errorResponse(id, PARSE_ERROR, 'This line is not UTF-8.'));
  }

  /** Cancels every running call; none of them is answered any more. */
  close(): void {
    for (const controller of this.#running.values()) controller.abort();
  }

  #receiveBatch(batch: readonly unknown[]): void {
    const answers = batch.map((raw) => this.#answer(readMessage(raw)));
    const together = Promise.all(answers).then((texts) => {
      const present = texts.filter((text) => text !== undefined);
      return present.length === 0 ? undefined : `[${present.join(',')}]`;
    });
    this.#sendLater(together);
  }

  #sendLater(answer: Answer): void {
    if (answer instanceof Promise) answer.then((text) => this.#send(text)).catch(this.#parts.report);
    else this.#send(answer);
  }

  #send(text: string | undefined): void {
    if (text !== undefined) this.#parts.output.send(text);
  }

  #answer(message: Message): Answer {
    switch (message.kind) {
      case 'invalid':
        return errorResponse(message.id, message.code, message.reason);
      case 'response':
        this.#questions.answered(message.id, message.result);
        return undefined;
      case 'notification':
        if (message.method === 'notifications/cancelled') this.#cancel(message.params['requestId']);
        return undefined;
      case 'request':
        return this.#answerRequest(message);
    }
  }

  #answerRequest(message: RequestMessage): Answer {
    if (this.#running.has(message.id))
      return errorResponse(message.id, INVALID_REQUEST, 'A request with this id is still running.');
    try {
      return this.#dispatch(message);
    } catch (error) {
      return this.#failed(message.id, error);
    }
  }

  #dispatch({ id, method, params }: RequestMessage): Answer {
    switch (method) {
      case 'initialize':
        return this.#initialize(id, params);
      case 'ping':
        return resultText(id, '{}');
      case 'tools/list':
        // All tools fit on one page, so no cursor is ever handed out.
        if (params['cursor'] != null) return errorResponse(id, INVALID_PARAMS, 'cursor: there is only one page.');
        return resultText(id, this.#parts.tools.listJson(this.#client.name));
      case 'tools/call':
        return this.#call(id, params);
      default:
        return errorResponse(id, METHOD_NOT_FOUND, `Method not found: ${method.slice(0, 200)}`);
    }
  }

  #initialize(id: RequestId, params: Params): string {
    const { protocolVersion: asked, clientInfo, capabilities } = params;
    if (typeof asked !== 'string') return errorResponse(id, INVALID_PARAMS, 'protocolVersion must be a string.');
    const given = isRecord(clientInfo) ? clientInfo['name'] : undefined;
    const name = typeof given === 'string' ? given : '';
    const textAlone = getsTextAlone(name, this.#parts.structured);
    this.#client = { name, canAsk: elicits(capabilities), textAlone };
    const result = {
      protocolVersion: PROTOCOL_VERSIONS.includes(asked) ? asked : PROTOCOL_VERSIONS[0],
      capabilities: { tools: {} },
      serverInfo: { name: 'DevDB', version: this.#parts.version },
      instructions: this.#parts.instructions,
    };
    return resultText(id, JSON.stringify(result));
  }

  #call(id: RequestId, params: Params): Answer {
    const { name, arguments: args = {}, _meta: meta } = params;
    if (typeof name !== 'string') return errorResponse(id, INVALID_PARAMS, 'name must be the name of a tool.');
    if (!isRecord(args)) return errorResponse(id, INVALID_PARAMS, 'arguments must be an object.');
    const tool = this.#parts.tools.find(name, this.#client.name);
    if (tool === undefined) return errorResponse(id, INVALID_PARAMS, `Unknown tool: ${name.slice(0, 200)}`);
    const token = isRecord(meta) ? meta['progressToken'] : undefined;
    const controller = new AbortController();
    this.#running.set(id, controller);
    const { output, runTool } = this.#parts;
    const done = runTool({
      tool,
      args,
      client: this.#client,
      signal: controller.signal,
      progress: isRequestId(token)
        ? (progress) => output.send(notification('notifications/progress', { progressToken: token, ...progress }))
        : undefined,
      ask: (question) => this.#questions.ask(question),
      holdBack: (source) => holdBack(source, output),
    });
    return this.#settle(id, controller.signal, done);
  }

  async #settle(id: RequestId, signal: AbortSignal, done: Promise<string>): Promise<string | undefined> {
    try {
      const result = await done;
      return signal.aborted ? undefined : resultText(id, result);
    } catch (error) {
      return signal.aborted ? undefined : this.#failed(id, error);
    } finally {
      this.#running.delete(id);
    }
  }

  #failed(id: RequestId, error: unknown): string {
    this.#parts.report(error);
    return errorResponse(id, INTERNAL_ERROR, 'DevDB failed internally; its standard error has the details.');
  }

  #cancel(id: unknown): void {
    if (isRequestId(id)) this.#running.get(id)?.abort();
  }
}

/** Whether a client shows forms. Since 2025-11-25 a client may support URLs only. */
function elicits(capabilities: unknown): boolean {
  const elicitation = isRecord(capabilities) ? capabilities['elicitation'] : undefined;
  return isRecord(elicitation) && (Object.keys(elicitation).length === 0 || 'form' in elicitation);
}
