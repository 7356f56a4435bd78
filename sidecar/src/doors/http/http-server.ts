import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError } from '@devdb/shared/errors';
import { LOOPBACK } from '@devdb/shared/protocol/http';
import type { AnswerRoom } from '../../dispatch/answer-room.ts';
import type { Gate } from '../../dispatch/gate.ts';
import type { LogEvent } from '../../host/log.ts';
import type { Secret } from '../../host/secret.ts';
import type { SidecarKind } from '../../registry/probe.ts';
import { BridgeRoutes, type WindowView } from '../bridges/bridge-routes.ts';
import { CallsDoor, refuseUpgrade } from '../calls/calls-door.ts';
import type { CallsTiming } from '../calls/calls-link.ts';
import {
  BODY_TIMEOUT_MS,
  HEADERS_TIMEOUT_MS,
  HTTP_CLOSE_GRACE_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  MAX_HEADER_BYTES,
} from '../limits.ts';
import type { McpDoor } from '../mcp/mcp-door.ts';
import { QuestionDesk } from '../question-desk.ts';
import { RunningCalls } from '../running-calls.ts';
import { answerRaw, parserRefusal } from './connection-errors.ts';
import type { Exchange, Route } from './exchange.ts';
import { answerHealth } from './health.ts';
import { serveAsPlain } from './plain-request.ts';
import { SenderGone, wrongMediaType } from './read-body.ts';
import { shuttingDown, unauthorized } from './refusals.ts';
import { refuse, sendError } from './reply.ts';
import { type RequestGuard, TokenGuard } from './request-guard.ts';
import { RestRoutes } from './rest.ts';

/** How long each kind of slowness is tolerated. */
export interface HttpTiming {
  readonly headersMs: number;
  readonly bodyMs: number;
  readonly idleMs: number;
  readonly closeGraceMs: number;
}

export interface HttpOptions {
  readonly gate: Gate;
  readonly token: Secret;
  /** Who is let in at the bound port: holders of the token by default. */
  readonly guard?: (port: number) => RequestGuard;
  readonly version: string;
  readonly kind: SidecarKind;
  /** What the window of the project shows; nothing where there is none. */
  readonly look?: (signal: AbortSignal) => Promise<WindowView>;
  /** Serves the dialect of editor bridges and nothing else. */
  readonly bridgesOnly?: boolean;
  /** Counts answers that are written and not yet read. */
  readonly answers: AnswerRoom;
  readonly log: LogEvent;
  /** Opens /mcp. Called on the first request there, so that the MCP library is not loaded before. */
  readonly openMcp?: (options: HttpOptions) => Promise<McpDoor>;
  /** Shorter timeouts, for tests. */
  readonly timing?: HttpTiming;
  readonly callsTiming?: CallsTiming;
}

/** The HTTP doors of one project. */
export interface HttpDoors {
  /** Binds 127.0.0.1. Rejects with the system's error when the port is taken; another may then be tried. */
  listen(port: number): Promise<Server>;
  /** The tool list changed: notifies listening clients. */
  toolsChanged(): void;
  /** Takes no more requests, ends the running calls, and resolves when the last connection has closed. */
  close(): Promise<void>;
}

/** Makes the HTTP doors, without listening yet. */
export function openHttp(options: HttpOptions): HttpDoors {
  return new Listener(options);
}

