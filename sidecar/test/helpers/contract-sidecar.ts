import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { CALLS_PATH, HEADERS } from '@devdb/shared/protocol/http';
import { encodeLine, type Line } from '@devdb/shared/protocol/lines';
import { Secret } from '../../src/connections/secret.ts';
import { proveToken } from '../../src/host/token.ts';
import { CallReply, ContractCalls } from './contract-calls.ts';
import { asObject, type JsonObject } from './stdio-client.ts';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly socket: Socket;
}

export type Answerer = (seen: SeenRequest, res: ServerResponse) => void;

/** Answers a call over either way. */
export type CallAnswerer = (seen: SeenRequest, reply: ServerResponse | CallReply) => void;

/** How an entry's calls arrive: over an upgraded connection, or as requests, as an older sidecar has them. */
export type Way = 'calls' | 'posts';

export interface ContractSidecarOptions {
  /** The root it has open, in canonical form. */
  readonly root: string;
  readonly token: string;
  readonly version?: string;
  /** Without one it knows requests only. */
  readonly way?: Way;
  /** Answers every call, and every answer to a question. */
  readonly answer: CallAnswerer;
  /** In place of the honest /health, and of the honest upgrade. */
  readonly health?: Answerer;
}

/** A listener that keeps to the wire contract and answers as the test says: the other side of the entry, made of sockets. */
export class ContractSidecar {
  readonly requests: SeenRequest[] = [];
  /** Requests for an upgrade. */
  readonly upgrades: SeenRequest[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  port = 0;

  private constructor(options: ContractSidecarOptions) {
    this.#server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
      let body = '';
      req.on('data', (chunk) => {
        body += String(chunk);
      });
      req.on('end', () => this.#onRequest(req, res, body, options));
    });
    if (options.way === 'calls' && options.health === undefined) {
      this.#server.on('upgrade', (req, socket, head) => {
        const { root, token, version = '1.1.0' } = options;
        this.upgrades.push(seenOf(req, ''));
        new ContractCalls({ root, token, version }, (seen, reply) => {
          this.requests.push(seen);
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

  /** Requests but for the proofs. */
  get calls(): readonly SeenRequest[] {
    return this.requests.filter((seen) => !seen.path.startsWith('/health'));
  }

  get proofs(): readonly SeenRequest[] {
    return this.requests.filter((seen) => seen.path.startsWith('/health'));
  }

  /** Cuts every connection, as a process that dies does. */
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

  #onRequest(req: IncomingMessage, res: ServerResponse, body: string, options: ContractSidecarOptions): void {
    const seen = seenOf(req, body);
    if (seen.path.startsWith(CALLS_PATH)) {
      this.upgrades.push(seen);
      // An older sidecar asks everybody for the token but who wants its health.
      if (options.health === undefined) answerJson(res, 401, { code: 'E_UNAUTHORIZED', error: 'x', message: 'x' });
      else options.health(seen, res);
      return;
    }
    this.requests.push(seen);
    if (!seen.path.startsWith('/health')) options.answer(seen, res);
    else (options.health ?? honestHealth(options))(seen, res);
  }
}

function seenOf({ headers, method = '', url = '', socket }: IncomingMessage, body: string): SeenRequest {
  return { method, path: url, authorization: headers.authorization, headers, body, socket };
}

function honestHealth({ root, token, version = '1.1.0' }: ContractSidecarOptions): Answerer {
  return ({ headers, path, socket }, res) => {
    if (headers[HEADERS.projectRoot] !== encodeURIComponent(root)) {
      answerJson(res, 421, { code: 'E_WRONG_PROJECT', error: 'other', message: 'other' });
      return;
    }
    const nonce = new URL(path, 'http://x').searchParams.get('nonce') ?? '';
    const proof = proveToken(new Secret(token), nonce, root, socket.localPort ?? 0);
    // Who shows the token learns the process as well.
    const more = headers.authorization === `Bearer ${token}` ? { pid: 4711, kind: 'headless' } : {};
    answerJson(res, 200, { status: 'ok', apiVersion: 1, version, proof, ...more });
  };
}

export function answerJson(res: ServerResponse | CallReply, status: number, body: JsonObject): void {
  if (res instanceof CallReply) res.refuse(body);
  else res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Answers with lines; leaves the answer open when the last one is not a result. */
export function answerLines(res: ServerResponse | CallReply, lines: readonly Line[]): void {
  if (res instanceof CallReply) {
    for (const line of lines) res.line(line);
    return;
  }
  if (!res.headersSent) res.writeHead(200, { 'content-type': 'application/x-ndjson' });
  for (const line of lines) res.write(encodeLine(line));
  if (lines.some((line) => line.type === 'result')) res.end();
}

const META = { requestId: 'r', timestamp: '2026-01-01T00:00:00.000Z', duration: 1 };

/** The last line of a call that went well, with this data. */
export function success(data: unknown): Line {
  const envelope = { ok: true, type: 'success', data, meta: META } as const;
  const content = [{ type: 'text', text: JSON.stringify(data) }] as const;
  return { type: 'result', result: { content, structuredContent: envelope } };
}

/** What the entry sent, parsed. */
export function bodyOf(seen: SeenRequest | undefined): JsonObject {
  return asObject(JSON.parse(seen?.body ?? 'null'));
}
