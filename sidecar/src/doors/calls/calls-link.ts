import { isUtf8 } from 'node:buffer';
import type { Duplex } from 'node:stream';
import { clientNameText, UNNAMED_CLIENT } from '@devdb/shared/client-name';
import { mcpResultPieces } from '@devdb/shared/envelope';
import { AppError, toWire } from '@devdb/shared/errors';
import { MAX_ANSWER_BYTES, MAX_BODY_BYTES, MAX_SKIPPED_BYTES } from '@devdb/shared/limits';
import type { PlainText } from '@devdb/shared/plain-text';
import { MESSAGES, type MessageKind } from '@devdb/shared/protocol/calls';
import type { Line } from '@devdb/shared/protocol/lines';
import type { AnswerRoom } from '../../dispatch/answer-room.ts';
import type { Gate } from '../../dispatch/gate.ts';
import { MessageReader, writeMessage } from '../../host/call-messages.ts';
import type { LogEvent } from '../../host/log.ts';
import type { Secret } from '../../host/secret.ts';
import { equalSecrets } from '../../host/token.ts';
import { shuttingDown, tooLarge, unauthorized } from '../http/refusals.ts';
import { isUnknownTool, textFormOf } from '../http/tool-call.ts';
import {
  BODY_TIMEOUT_MS,
  CALLS_ABANDONED_MS,
  HEADERS_TIMEOUT_MS,
  MAX_CALL_BYTES,
  MAX_GREETING_BYTES,
  MAX_UNENDED_CALLS,
} from '../limits.ts';
import { Heartbeat, ProgressFeed } from '../progress-feed.ts';
import { type CallQuestions, QuestionDesk } from '../question-desk.ts';
import type { RunningCall, RunningCalls } from '../running-calls.ts';
import { type Call, type Greeting, readAnswer, readCall, readGreeting } from './call-schemas.ts';

/** How long each kind of silence is tolerated. */
export interface CallsTiming {
  readonly greetingMs: number;
  readonly halfMessageMs: number;
  readonly abandonedMs: number;
}

const TIMING: CallsTiming = {
  greetingMs: HEADERS_TIMEOUT_MS,
  halfMessageMs: BODY_TIMEOUT_MS,
  abandonedMs: CALLS_ABANDONED_MS,
};

export interface ConnectionParts {
  readonly gate: Gate;
  readonly calls: RunningCalls;
  readonly token: Secret;
  readonly log: LogEvent;
  readonly answers: AnswerRoom;
  readonly timing?: CallsTiming | undefined;
  readonly closed: () => void;
}

/** A call, from its first message to its last. */
interface OpenCall {
  readonly number: number;
  readonly running: RunningCall;
}