class Listener implements HttpDoors {
  readonly #options: HttpOptions;
  readonly #server: Server;
  readonly #calls = new RunningCalls();
  readonly #rest: RestRoutes;
  readonly #bridges: BridgeRoutes;
  readonly #callsDoor: CallsDoor;
  readonly #answering = new Set<ServerResponse>();
  readonly #unwatch: () => void;
  /** All connections except links. */
  readonly #connections = new Set<Duplex>();
  #guard: RequestGuard | undefined;
  #mcp: Promise<McpDoor> | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: HttpOptions) {
    this.#options = options;
    const desk = { gate: options.gate, calls: this.#calls, asks: new QuestionDesk() };
    this.#rest = new RestRoutes(desk);
    this.#bridges = new BridgeRoutes({ ...desk, look: options.look ?? seeNothing });
    this.#unwatch = options.answers.watch(() => unreadOf(this.#answering));
    this.#callsDoor = new CallsDoor({ ...options, calls: this.#calls, timing: options.callsTiming });
    this.#server = createServer({
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: options.timing?.headersMs ?? HEADERS_TIMEOUT_MS,
      requestTimeout: options.timing?.bodyMs ?? BODY_TIMEOUT_MS,
      connectionsCheckingInterval: Math.min(1_000, (options.timing?.headersMs ?? HEADERS_TIMEOUT_MS) / 4),
      keepAliveTimeout: options.timing?.idleMs ?? KEEP_ALIVE_TIMEOUT_MS,
      // A missing Host is refused here, so that the answer has a body.
      requireHostHeader: false,
    });
    const onRequest = (req: IncomingMessage, res: ServerResponse): void => this.#onRequest(req, res);
    this.#server
      .on('connection', (socket: Duplex) => this.#keep(socket))
      .on('request', onRequest)
      // A body announced with Expect is asked for only when it will be read.
      .on('checkContinue', onRequest)
      .on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => refuse(req, res, unknownExpectation()))
      .on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => this.#onUpgrade(req, socket, head))
      .on('connect', (_req: IncomingMessage, socket: Duplex) => answerRaw(socket, noProxy()))
      .on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => this.#onClientError(error, socket));
  }

  listen(port: number): Promise<Server> {
    const server = this.#server;
    return new Promise((resolve, reject) => {
      const onError = (error: Error): void => {
        server.off('listening', onListening);
        reject(error);
      };
      const onListening = (): void => {
        server.off('error', onError);
        server.on('error', (error) => this.#options.log('http-failed', { error }));
        const address = server.address();
        const bound = typeof address === 'object' && address !== null ? address.port : port;
        const { token, gate, guard } = this.#options;
        this.#guard = guard?.(bound) ?? new TokenGuard(bound, token, gate.projectRoot);
        resolve(server);
      };
      server.once('error', onError).once('listening', onListening);
      server.listen({ host: LOOPBACK, port, exclusive: true });
    });
  }

  toolsChanged(): void {
    this.#mcp?.then(
      (door) => door.toolsChanged(),
      // Reported to the request that wanted to open it.
      () => undefined,
    );
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const server = this.#server;
    const closed = new Promise<void>((resolve) => {
      if (server.listening) server.close(() => resolve());
      else resolve();
    });
    for (const res of this.#answering) {
      res.shouldKeepAlive = false;
      if (!res.req.complete) res.req.socket.destroy();
    }
    this.#dropUnused();
    this.#calls.abortAll();
    this.#callsDoor.end();
    // Calls that do not settle are cut off, so that the port is free for the next sidecar.
    const timer = setTimeout(() => {
      server.closeAllConnections();
      this.#callsDoor.cut();
    }, this.#options.timing?.closeGraceMs ?? HTTP_CLOSE_GRACE_MS);
    // A failed open was reported to its request, and left nothing to close.
    const mcp = await this.#mcp?.catch(() => undefined);
    await mcp?.close();
    await closed;
    this.#unwatch();
    clearTimeout(timer);
  }

  /** An upgrade request served as a plain one comes here a second time. */
  #keep(socket: Duplex): void {
    if (this.#connections.has(socket)) return;
    this.#connections.add(socket);
    socket.once('close', () => this.#connections.delete(socket));
  }

  /** Node itself waits for connections that have sent nothing, or only half a request. */
  #dropUnused(): void {
    const used = new Set<Duplex>([...this.#answering].map(({ req }) => req.socket));
    for (const socket of this.#connections) if (!used.has(socket)) socket.end(() => socket.destroy());
  }

  #onUpgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.#options.bridgesOnly || !this.#callsDoor.isMeant(req))
      this.#afterEarlier(socket, () => serveAsPlain(this.#server, req, socket, head));
    else if (!this.#guard || this.#closed) refuseUpgrade(socket, shuttingDown());
    else {
      this.#connections.delete(socket);
      this.#callsDoor.take(req, socket, head, this.#guard);
    }
  }

  /** An unfinished answer still owns the connection: a request served before it ends would never be answered. */
  #afterEarlier(socket: Duplex, serve: () => void): void {
    const earlier = [...this.#answering].findLast(({ req }) => req.socket === socket);
    if (earlier) earlier.once('close', serve);
    else serve();
  }

  #onRequest(req: IncomingMessage, res: ServerResponse): void {
    this.#answering.add(res);
    res.once('close', () => {
      this.#answering.delete(res);
      this.#options.answers.look();
      // The MCP library keeps its connections alive with its own header.
      if (this.#closed) req.socket.destroySoon();
    });
    this.#serve(req, res).catch((error: unknown) => this.#fail(req, res, error));
  }

  async #serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const guard = this.#guard;
    if (!guard || this.#closed) return refuse(req, res, shuttingDown(), [['connection', 'close']]);
    const stranger = guard.source(req);
    if (stranger) return refuse(req, res, stranger);
    const exchange = exchangeOf(req, res);
    const refusal = guard.project(req);
    if (this.#options.bridgesOnly) return this.#serveBridge(exchange, refusal);
    if (exchange.path === '/health') return this.#health(exchange, guard, refusal);
    if (!guard.isAuthorized(req)) return refuse(req, res, unauthorized(), [['www-authenticate', 'Bearer']]);
    if (refusal) return refuse(req, res, refusal);
    if (exchange.path === '/mcp') return (await this.#mcpDoor()).handle(req, res);
    return (this.#bridges.find(exchange.path) ?? ((plain) => this.#route(plain)))(exchange);
  }

  async #serveBridge(exchange: Exchange, refusal: AppError | undefined): Promise<void> {
    const { req, res, path } = exchange;
    const answer = this.#bridges.find(path);
    if (refusal || !answer) return refuse(req, res, refusal ?? unknownRoute());
    await answer(exchange);
  }

  #health(exchange: Exchange, guard: RequestGuard, refusal: AppError | undefined): void {
    const { req, res } = exchange;
    const { gate, token, version, kind } = this.#options;
    if (req.headers.authorization !== undefined && !guard.isAuthorized(req)) refuse(req, res, unauthorized());
    else if (refusal) refuse(req, res, refusal);
    else if (!takes(req, 'GET')) refuseMethod(exchange, 'GET');
    else answerHealth(exchange, guard, { token, projectRoot: gate.projectRoot, version, kind });
  }

  async #route(exchange: Exchange): Promise<void> {
    const { req, res, path } = exchange;
    const route: Route | undefined = this.#rest.find(path);
    if (!route) return refuse(req, res, unknownRoute());
    if (!takes(req, route.method)) return refuseMethod(exchange, route.method);
    const wrongType = route.method === 'POST' ? wrongMediaType(req) : undefined;
    if (wrongType) return refuse(req, res, wrongType);
    await route.handle(exchange);
  }

  #mcpDoor(): Promise<McpDoor> {
    this.#mcp ??= (this.#options.openMcp ?? loadMcp)(this.#options);
    return this.#mcp;
  }

  #fail(req: IncomingMessage, res: ServerResponse, error: unknown): void {
    if (error instanceof SenderGone) return;
    if (!(error instanceof AppError)) this.#options.log('http-failed', { error });
    if (res.headersSent) res.destroy();
    else if (error instanceof AppError && !req.complete) refuse(req, res, error);
    else sendError(res, error);
  }

  #onClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
    const busy = [...this.#answering].some(
      ({ req, headersSent }) => req.socket === socket && (req.complete || headersSent),
    );
    // In the middle of another answer an error cannot be sent.
    if (busy || error.code === 'ECONNRESET') socket.destroy();
    else answerRaw(socket, parserRefusal(error.code));
  }
}

