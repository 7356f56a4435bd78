import { Agent, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { HEADERS, LOOPBACK } from '@devdb/shared/protocol/http';
import { parseOrUndefined } from '../host/parse-json.ts';
import { Challenge, type Peer } from '../host/token.ts';
import { ConnectionFailed, nothingAnswers, notProven, otherProject } from './connection-failed.ts';

const MAX_HEALTH_BYTES = 16 * 1024;
const MISDIRECTED = 421;

/** A connection to a sidecar that has proven that it knows the token. The token is sent on this socket alone. */
export class ProvenConnection {
  readonly #agent: Agent;
  readonly #peer: Peer;
  readonly #socket: Socket;
  /** The content of its /health, sent along with the proof. */
  readonly health: Health;

  private constructor(agent: Agent, peer: Peer, socket: Socket, health: Health) {
    this.#agent = agent;
    this.#peer = peer;
    this.#socket = socket;
    this.health = health;
  }

  /** Connects and lets the other side prove itself. Rejects with ConnectionFailed. */
  static async open(peer: Peer, signal: AbortSignal): Promise<ProvenConnection> {
    // An agent of our own with a single socket ties the second request to the proven socket.
    const agent = new Agent({ keepAlive: true, maxSockets: 1, maxFreeSockets: 1 });
    try {
      const challenge = new Challenge(peer);
      const { status, body, socket } = await get(`/health?nonce=${challenge.nonce}`, { peer, agent, signal });
      if (status === MISDIRECTED) throw otherProject();
      const health = status === 200 ? parseObject(body) : undefined;
      if (health === undefined || !challenge.isMetBy(health['proof'])) throw notProven();
      return new ProvenConnection(agent, peer, socket, health);
    } catch (error) {
      agent.destroy();
      throw error;
    }
  }

  /** The whole of /health, which needs the token. */
  async wholeHealth(signal: AbortSignal): Promise<Health> {
    const { body } = await get('/health', { peer: this.#peer, agent: this.#agent, signal, provenOn: this.#socket });
    return parseObject(body) ?? this.health;
  }

  close(): void {
    this.#agent.destroy();
    this.#socket.destroy();
  }
}

/** An answer of /health, unparsed. */
export type Health = Readonly<Record<string, unknown>>;

interface Sending {
  readonly peer: Peer;
  readonly agent: Agent;
  readonly signal: AbortSignal;
  /** Sends the token too, and only over this socket. */
  readonly provenOn?: Socket;
}

interface Answer {
  readonly status: number | undefined;
  readonly body: string;
  readonly socket: Socket;
}

function get(path: string, { peer, agent, signal, provenOn }: Sending): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { [HEADERS.projectRoot]: encodeURIComponent(peer.root) };
    const outgoing = request({ host: LOOPBACK, port: peer.port, agent, path, headers, signal });
    outgoing.once('error', (cause) => reject(nothingAnswers(cause)));
    outgoing.once('response', (response) => {
      const { socket, statusCode: status } = response;
      readBody(response).then((body) => resolve({ status, body, socket }), reject);
    });
    if (provenOn === undefined) outgoing.end();
    else
      outgoing.once('socket', (socket) => {
        // The proven socket has ended and the agent opened another, which has proven nothing.
        if (socket !== provenOn) return outgoing.destroy(new Error('not the proven socket'));
        outgoing.setHeader('authorization', `Bearer ${peer.token.open()}`);
        return outgoing.end();
      });
  });
}

/** The whole body, which may come from a stranger: no more is read than a sidecar's health needs. */
function readBody(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let body = '';
    const lost = (cause?: unknown) => reject(new ConnectionFailed('The answer was cut off.', { sent: true, cause }));
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      body += chunk;
      if (body.length > MAX_HEALTH_BYTES) response.destroy(new Error('the answer is too long for a sidecar'));
    });
    response.once('end', () => resolve(body));
    response.once('error', lost);
    response.once('close', () => lost());
  });
}

function parseObject(text: string): Health | undefined {
  const value = parseOrUndefined(text);
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}
