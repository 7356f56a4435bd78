import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { MESSAGES, type MessageKind } from '@devdb/shared/protocol/calls';
import { CALLS_PATH, CALLS_PROTOCOL } from '@devdb/shared/protocol/http';
import { encodeMessage, MessageReader } from '../../src/host/call-messages.ts';
import { TOKEN } from './http-door.ts';
import { asObject, type JsonObject } from './stdio-client.ts';

export interface SeenMessage {
  readonly kind: number;
  readonly number: number;
  readonly text: string;
  readonly json: JsonObject;
}

const HEAD_END = '\r\n\r\n';
const MAX_BYTES = 64 * 1024 * 1024;

/** The head of an upgrade request. */
export function upgradeHead(port: number, headers: readonly string[] = [], nonce = 'abc'): string {
  const lines = [
    `GET ${CALLS_PATH}?nonce=${nonce} HTTP/1.1`,
    ...(headers.some((line) => /^host:/i.test(line)) ? [] : [`Host: 127.0.0.1:${port}`]),
    'Connection: Upgrade',
    `Upgrade: ${CALLS_PROTOCOL}`,
    ...headers,
  ];
  return lines.join('\r\n') + HEAD_END;
}

/** A bare link: it sends what the test says and keeps every message it receives. */
export class CallsClient {
  readonly socket: Socket;
  readonly messages: SeenMessage[] = [];
  /** The head of the answer to the upgrade; for a refusal also the body. */
  head = '';
  closed = false;
  readonly #waiting = new Set<() => void>();
  readonly #reader = new MessageReader(MAX_BYTES, {
    message: (kind, number, payload) => {
      const text = payload.toString();
      this.messages.push({ kind, number, text, json: asObject(JSON.parse(text)) });
    },
    tooLong: () => this.socket.destroy(),
  });

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      this.closed = true;
      this.#wake();
    });
  }

  /** Requests the upgrade and waits for the head of the answer. */
  static async open(port: number, head = upgradeHead(port)): Promise<CallsClient> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const client = new CallsClient(socket);
    socket.write(head);
    await client.until(() => client.head.includes(HEAD_END) || client.closed);
    return client;
  }

  /** A link after the greeting. */
  static async greeted(port: number, more: JsonObject = {}): Promise<CallsClient> {
    const client = await CallsClient.open(port);
    client.greet(more);
    return client;
  }

  greet(more: JsonObject = {}): void {
    this.send(MESSAGES.greeting, 0, { token: TOKEN, client: 'client-1', ...more });
  }

  call(number: number, input: unknown, more: JsonObject = {}): void {
    this.send(MESSAGES.call, number, { tool: 'run-query', input, ...more });
  }

  send(kind: MessageKind, number: number, payload: unknown): void {
    this.socket.write(encodeMessage(kind, number, payload === undefined ? '' : JSON.stringify(payload)));
  }

  /** The next matching message, past or future. Rejects when the connection closes before. */
  async message(fits: (message: SeenMessage) => boolean): Promise<SeenMessage> {
    let found: SeenMessage | undefined;
    await this.until(() => {
      found = this.messages.find(fits);
      return found !== undefined || this.closed;
    });
    if (found === undefined) throw new Error('The connection closed.');
    return found;
  }

  /** The message that ended a call. */
  end(number: number): Promise<SeenMessage> {
    return this.message((message) => message.number === number && message.kind !== MESSAGES.line);
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  close(): Promise<void> {
    this.socket.destroy();
    return this.until(() => this.closed);
  }

  #read(chunk: Buffer): void {
    if (this.head.startsWith('HTTP/1.1 101') && this.head.endsWith(HEAD_END)) this.#reader.push(chunk);
    else this.#readHead(chunk);
    this.#wake();
  }

  #readHead(chunk: Buffer): void {
    const all = this.head + chunk.toString('latin1');
    const end = all.indexOf(HEAD_END);
    const isUpgraded = all.startsWith('HTTP/1.1 101') && end >= 0;
    this.head = isUpgraded ? all.slice(0, end + HEAD_END.length) : all;
    if (isUpgraded) this.#reader.push(Buffer.from(all.slice(end + HEAD_END.length), 'latin1'));
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}