async function seeNothing(): Promise<WindowView> {
  return { activeFile: '', openFiles: [] };
}

async function loadMcp(options: HttpOptions): Promise<McpDoor> {
  const { openMcp } = await import('../mcp/open-mcp.ts');
  return openMcp(options);
}

/** Includes answers queued behind an earlier one on the same connection. */
function unreadOf(answering: Iterable<ServerResponse>): number {
  let bytes = 0;
  for (const { writableLength } of answering) bytes += writableLength;
  return bytes;
}

function exchangeOf(req: IncomingMessage, res: ServerResponse): Exchange {
  const url = req.url ?? '/';
  const mark = url.indexOf('?');
  return mark === -1
    ? { req, res, path: url, query: '' }
    : { req, res, path: url.slice(0, mark), query: url.slice(mark + 1) };
}

function takes(req: IncomingMessage, method: Route['method']): boolean {
  return req.method === method || (req.method === 'HEAD' && method === 'GET');
}

function refuseMethod({ req, res }: Exchange, method: Route['method']): void {
  const error = new AppError('E_METHOD_NOT_ALLOWED', `This route takes ${method}.`);
  refuse(req, res, error, [['allow', method === 'GET' ? 'GET, HEAD' : method]]);
}

function unknownRoute(): AppError {
  return new AppError('E_NOT_FOUND', 'No such route.', {
    hint: 'GET /tools lists what can be called at POST /tools/<name>; MCP clients connect to /mcp.',
  });
}

function unknownExpectation(): AppError {
  return new AppError('E_INVALID_PARAMS', 'Only Expect: 100-continue is supported.');
}

function noProxy(): { status: number; error: AppError } {
  return { status: 405, error: new AppError('E_METHOD_NOT_ALLOWED', 'DevDB is not a proxy.') };
}
