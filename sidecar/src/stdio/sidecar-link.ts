import { request } from 'node:http';
import type { Socket } from 'node:net';
import { CALLS_IDLE_MS, MAX_ANSWER_BYTES, MAX_SKIPPED_BYTES } from '@devdb/shared/limits';
import { MESSAGES, type MessageKind } from '@devdb/shared/protocol/calls';
import { CALLS_PATH, CALLS_PROTOCOL, HEADERS, LOOPBACK } from '@devdb/shared/protocol/http';
import { encodeMessage, MessageReader } from '../host/call-messages.ts';
import { parseOrUndefined } from '../host/parse-json.ts';
import { Challenge, type Peer } from '../host/token.ts';
import { ConnectionFailed, nothingAnswers, notProven, otherProject } from '../registry/connection-failed.ts';
import { ANSWER_SILENCE_MS, PROOF_TIMEOUT_MS } from './limits.ts';
import { isRecord, type Params } from './messages.ts';
import type { HeldBack } from './tool-call.ts';

const LINE_FEED = 10;
const LAST_NUMBER = 0xffff_ffff;
const MISDIRECTED = 421;
const CHECK_INTERVAL_MS = CALLS_IDLE_MS / 4;

/** The client of a link, for all of its calls. */
export interface Speaker {
  readonly clientId: string;
  readonly timeoutMs?: number | undefined;
}

/** One outgoing call. */
export interface CallParts {
  /** {tool, client?, canAsk?, textAlone?, input} as JSON text. */
  readonly text: string;
  readonly signal: AbortSignal;
  /** Progress, questions, and whatever later versions add. */
  readonly line: (line: Params) => void;
  readonly holdBack: (source: HeldBack) => void;
}

/** How a call ended: the finished MCP result as JSON text, or the refusal of a sidecar that did not run it. */
export type CallEnd = { readonly result: string } | { readonly refusal: string };

interface OpenCall extends CallParts {
  readonly end: (end: CallEnd) => void;
  readonly lost: (cause: unknown) => void;
}

/**
 * The entry's end of a link: a connection that a sidecar has upgraded to carry calls, after proving that it knows the
 * token.
 */
export class SidecarLink {
  readonly #socket: Socket;
  readonly #reader: MessageReader;
  readonly #open = new Map<number, OpenCall>();
  readonly #timer: NodeJS.Timeout;
  #number = 0;
  #lastHeard = performance.now();
  #lost = false;
  /** The sidecar's version, from its answer to the upgrade. */
  readonly serverVersion: string;

