import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError, ERROR_CODES, toWire } from '@devdb/shared/errors';
import { CALLS_PATH, CALLS_PROTOCOL, HEADERS } from '@devdb/shared/protocol/http';
import type { AnswerRoom } from '../../dispatch/answer-room.ts';
import type { Gate } from '../../dispatch/gate.ts';
import type { LogEvent } from '../../host/log.ts';
import type { Secret } from '../../host/secret.ts';
import { proveToken } from '../../host/token.ts';
import { answerRaw } from '../http/connection-errors.ts';
import { nonceOf } from '../http/health.ts';
import type { RequestGuard } from '../http/request-guard.ts';
import type { RunningCalls } from '../running-calls.ts';
import { CallsLink, type CallsTiming } from './calls-link.ts';

export interface CallsDoorParts {
  readonly gate: Gate;
  readonly calls: RunningCalls;
  readonly token: Secret;
  readonly version: string;
  readonly log: LogEvent;
  readonly answers: AnswerRoom;
  /** Other timeouts, for tests. */
  readonly timing?: CallsTiming | undefined;
}

/** The door for links: connections upgraded to carry calls, so that many calls cost one request. */
export class CallsDoor {
  readonly #parts: CallsDoorParts;
  readonly #open = new Set<CallsLink>();

  constructor(parts: CallsDoorParts) {
    this.#parts = parts;
  }

  /** Whether an upgrade request is for a link. */
  isMeant(req: IncomingMessage): boolean {
    const path = req.url?.split('?', 1)[0];
    return req.method === 'GET' && path === CALLS_PATH && req.headers.upgrade?.toLowerCase() === CALLS_PROTOCOL;
  }

  /**
   * Upgrades a connection to a link. This side first proves that it has the token; the caller sends it in its first
   * message, and nothing before that counts as a call.
   */
  take(req: IncomingMessage, socket: Duplex, head: Buffer, guard: RequestGuard): void {
    try {
      const refusal = guard.source(req) ?? guard.project(req);
      if (refusal) throw refusal;
      socket.write(this.#acceptance(req));
    } catch (error) {
      refuseUpgrade(socket, error);
      return;
    }
    const connection = new CallsLink(socket, { ...this.#parts, closed: () => this.#open.delete(connection) });
    this.#open.add(connection);
    connection.read(head);
  }

  /** Takes no more calls; each link closes after its last answer. */
  end(): void {
    for (const connection of this.#open) connection.end();
  }

  /** Closes all links at once. */
  cut(): void {
    for (const connection of this.#open) connection.cut();
  }

  #acceptance(req: IncomingMessage): string {
    const { token, gate, version } = this.#parts;
    const nonce = nonceOf(req.url?.split('?')[1] ?? '');
    if (nonce === undefined) {
      throw new AppError('E_INVALID_PARAMS', 'The nonce is missing.', { hint: `GET ${CALLS_PATH}?nonce=...` });
    }
    const proof = proveToken(token, nonce, gate.projectRoot, req.socket.localPort ?? 0);
    const lines = [
      'HTTP/1.1 101 Switching Protocols',
      'Connection: Upgrade',
      `Upgrade: ${CALLS_PROTOCOL}`,
      `${HEADERS.proof}: ${proof}`,
      `${HEADERS.version}: ${version}`,
    ];
    return `${lines.join('\r\n')}\r\n\r\n`;
  }
}

/** Refuses in HTTP and closes the connection. */
export function refuseUpgrade(socket: Duplex, error: unknown): void {
  const { code } = toWire(error);
  answerRaw(socket, { status: ERROR_CODES[code].status, error });
}
