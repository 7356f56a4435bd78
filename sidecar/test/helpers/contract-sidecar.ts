import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { HEADERS } from '@devdb/shared/protocol/http';
import { encodeLine, type Line } from '@devdb/shared/protocol/lines';
import { Secret } from '../../src/connections/secret.ts';
import { proveToken } from '../../src/host/token.ts';
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

export interface ContractSidecarOptions {
  /** The root it has open, in canonical form. */
  readonly root: string;
  readonly token: string;
  readonly version?: string;
  /** Answers every request but /health. */
  readonly answer: Answerer;
  /** In place of the honest /health. */
  readonly health?: Answerer;
}

/** A listener that keeps to the wire contract and answers as the test says: the other side of the entry, made of sockets. */
export class ContractSidecar {
  readonly requests: SeenRequest[] = [];
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
    await closed;
  }

  #onRequest(req: IncomingMessage, res: ServerResponse, body: string, options: ContractSidecarOptions): void {
    const { headers, method = '', url = '', socket } = req;
    const seen = { method, path: url, authorization: headers.authorization, headers, body, socket };
    this.requests.push(seen);
    if (!url.startsWith('/health')) options.answer(seen, res);
    else (options.health ?? honestHealth(options))(seen, res);
  }
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

export function answerJson(res: ServerResponse, status: number, body: JsonObject): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Answers with lines; leaves the answer open when the last one is not a result. */
export function answerLines(res: ServerResponse, lines: readonly Line[]): void {
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