/** The sidecar's end of a link. */
export class CallsLink {
  readonly #parts: ConnectionParts;
  readonly #socket: Duplex;
  readonly #reader: MessageReader;
  readonly #timing: CallsTiming;
  // One desk per link: a question is answered over the link it was sent on, and no other.
  readonly #asks = new QuestionDesk();
  readonly #open = new Map<number, OpenCall>();
  readonly #heartbeat = new Heartbeat();
  #name: { readonly given: string | undefined; readonly plain: PlainText } = {
    given: undefined,
    plain: UNNAMED_CLIENT,
  };
  #unended = 0;
  #greeting: Greeting | undefined;
  #ending = false;
  #timer: NodeJS.Timeout;
  #lastHeard = performance.now();
  readonly #unwatch: () => void;

  constructor(socket: Duplex, parts: ConnectionParts) {
    this.#parts = parts;
    this.#socket = socket;
    this.#timing = parts.timing ?? TIMING;
    this.#reader = new MessageReader(MAX_GREETING_BYTES, {
      message: (kind, number, payload) => this.#take(kind, number, payload),
      tooLong: (kind, number, bytes) => this.#refuseLong(kind, number, bytes),
    });
    this.#timer = setTimeout(() => this.cut(), this.#timing.greetingMs);
    socket.on('data', (chunk: Buffer) => this.read(chunk));
    socket.once('end', () => this.cut());
    socket.on('error', () => this.cut());
    socket.once('close', () => this.#closed());
    socket.on('drain', () => this.#drained());
    this.#unwatch = parts.answers.watch(() => socket.writableLength);
  }

  /** Takes received bytes; the first may have arrived with the request. */
  read(chunk: Buffer): void {
    this.#lastHeard = performance.now();
    this.#reader.push(chunk);
  }

  /** Takes no more calls, and closes after the last answer. */
  end(): void {
    this.#ending = true;
    if (this.#unended === 0) this.#socket.end();
  }

  cut(): void {
    this.#reader.stop();
    this.#socket.destroy();
  }

  #drained(): void {
    this.#parts.answers.look();
    this.#readOn();
  }

  #closed(): void {
    this.#unwatch();
    clearTimeout(this.#timer);
    this.#reader.stop();
    for (const { running } of this.#open.values()) running.cancel();
    this.#open.clear();
    this.#parts.closed();
  }

  #take(kind: number, number: number, payload: Buffer): void {
    if (this.#greeting === undefined) this.#greet(kind, payload);
    else if (kind === MESSAGES.call) this.#call(number, payload);
    else if (kind === MESSAGES.cancel) this.#cancel(number);
    else if (kind === MESSAGES.answer) this.#answer(payload);
  }

  #greet(kind: number, payload: Buffer): void {
    const greeting = kind === MESSAGES.greeting ? readGreeting(payload) : undefined;
    if (greeting === undefined || !equalSecrets(greeting.token, this.#parts.token.open())) {
      this.#reader.stop();
      this.#refuse(0, unauthorized());
      this.#socket.end();
      return;
    }
    this.#greeting = greeting;
    this.#reader.allow(MAX_CALL_BYTES);
    clearTimeout(this.#timer);
    const { halfMessageMs, abandonedMs } = this.#timing;
    this.#timer = setInterval(() => this.#check(), Math.min(halfMessageMs, abandonedMs) / 2);
  }

  #refuseLong(kind: number, number: number, bytes: number): void {
    if (this.#greeting === undefined || bytes > MAX_SKIPPED_BYTES) this.cut();
    else if (kind === MESSAGES.call) this.#refuse(number, tooLarge(MAX_BODY_BYTES));
  }

  #call(number: number, payload: Buffer): void {
    const call = isUtf8(payload) ? readCall(payload) : undefined;
    if (call === undefined) this.#refuse(number, unreadable());
    else if (this.#ending) this.#refuse(number, shuttingDown());
    // With two calls of one number, a cancel or an answer would be ambiguous.
    else if (this.#open.has(number)) this.cut();
    else this.#start({ number, running: this.#parts.calls.start() }, call);
  }

  #start(open: OpenCall, call: Call): void {
    this.#open.set(open.number, open);
    this.#unended += 1;
    void this.#runToEnd(open, call);
    if (this.#mustWait) {
      this.#reader.pause();
      this.#socket.pause();
    }
  }

  async #runToEnd(open: OpenCall, call: Call): Promise<void> {
    try {
      await this.#run(open, call);
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#ended(open);
    }
  }

  async #run(open: OpenCall, { tool, client, canAsk, textAlone, input }: Call): Promise<void> {
    const { gate } = this.#parts;
    const clientId = this.#greeting?.client ?? '';
    const feed = new ProgressFeed((progress) => this.#offer(open, { type: 'progress', ...progress }), this.#heartbeat);
    const asks: CallQuestions | undefined = canAsk
      ? this.#asks.forCall(clientId, (line) => this.#line(open, line))
      : undefined;
    const envelope = await gate.run(tool, input, {
      door: 'rest',
      clientId,
      clientName: this.#nameOf(client),
      defaultTimeoutMs: this.#greeting?.timeoutMs,
      signal: open.running.signal,
      progress: (progress) => feed.report(progress),
      ...(asks && { ask: (question, signal) => asks.ask(question, signal) }),
    });
    feed.end();
    asks?.end();
    if (!this.#isOpen(open)) return;
    if (!envelope.ok && isUnknownTool(envelope)) {
      this.#send(MESSAGES.refused, open.number, [JSON.stringify({ error: envelope.error })]);
    } else {
      this.#send(MESSAGES.result, open.number, mcpResultPieces(envelope, textFormOf(gate.tools, tool), textAlone));
    }
  }

  /** A link has one client, so its name is made plain once. */
  #nameOf(given: string | undefined): PlainText {
    if (given !== this.#name.given) this.#name = { given, plain: clientNameText(given) };
    return this.#name.plain;
  }

  #ended(open: OpenCall): void {
    open.running.over();
    if (this.#isOpen(open)) this.#open.delete(open.number);
    this.#unended -= 1;
    if (this.#ending && this.#unended === 0) this.#socket.end();
    this.#readOn();
  }

  /** A cancelled call sends nothing more. */
  #cancel(number: number): void {
    const open = this.#open.get(number);
    this.#open.delete(number);
    open?.running.cancel();
  }

  #answer(payload: Buffer): void {
    const answer = readAnswer(payload);
    if (answer === undefined) return;
    try {
      this.#asks.answer(answer.ask, this.#greeting?.client, answer.reply);
    } catch (error) {
      // Too late, or not an answer to the question: the question stays open or has already ended.
      if (!(error instanceof AppError)) throw error;
    }
  }

  #isOpen(open: OpenCall): boolean {
    return this.#open.get(open.number) === open;
  }

  #line(open: OpenCall, line: Line): void {
    if (this.#isOpen(open)) this.#send(MESSAGES.line, open.number, [JSON.stringify(line)]);
  }

  /** For lines that may be dropped: a slow reader gets fewer of them. */
  #offer(open: OpenCall, line: Line): void {
    if (!this.#socket.writableNeedDrain) this.#line(open, line);
  }

  #refuse(number: number, error: AppError): void {
    this.#send(MESSAGES.refused, number, [JSON.stringify({ error: toWire(error) })]);
  }

  #send(kind: MessageKind, number: number, pieces: readonly string[]): void {
    if (this.#socket.writable) writeMessage(this.#socket, kind, number, pieces);
  }

  /** Whether to stop reading calls: too many are unfinished, or their answers are not being read. */
  get #mustWait(): boolean {
    return this.#unended >= MAX_UNENDED_CALLS || this.#socket.writableLength > MAX_ANSWER_BYTES;
  }

  #readOn(): void {
    if (!this.#socket.isPaused() || this.#mustWait) return;
    this.#socket.resume();
    this.#reader.resume();
  }

  #check(): void {
    // The other side does not count as silent while this side is not reading.
    if (this.#socket.isPaused()) this.#lastHeard = performance.now();
    const silentMs = performance.now() - this.#lastHeard;
    const isHalf = this.#reader.inMessage && silentMs > this.#timing.halfMessageMs;
    const isAbandoned = this.#unended === 0 && silentMs > this.#timing.abandonedMs;
    if (isHalf || isAbandoned) this.cut();
  }

  #fail(error: unknown): void {
    this.#parts.log('http-failed', { error });
    this.cut();
  }
}

function unreadable(): AppError {
  return new AppError('E_INVALID_PARAMS', 'The call is not valid JSON.', {
    hint: 'Send {"tool","input"} as one JSON value in UTF-8.',
  });
}