  private constructor(socket: Socket, head: Buffer, serverVersion: string) {
    this.#socket = socket;
    this.serverVersion = serverVersion;
    this.#reader = new MessageReader(MAX_ANSWER_BYTES, {
      message: (kind, number, payload) => this.#take(kind, number, payload),
      tooLong: (_kind, number, bytes) => {
        const cause = new Error('the answer is too long');
        if (bytes > MAX_SKIPPED_BYTES) this.#lose(cause);
        else this.#open.get(number)?.lost(cause);
      },
    });
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.once('end', () => this.#lose(new Error('the sidecar closed the connection')));
    socket.on('error', (cause) => this.#lose(cause));
    socket.once('close', () => this.#lose(new Error('the connection is closed')));
    this.#timer = setInterval(() => this.#check(), CHECK_INTERVAL_MS);
    if (head.length > 0) this.#read(head);
  }

  /**
   * Connects and asks for the upgrade. The token is sent only after the other side has proven itself on this
   * connection.
   */
  static async open(peer: Peer, speaker: Speaker): Promise<SidecarLink> {
    const { socket, head, version } = await upgrade(peer);
    const connection = new SidecarLink(socket, head, version);
    const { clientId: client, timeoutMs } = speaker;
    connection.#send(MESSAGES.greeting, 0, JSON.stringify({ token: peer.token.open(), client, timeoutMs }));
    return connection;
  }

  /** Whether the link is still open, as far as this side knows. */
  get usable(): boolean {
    return !this.#lost && this.#socket.writable;
  }

  /** Runs a call. Rejects when it is cancelled, which the sidecar learns, or when the link breaks. */
  call(parts: CallParts): Promise<CallEnd> {
    return new Promise((resolve, reject) => {
      if (parts.signal.aborted) return reject(new ConnectionFailed('The call was cancelled.'));
      if (!this.usable) return reject(new ConnectionFailed('The connection was lost.'));
      const number = this.#nextNumber();
      const over = () => {
        this.#open.delete(number);
        parts.signal.removeEventListener('abort', cancel);
      };
      const cancel = () => {
        over();
        this.#send(MESSAGES.cancel, number, '');
        reject(new ConnectionFailed('The call was cancelled.', { sent: true }));
      };
      this.#open.set(number, {
        ...parts,
        end: (end) => {
          over();
          resolve(end);
        },
        lost: (cause) => {
          over();
          reject(new ConnectionFailed('The connection was lost.', { sent: true, cause }));
        },
      });
      parts.signal.addEventListener('abort', cancel);
      // Silence counts from here on.
      if (this.#open.size === 1) this.#lastHeard = performance.now();
      return this.#send(MESSAGES.call, number, parts.text);
    });
  }

  /** Sends a person's answer to the sidecar. A call that has ended needs none. */
  answer(ask: string, reply: Params): void {
    this.#send(MESSAGES.answer, 0, JSON.stringify({ ask, reply }));
  }

  #nextNumber(): number {
    do this.#number = this.#number >= LAST_NUMBER ? 1 : this.#number + 1;
    while (this.#open.has(this.#number));
    return this.#number;
  }

  #send(kind: MessageKind, number: number, text: string): void {
    if (this.#socket.writable) this.#socket.write(encodeMessage(kind, number, text));
  }

  #read(chunk: Buffer): void {
    this.#lastHeard = performance.now();
    const [any] = this.#open.values();
    this.#reader.push(chunk);
    any?.holdBack(this.#socket);
  }

  /** A number that is not open belongs to a cancelled call. */
  #take(kind: number, number: number, payload: Buffer): void {
    const call = this.#open.get(number);
    if (kind === MESSAGES.refused && number === 0) this.#lose(new Error('the sidecar refused the connection'));
    else if (call === undefined) return;
    else if (kind === MESSAGES.line) takeLine(call, payload.toString());
    else if (kind === MESSAGES.refused) call.end({ refusal: payload.toString() });
    else if (kind === MESSAGES.result) takeResult(call, payload);
  }

  #check(): void {
    // The other side does not count as silent while this side is not reading.
    if (this.#socket.isPaused()) this.#lastHeard = performance.now();
    const silentMs = performance.now() - this.#lastHeard;
    if (this.#open.size === 0 && silentMs > CALLS_IDLE_MS) this.#lose(new Error('nothing to do'));
    else if (silentMs > ANSWER_SILENCE_MS) this.#lose(new Error('silence'));
  }

  #lose(cause: unknown): void {
    if (this.#lost) return;
    this.#lost = true;
    clearInterval(this.#timer);
    this.#reader.stop();
    this.#socket.destroy();
    for (const call of [...this.#open.values()]) call.lost(cause);
  }
}

function takeLine(call: OpenCall, text: string): void {
  const line = parseOrUndefined(text);
  if (isRecord(line)) call.line(line);
  else call.lost(new Error('the answer is not JSON'));
}

/** The client reads lines, so a result with a line break is invalid. */
function takeResult(call: OpenCall, payload: Buffer): void {
  if (payload.includes(LINE_FEED)) call.lost(new Error('the result is more than one line'));
  else call.end({ result: payload.toString() });
}

interface Upgraded {
  readonly socket: Socket;
  readonly head: Buffer;
  readonly version: string;
}

function upgrade(peer: Peer): Promise<Upgraded> {
  const challenge = new Challenge(peer);
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: LOOPBACK,
      port: peer.port,
      agent: false,
      path: `${CALLS_PATH}?nonce=${challenge.nonce}`,
      headers: {
        connection: 'Upgrade',
        upgrade: CALLS_PROTOCOL,
        [HEADERS.projectRoot]: encodeURIComponent(peer.root),
      },
    });
    const timer = setTimeout(() => outgoing.destroy(new Error('no proof in time')), PROOF_TIMEOUT_MS);
    outgoing.once('close', () => clearTimeout(timer));
    outgoing.once('error', (cause) => reject(nothingAnswers(cause)));
    outgoing.once('response', (response) => {
      outgoing.destroy();
      reject(response.statusCode === MISDIRECTED ? otherProject() : notProven());
    });
    outgoing.once('upgrade', (response, socket, head) => {
      clearTimeout(timer);
      if (response.headers.upgrade === CALLS_PROTOCOL && challenge.isMetBy(response.headers[HEADERS.proof])) {
        resolve({ socket, head, version: String(response.headers[HEADERS.version] ?? 'unknown') });
        return;
      }
      socket.destroy();
      reject(notProven());
    });
    outgoing.end();
  });
}
