import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { PROOF_TIMEOUT_MS } from '@devdb/shared/limits';
import { HEADERS, LOOPBACK } from '@devdb/shared/protocol/http';
import type { Secret } from '../connections/secret.ts';
import { equalSecrets, newNonce, proveToken } from '../host/token.ts';
import { ConnectionFailed, nothingAnswers, notProven, otherProject } from './connection-failed.ts';
import { isRecord } from './messages.ts';
import { parseOrUndefined, readBody } from './response-body.ts';

const MAX_HEALTH_BYTES = 16 * 1024;

export interface Peer {
  readonly port: number;
  /** The canonical root that the other side has to have open. */
  readonly root: string;
  readonly token: Secret;
}

export interface Exchange {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** The longest silence before the other side counts as lost. */
  readonly silenceMs: number;
}

/**
 * One TCP connection to a sidecar that has shown that it knows the token. The token is written to this very socket
 * and to no other: a port in the registry may by now belong to anybody.
 */
export class ProvenConnection {
  readonly #agent: Agent;
  readonly #peer: Peer;
  readonly #socket: Socket;
  /** The other side's version, as its proof told it. */
  readonly serverVersion: string;

  private constructor(agent: Agent, peer: Peer, socket: Socket, serverVersion: string) {
    this.#agent = agent;
    this.#peer = peer;
    this.#socket = socket;
    this.serverVersion = serverVersion;
  }

  /** Connects, and lets the other side prove itself before anything is told to it. */
  static async open(peer: Peer, signal: AbortSignal): Promise<ProvenConnection> {
    // At most one socket, kept: an agent of its own is what ties later requests to the socket that was proven.
    const agent = new Agent({ keepAlive: true, maxSockets: 1, maxFreeSockets: 1 });
    try {
      const { socket, version } = await prove(agent, peer, signal);
      return new ProvenConnection(agent, peer, socket, version);
    } catch (error) {
      agent.destroy();
      throw error;
    }
  }

  /** Whether the socket still stands, as far as this side knows. */
  get usable(): boolean {
    return !this.#socket.destroyed && this.#socket.writable;
  }

  /** Sends one request; the answer's body is the caller's to read. */
  send({ method, path, headers, body, signal, silenceMs }: Exchange): Promise<IncomingMessage> {
    const { port, root, token } = this.#peer;
    return new Promise((resolve, reject) => {
      let sent = false;
      const outgoing = request({
        host: LOOPBACK,
        port,
        agent: this.#agent,
        method,
        path,
        headers: {
          ...headers,
          [HEADERS.projectRoot]: encodeURIComponent(root),
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
      });
      outgoing.once('error', (cause) => reject(new ConnectionFailed('The connection was lost.', { sent, cause })));
      outgoing.once('response', resolve);
      outgoing.once('socket', (socket) => {
        // The kept socket ended meanwhile and the agent opened another one, which has proven nothing.
        if (socket !== this.#socket) {
          outgoing.destroy(new Error('not the proven socket'));
          return;
        }
        sent = true;
        outgoing.setHeader('authorization', `Bearer ${token.open()}`);
        outgoing.setTimeout(silenceMs, () => outgoing.destroy(new Error('silence')));
        outgoing.end(body);
      });
      endOnAbort(outgoing, signal);
    });
  }

  close(): void {
    this.#agent.destroy();
    this.#socket.destroy();
  }
}

function endOnAbort(outgoing: ClientRequest, signal: AbortSignal): void {
  const end = () => outgoing.destroy(new Error('cancelled'));
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  outgoing.once('close', () => signal.removeEventListener('abort', end));
}

interface Proof {
  readonly socket: Socket;
  readonly version: string;
}

function prove(agent: Agent, peer: Peer, signal: AbortSignal): Promise<Proof> {
  const nonce = newNonce();
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: LOOPBACK,
      port: peer.port,
      agent,
      path: `/health?nonce=${nonce}`,
      headers: { [HEADERS.projectRoot]: encodeURIComponent(peer.root) },
    });
    const timer = setTimeout(() => outgoing.destroy(new Error('no proof in time')), PROOF_TIMEOUT_MS);
    outgoing.once('close', () => clearTimeout(timer));
    outgoing.once('error', (cause) => reject(nothingAnswers(cause)));
    outgoing.once('response', (response) => {
      const { socket } = response;
      readBody(response, MAX_HEALTH_BYTES).then((body) => {
        if (response.statusCode === 421) return reject(otherProject());
        const answer = response.statusCode === 200 ? readHealth(body) : undefined;
        if (answer === undefined || !equalSecrets(answer.proof, proveToken(peer.token, nonce, peer.root, peer.port)))
          return reject(notProven());
        return resolve({ socket, version: answer.version });
      }, reject);
    });
    endOnAbort(outgoing, signal);
    outgoing.end();
  });
}

function readHealth(body: string): { readonly proof: string; readonly version: string } | undefined {
  const raw = parseOrUndefined(body);
  if (!isRecord(raw)) return undefined;
  const { proof, version } = raw;
  return typeof proof === 'string' ? { proof, version: typeof version === 'string' ? version : 'unknown' } : undefined;
}
