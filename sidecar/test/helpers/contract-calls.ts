import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { McpResult } from '@devdb/shared/envelope';
import { MESSAGES, type MessageKind } from '@devdb/shared/protocol/calls';
import { CALLS_PROTOCOL, HEADERS } from '@devdb/shared/protocol/http';
import type { Line } from '@devdb/shared/protocol/lines';
import { encodeMessage, MessageReader } from '../../src/host/call-messages.ts';
import { Secret } from '../../src/host/secret.ts';
import { proveToken } from '../../src/host/token.ts';
import type { SeenRequest } from './contract-sidecar.ts';
import { asObject, type JsonObject } from './stdio-client.ts';

const MAX_BYTES = 64 * 1024 * 1024;

export interface ContractFacts {
  readonly root: string;
  readonly token: string;
  readonly version: string;
}

/** A line during the call, or the finished MCP result. */
export type AnswerLine = Exclude<Line, { type: 'result' }> | { readonly type: 'result'; readonly result: McpResult };

/** The answer to one call over a link. */
export class CallReply extends EventEmitter<{ close: [] }> {
  readonly #socket: Duplex | undefined;
  readonly #number: number;

  /** Without a socket no caller waits for it: the answer to a question has no answer of its own. */
  constructor(socket: Duplex | undefined, number: number) {
    super();
    this.#socket = socket;
    this.#number = number;
  }

  line(line: AnswerLine): void {
    if (line.type === 'result') this.send(MESSAGES.result, JSON.stringify(line.result));
    else this.send(MESSAGES.line, JSON.stringify(line));
  }

  refuse(error: JsonObject): void {
    this.send(MESSAGES.refused, JSON.stringify({ error }));
  }

  send(kind: MessageKind, text: string): void {
    this.#socket?.write(encodeMessage(kind, this.#number, text));
  }

  raw(bytes: Buffer): void {
    this.#socket?.write(bytes);
  }

  get number(): number {
    return this.#number;
  }
}

/** A contract sidecar's links. It reports what it sees there in terms of requests. */
export class ContractCalls {
  readonly #facts: ContractFacts;
  readonly #answer: (seen: SeenRequest, reply: CallReply) => void;

  constructor(facts: ContractFacts, answer: (seen: SeenRequest, reply: CallReply) => void) {
    this.#facts = facts;
    this.#answer = answer;
  }

  take(req: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (!(socket instanceof Socket)) throw new Error('not a socket');
    socket.on('error', () => socket.destroy());
    if (req.headers[HEADERS.projectRoot] !== encodeURIComponent(this.#facts.root)) {
      socket.end('HTTP/1.1 421 Misdirected Request\r\nContent-Length: 2\r\n\r\n{}');
      return;
    }
    const { token, root, version } = this.#facts;
    const nonce = new URL(req.url ?? '', 'http://x').searchParams.get('nonce') ?? '';
    const proof = proveToken(new Secret(token), nonce, root, socket.localPort ?? 0);
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${CALLS_PROTOCOL}\r\n${HEADERS.proof}: ${proof}\r\n${HEADERS.version}: ${version}\r\n\r\n`,
    );
    this.#serve(req, socket, head);
  }

  #serve(req: IncomingMessage, socket: Socket, head: Buffer): void {
    const replies = new Map<number, CallReply>();
    let greeting: JsonObject = {};
    const reader = new MessageReader(MAX_BYTES, {
      tooLong: () => socket.destroy(),
      message: (kind, number, payload) => {
        if (kind === MESSAGES.greeting) greeting = asObject(JSON.parse(payload.toString()));
        const seen = (path: string, body: unknown, more: JsonObject = {}): SeenRequest => ({
          method: 'CALL',
          path,
          authorization: `Bearer ${greeting['token']}`,
          headers: { ...req.headers, ...headersOf({ ...greeting, ...more }) },
          body: JSON.stringify(body),
          socket,
        });
        if (kind === MESSAGES.cancel) replies.get(number)?.emit('close');
        if (kind === MESSAGES.call) {
          const { tool, input, client: name, canAsk } = asObject(JSON.parse(payload.toString()));
          const reply = new CallReply(socket, number);
          replies.set(number, reply);
          this.#answer(seen(`/tools/${tool}`, input, { name, canAsk }), reply);
        }
        if (kind === MESSAGES.answer) {
          const { ask, reply } = asObject(JSON.parse(payload.toString()));
          this.#answer(seen(`/asks/${encodeURIComponent(String(ask))}`, reply), new CallReply(undefined, 0));
        }
      },
    });
    socket.on('data', (chunk: Buffer) => reader.push(chunk));
    socket.once('end', () => socket.destroy());
    socket.once('close', () => {
      for (const reply of replies.values()) reply.emit('close');
    });
    reader.push(head);
  }
}

function headersOf({ client, timeoutMs, name, canAsk }: JsonObject): IncomingMessage['headers'] {
  return {
    [HEADERS.clientId]: String(client),
    ...(typeof name === 'string' && { [HEADERS.clientName]: encodeURIComponent(name) }),
    ...(timeoutMs !== undefined && { [HEADERS.defaultTimeout]: String(timeoutMs) }),
    ...(canAsk === true && { [HEADERS.canAsk]: '1' }),
  };
}
