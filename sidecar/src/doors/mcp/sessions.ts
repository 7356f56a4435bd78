import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@devdb/shared/errors';
import { MAX_CLIENT_NAME_CHARS } from '@devdb/shared/limits';
import { ErrorCode, isInitializeRequest, isJSONRPCRequest, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { LogEvent } from '../../host/log.ts';
import { defaultTimeoutOf, structuredModeOf } from '../caller-of.ts';
import { readJson, wrongMediaType } from '../http/read-body.ts';
import { refuse, sendJson } from '../http/reply.ts';
import { MAX_MCP_SESSIONS, MCP_SESSION_IDLE_MS, MCP_SESSION_REPLACEABLE_MS } from '../limits.ts';
import type { McpDoor } from './mcp-door.ts';
import { McpSession, type Resumption, type SessionServer } from './session.ts';
import { whoMakesRoom } from './session-room.ts';

const SWEEP_INTERVAL_MS = 60_000;
const METHODS = ['GET', 'POST', 'DELETE'];
const SESSION_HEADER = 'mcp-session-id';
const INITIALIZE_NEEDS = 'initialize needs protocolVersion, capabilities, and clientInfo with name and version.';

export interface SessionsOptions {
  readonly newServer: () => SessionServer;
  readonly log: LogEvent;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
  /** Lets clients resume broken streams. */
  readonly resumption?: () => Resumption;
}

/** Streamable HTTP: one server per session, a limited number of sessions, each ended after some time without use. */
export class McpSessions implements McpDoor {
  readonly #options: SessionsOptions;
  readonly #now: () => number;
  readonly #sessions = new Map<string, McpSession>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_INTERVAL_MS).unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  async handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (!METHODS.includes(req.method ?? '')) {
      const error = new AppError('E_METHOD_NOT_ALLOWED', 'This route takes GET, POST and DELETE.');
      return refuse(req, res, error, [['allow', METHODS.join(', ')]]);
    }
    if (req.method !== 'POST') return this.#resume(req, res, undefined);
    const wrongType = wrongMediaType(req);
    if (wrongType) return refuse(req, res, wrongType);
    defaultTimeoutOf(req.headers);
    structuredModeOf(req.headers);
    const body = await readMessage(req, res);
    if (body === undefined) return sendRpcError(res, 400, ErrorCode.ParseError, 'The body is not valid JSON.');
    if (Array.isArray(body) && body.length === 0) {
      return sendRpcError(res, 400, ErrorCode.InvalidRequest, 'The batch is empty.');
    }
    if (req.headers[SESSION_HEADER] === undefined) {
      if (initializes(body)) return this.#open(req, res, body);
      if (meansToInitialize(body)) return sendRpcError(res, 400, ErrorCode.InvalidParams, INITIALIZE_NEEDS);
    }
    return this.#resume(req, res, body);
  }

  toolsChanged(): void {
    for (const session of this.#sessions.values()) {
      session.toolsChanged().catch((error: unknown) => this.#options.log('mcp-failed', { error }));
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }

  async #resume(req: IncomingMessage, res: ServerResponse, body: unknown): Promise<void> {
    this.#sweep();
    const id = req.headers[SESSION_HEADER];
    if (typeof id !== 'string') {
      return sendRpcError(
        res,
        400,
        ErrorCode.ConnectionClosed,
        `The header ${SESSION_HEADER} is missing: initialize first.`,
      );
    }
    const session = this.#sessions.get(id);
    if (!session) return sendRpcError(res, 404, -32001, 'This session is unknown or has ended: initialize again.');
    await session.handle(req, res, body, requestIds(body));
  }

  async #open(req: IncomingMessage, res: ServerResponse, body: unknown): Promise<void> {
    const client = clientOf(body);
    if (!this.#makesRoom(client)) {
      return sendRpcError(res, 503, ErrorCode.ConnectionClosed, this.#fullFor(client), [['retry-after', '60']]);
    }
    const id = randomUUID();
    const session = new McpSession({
      id,
      client,
      served: this.#options.newServer(),
      now: this.#now,
      log: this.#options.log,
      resumption: this.#options.resumption?.(),
      onClose: () => this.#sessions.delete(id),
    });
    // Counted from here on, so that many simultaneous ones cannot exceed the limit together.
    this.#sessions.set(id, session);
    try {
      await session.connect();
      await session.handle(req, res, body, requestIds(body));
    } finally {
      // The library refused the request, so there is no session to keep.
      if (!session.isInitialized) await session.close();
    }
  }

  /** Whether there is room for one more, ending another session if needed. */
  #makesRoom(client: string): boolean {
    this.#sweep();
    if (this.#sessions.size < MAX_MCP_SESSIONS) return true;
    const session = whoMakesRoom([...this.#sessions.values()], client);
    if (session === undefined) return false;
    this.#options.log('mcp-session-ended', { reason: 'room for another client' });
    this.#end(session);
    return true;
  }

  #fullFor(client: string): string {
    const own = [...this.#sessions.values()].filter((session) => session.client === client).length;
    return `All ${MAX_MCP_SESSIONS} MCP sessions of this window are in use, ${own} of them by clients of the same name as yours: end one, or wait. A session is replaced when it has been idle for ${MCP_SESSION_REPLACEABLE_MS / 1000} s, or when its client holds more sessions than yours.`;
  }

  #sweep(): void {
    for (const session of this.#sessions.values()) {
      if (session.unusedMs() >= MCP_SESSION_IDLE_MS) this.#end(session);
    }
  }

  #end(session: McpSession): void {
    this.#sessions.delete(session.id);
    session.close().catch((error: unknown) => this.#options.log('mcp-failed', { error }));
  }
}

/** The body of a POST; undefined when it is not JSON. */
async function readMessage(req: IncomingMessage, res: ServerResponse): Promise<unknown> {
  try {
    return await readJson(req, res);
  } catch (error) {
    if (error instanceof AppError && error.code === 'E_INVALID_PARAMS') return undefined;
    throw error;
  }
}

function initializes(body: unknown): boolean {
  return Array.isArray(body) ? body.some(isInitializeRequest) : isInitializeRequest(body);
}

/** The client's name in its `initialize` request; used only to tell clients apart. */
function clientOf(body: unknown): string {
  const request: unknown = Array.isArray(body) ? body.find(isInitializeRequest) : body;
  return isInitializeRequest(request) ? request.params.clientInfo.name.slice(0, MAX_CLIENT_NAME_CHARS) : '';
}

function meansToInitialize(body: unknown): boolean {
  return isJSONRPCRequest(body) && body.method === 'initialize';
}

function requestIds(body: unknown): RequestId[] {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  return messages.filter(isJSONRPCRequest).map(({ id }) => id);
}

function sendRpcError(
  res: ServerResponse,
  status: number,
  code: number,
  message: string,
  headers: readonly (readonly [string, string])[] = [],
): void {
  sendJson(res, status, JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }), headers);
}
