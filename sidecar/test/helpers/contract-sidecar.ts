import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { HEADERS } from '@devdb/shared/protocol/http';
import { Secret } from '../../src/host/secret.ts';
import { proveToken } from '../../src/host/token.ts';
import { type AnswerLine, type CallReply, ContractCalls } from './contract-calls.ts';
import { asObject, type JsonObject } from './stdio-client.ts';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly socket: Socket;
}

/** Answers a plain request. */
export type Answerer = (seen: SeenRequest, res: ServerResponse) => void;

/** Answers a call. */
export type CallAnswerer = (seen: SeenRequest, reply: CallReply) => void;

export interface ContractSidecarOptions {
  /** The open project's root, in canonical form. */
  readonly root: string;
  readonly token: string;
  readonly version?: string;
  /** Answers every call, and every answer to a question. */
  readonly answer: CallAnswerer;
  /** Replaces the honest upgrade. */
  readonly instead?: Answerer;
}

/** A listener that follows the wire contract and answers as the test says: the entry's other side, made of sockets. */
export class ContractSidecar {
  readonly calls: SeenRequest[] = [];
  readonly upgrades: SeenRequest[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  port = 0;

  private constructor(options: ContractSidecarOptions) {
    this.#server = createServer((req, res) => this.#onRequest(req, res, options));
    if (options.instead === undefined) {
      this.#server.on('upgrade', (req, socket, head) => {
        const { root, token, version = '1.1.0' } = options;
        this.upgrades.push(seenOf(req, ''));
        new ContractCalls({ root, token, version }, (seen, reply) => {
          this.calls.push(seen);
          options.answer(seen, reply);
        }).take(req, socket, head);
      });
    }
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  static async listen(options: ContractSidecarOptions, port = 0): Promise<ContractSidecar> {
    const sidecar = new ContractSidecar(options);
    sidecar.#server.listen(port, '127.0.0.1');
    await once(sidecar.#server, 'listening');
    const address = sidecar.#server.address();
    sidecar.port = typeof address === 'object' && address !== null ? address.port : 0;
    return sidecar;
  }

  /** Cuts every connection, like a dying process. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #onRequest(req: IncomingMessage, res: ServerResponse, options: ContractSidecarOptions): void {
    const seen = seenOf(req, '');
    if (options.instead === undefined) answerHealth(seen, res, options);
    else {
      this.upgrades.push(seen);
      options.instead(seen, res);
    }
  }
}

function seenOf({ headers, method = '', url = '', socket }: IncomingMessage, body: string): SeenRequest {
  return { method, path: url, authorization: headers.authorization, headers, body, socket };
}

/** Answers with lines; leaves the answer open when the last one is not a result. */
export function answerLines(reply: CallReply, lines: readonly AnswerLine[]): void {
  for (const line of lines) reply.line(line);
}

/** A sidecar's /health. */
function answerHealth(
  { headers, path, socket }: SeenRequest,
  res: ServerResponse,
  facts: ContractSidecarOptions,
): void {
  const { root, token, version = '1.1.0' } = facts;
  if (headers[HEADERS.projectRoot] !== encodeURIComponent(root)) {
    res.writeHead(421).end('{"code":"E_WRONG_PROJECT"}');
    return;
  }
  const nonce = new URL(path, 'http://x').searchParams.get('nonce') ?? '';
  const proof = proveToken(new Secret(token), nonce, root, socket.localPort ?? 0);
  const more = headers.authorization === `Bearer ${token}` ? { pid: 4711, kind: 'headless' } : {};
  res.end(JSON.stringify({ status: 'ok', apiVersion: 1, version, proof, ...more }));
}

const META = { requestId: 'r', timestamp: '2026-01-01T00:00:00.000Z', duration: 1 };

/** The last line of a successful call, with this data. */
export function success(data: unknown): AnswerLine {
  const envelope = { ok: true, type: 'success', data, meta: META } as const;
  const content = [{ type: 'text', text: JSON.stringify(data) }] as const;
  return { type: 'result', result: { content, structuredContent: envelope } };
}

/** What the entry sent, parsed. */
export function bodyOf(seen: SeenRequest | undefined): JsonObject {
  return asObject(JSON.parse(seen?.body ?? 'null'));
}
