import type { IncomingMessage } from 'node:http';
import { ANSWER_SILENCE_MS, MAX_IDLE_CONNECTIONS } from '@devdb/shared/limits';
import type { Secret } from '../connections/secret.ts';
import { ConnectionFailed } from './connection-failed.ts';
import { type Exchange, ProvenConnection } from './proven-connection.ts';
import { keyOf } from './target.ts';

export interface SentRequest extends Omit<Exchange, 'silenceMs' | 'method'> {
  readonly port: number;
  readonly root: string;
  /** True when a second run of the same request does no harm. */
  readonly repeatable: boolean;
}

export interface Reply {
  readonly response: IncomingMessage;
  readonly serverVersion: string;
  /** To be called when the body was read to its end; the connection may then carry the next request. */
  readonly release: () => void;
  /** To be called when it was not: the connection is closed. */
  readonly discard: () => void;
}

const UNAUTHORIZED = 401;

/** Keeps proven connections to sidecars and sends requests over them. */
export class ConnectionPool {
  readonly #readToken: () => Secret;
  readonly #idle = new Map<string, ProvenConnection[]>();

  /** The token is read for every new connection, so that one made anew is noticed. */
  constructor(readToken: () => Secret) {
    this.#readToken = readToken;
  }

  /** Whether an unused connection to this sidecar is at hand. */
  keeps(port: number, root: string): boolean {
    return this.#idle.get(keyOf({ port, root }))?.some((connection) => connection.usable) ?? false;
  }

  /**
   * Sends a request and gives the answer. It goes out a second time only when the other side cannot have acted on it:
   * nothing was written, it was refused for its token, or it is repeatable and broke on a kept connection.
   */
  async post(sent: SentRequest): Promise<Reply> {
    const kept = this.#takeIdle(sent);
    if (kept !== undefined) {
      const reply = await this.#tryKept(kept, sent);
      if (reply !== undefined) return reply;
    }
    return this.#postOn(await this.#open(sent), sent);
  }

  /** Undefined means: once more, on a new connection. */
  async #tryKept(connection: ProvenConnection, sent: SentRequest): Promise<Reply | undefined> {
    try {
      const reply = await this.#postOn(connection, sent);
      if (reply.response.statusCode !== UNAUTHORIZED) return reply;
      reply.discard();
      return undefined;
    } catch (error) {
      const mayRepeat = error instanceof ConnectionFailed && (!error.sent || sent.repeatable);
      if (sent.signal.aborted || !mayRepeat) throw error;
      return undefined;
    }
  }

  async #postOn(connection: ProvenConnection, sent: SentRequest): Promise<Reply> {
    try {
      const response = await connection.send({ ...sent, method: 'POST', silenceMs: ANSWER_SILENCE_MS });
      return {
        response,
        serverVersion: connection.serverVersion,
        release: () => this.#giveBack(connection, sent),
        discard: () => connection.close(),
      };
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  async #open({ port, root, signal }: SentRequest): Promise<ProvenConnection> {
    return ProvenConnection.open({ port, root, token: this.#readToken() }, signal);
  }

  #takeIdle(sent: SentRequest): ProvenConnection | undefined {
    const idle = this.#idle.get(keyOf(sent)) ?? [];
    for (let connection = idle.pop(); connection !== undefined; connection = idle.pop()) {
      if (connection.usable) return connection;
      connection.close();
    }
    return undefined;
  }

  #giveBack(connection: ProvenConnection, sent: SentRequest): void {
    const key = keyOf(sent);
    const idle = this.#idle.get(key) ?? [];
    if (!connection.usable || idle.length >= MAX_IDLE_CONNECTIONS) {
      connection.close();
      return;
    }
    idle.push(connection);
    this.#idle.set(key, idle);
  }
}
