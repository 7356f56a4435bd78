import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { type EventStore, StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CancelledNotificationSchema, type JSONRPCMessage, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { LogEvent } from '../../host/log.ts';

/** The MCP server of one session. */
export interface SessionServer {
  readonly server: Server;
  /** Cancels the call with this id, if it is running. */
  cancel?(id: RequestId): void;
  /** Cancels all calls; they still answer. */
  cancelAll?(): void;
  /** Notifies the client that the tool list changed; lost when the client does not listen. */
  toolsChanged?(): Promise<void>;
}

/** Stores sent messages, so that a client whose stream broke gets the rest. */
export interface Resumption {
  readonly eventStore: EventStore;
  /** Milliseconds a client waits before it reconnects. */
  readonly retryInterval: number;
}

export interface SessionParts {
  readonly id: string;
  /** The client's name, as it sent it. */
  readonly client: string;
  readonly served: SessionServer;
  readonly now: () => number;
  readonly log: LogEvent;
  readonly resumption: Resumption | undefined;
  readonly onClose: () => void;
}

/** One client's session: its server, its transport, and how it is used. */
export class McpSession {
  readonly #parts: SessionParts;
  readonly #transport: StreamableHTTPServerTransport;
  /** Open requests, including the client's listening stream. */
  #open = 0;
  #usedAt: number;
  #askedAt: number;
  /** The responses that answers are written to. */
  readonly #answers = new Set<ServerResponse>();

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#usedAt = parts.now();
    this.#askedAt = this.#usedAt;
    this.#transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => parts.id,
      ...parts.resumption,
    });
    // Set before the server connects, so that the server's own handlers run after these.
    this.#transport.onmessage = (message) => this.#seen(message);
    this.#transport.onclose = parts.onClose;
    parts.served.server.onerror = (error) => parts.log('mcp-refused', { message: error.message });
  }

  get id(): string {
    return this.#parts.id;
  }

  get client(): string {
    return this.#parts.client;
  }

  /** Whether a call is running; the client's listening stream does not count. */
  get isCalling(): boolean {
    return this.#answers.size > 0;
  }

  get askedAt(): number {
    return this.#askedAt;
  }

  get isInitialized(): boolean {
    return this.#transport.sessionId !== undefined;
  }

  /** Connects the server to the transport; call it before the first request. */
  connect(): Promise<void> {
    return this.#parts.served.server.connect(this.#transport);
  }

  /** Milliseconds without an open request. */
  unusedMs(): number {
    return this.#open > 0 ? 0 : this.#parts.now() - this.#usedAt;
  }

  async handle(req: IncomingMessage, res: ServerResponse, body: unknown, ids: readonly RequestId[]): Promise<void> {
    this.#open += 1;
    this.#askedAt = this.#parts.now();
    if (ids.length > 0) this.#answers.add(res);
    res.once('close', () => {
      this.#open -= 1;
      this.#answers.delete(res);
      this.#usedAt = this.#parts.now();
      // With no stored answers, a call whose connection is gone has no reader: it is cancelled.
      if (!res.writableFinished && !this.#parts.resumption) this.#abandon(ids);
    });
    await this.#transport.handleRequest(req, res, body);
  }

  async toolsChanged(): Promise<void> {
    if (this.isInitialized) await this.#parts.served.toolsChanged?.();
  }

  /** Ends the session. Its running calls are cancelled, and their clients still get those answers. */
  async close(): Promise<void> {
    this.#parts.served.cancelAll?.();
    await Promise.all([...this.#answers].map((res) => once(res, 'close')));
    await this.#parts.served.server.close();
  }

  #abandon(ids: readonly RequestId[]): void {
    for (const requestId of ids) {
      const params = { requestId, reason: 'The client closed the connection.' };
      this.#transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    }
  }

  // A cancelled request gets no answer, so nothing else would close the stream that waits for it.
  #seen(message: JSONRPCMessage): void {
    const cancelled = CancelledNotificationSchema.safeParse(message);
    if (!cancelled.success) return;
    const { requestId } = cancelled.data.params;
    if (requestId === undefined) return;
    this.#parts.served.cancel?.(requestId);
    queueMicrotask(() => this.#transport.closeSSEStream(requestId));
  }
}
