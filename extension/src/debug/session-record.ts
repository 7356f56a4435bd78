import type * as z from 'zod';
import { BoundBreakpoints } from './bound-breakpoints.ts';
import {
  breakpointEvent,
  continuedEvent,
  exceptionInfoBody,
  exitedEvent,
  failureText,
  messageSchema,
  outputEvent,
  setBreakpointsArguments,
  setBreakpointsBody,
  stoppedEvent,
  threadEvent,
} from './dap.ts';
import { isNudge } from './held-back.ts';
import { RECORDED_BYTES, RECORDED_EVENTS } from './limits.ts';
import { outputLines, recordedText } from './output-lines.ts';
import { isQuestion, Overheard } from './overheard.ts';
import { Ring } from './ring.ts';
import { reasonOf, thrownTrace } from './stop-words.ts';
import { TopFrames } from './top-frames.ts';

/** What a session is, beside its messages. */
export interface SessionFacts {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

/** One thing that happened, in the words of the adapter. */
export interface RecordedEvent {
  /** Counts up over all sessions of the window. */
  readonly at: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly kind:
    | 'started'
    | 'output'
    | 'stopped'
    | 'continued'
    | 'exception'
    | 'breakpoint'
    | 'failed'
    | 'exited'
    | 'ended';
  readonly text: string;
  /** Of output its category, of a stop its reason. */
  readonly detail?: string | undefined;
  readonly threadId?: number | undefined;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/** A program that stands still. */
export interface Stop {
  readonly at: number;
  readonly threadId: number | undefined;
  readonly reason: string;
  readonly text: string | undefined;
}

/** How long an adapter took over its answers to one kind of request. */
export interface CommandTimes {
  count: number;
  failed: number;
  totalMs: number;
  mostMs: number;
}

interface Pending {
  readonly command: string;
  readonly since: number;
  readonly args: unknown;
  /** What stood still before the request, for the case that it fails. */
  readonly stops: ReadonlyMap<number, Stop>;
  /** The stop of that moment: an answer that comes later is not about the next one. */
  readonly stopAt: number | undefined;
  /** Takes the answer. */
  readonly hear: ((body: unknown) => void) | undefined;
}

export interface RecordParts {
  readonly facts: SessionFacts;
  /** The next number of an event. */
  readonly count: () => number;
  readonly now: () => number;
  readonly onChange: () => void;
}

/** Requests that let a program run on. */
const RESUMES = new Set([
  'continue',
  'next',
  'stepIn',
  'stepOut',
  'stepBack',
  'reverseContinue',
  'goto',
  'restartFrame',
]);
/** Requests of which the arguments are read along with the answer. */
const WITH_ARGUMENTS = new Set(['setBreakpoints', 'stackTrace']);
const NO_THREAD = -1;

/** What one debug session said and was asked, as far as it is needed: read from its messages, never asked for. */
export class SessionRecord {
  readonly facts: SessionFacts;
  readonly startedAt: number;
  readonly breakpoints = new BoundBreakpoints();
  readonly topFrames = new TopFrames();
  readonly overheard = new Overheard();
  readonly times = new Map<string, CommandTimes>();
  readonly #parts: RecordParts;
  readonly #events = new Ring<RecordedEvent>({ items: RECORDED_EVENTS, bytes: RECORDED_BYTES });
  readonly #asked = new Map<string, number>();
  readonly #pending = new Map<number, Pending>();
  /** Requests that are no part of what happened. */
  readonly #nudges = new Set<number>();
  #stops: ReadonlyMap<number, Stop> = new Map();
  #epoch = 0;
  #capabilities: Readonly<Record<string, unknown>> = {};
  #launched = false;
  #launchFailure: string | undefined;
  #exitCode: number | undefined;
  #fault: string | undefined;
  #endedAt: number | undefined;
  #isEnding = false;
  readonly #threads = new Set<number>();
  #exceptionTold = 0;
  #restartedAt = 0;

  constructor(parts: RecordParts) {
    this.#parts = parts;
    this.facts = parts.facts;
    this.startedAt = parts.now();
    this.#note('started', parts.facts.name, parts.facts.type);
  }

  /** Counts how often the program ran on: what was learned at one stop does not hold at the next. */
  get epoch(): number {
    return this.#epoch;
  }

  /** The latest stop that still holds. */
  get stop(): Stop | undefined {
    return [...this.#stops.values()].reduce<Stop | undefined>(
      (latest, stop) => (latest === undefined || stop.at > latest.at ? stop : latest),
      undefined,
    );
  }

  /** The event from which on its program runs anew: what stood still before does not any more. */
  get restartedAt(): number {
    return this.#restartedAt;
  }

  get launched(): boolean {
    return this.#launched;
  }

  /** Why the program could not be launched or attached to, in the adapter's words. */
  get launchFailure(): string | undefined {
    return this.#launchFailure;
  }

  /** A thread that runs or stands still, as far as the adapter tells of them. */
  get anyThread(): number | undefined {
    const [first] = this.#threads;
    return first;
  }

  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** Why the adapter itself broke. */
  get fault(): string | undefined {
    return this.#fault;
  }

  get endedAt(): number | undefined {
    return this.#endedAt;
  }

  get capabilities(): Readonly<Record<string, unknown>> {
    return this.#capabilities;
  }

  get events(): Iterable<RecordedEvent> {
    return this.#events;
  }

  /** Events that were dropped, so that the record does not grow. */
  get dropped(): number {
    return this.#events.dropped;
  }

  /** Whether this thread stands still. Most adapters stop all of them with one. */
  stopOf(threadId: number): Stop | undefined {
    return this.#stops.get(threadId) ?? this.#stops.get(NO_THREAD);
  }

  /** How often the adapter was asked for this. */
  asked(command: string): number {
    return this.#asked.get(command) ?? 0;
  }

  /** Reads a message that goes to the adapter. */
  toAdapter(message: unknown): void {
    const { data } = messageSchema.safeParse(message);
    if (data?.type !== 'request') return;
    const { seq, command, arguments: args } = data;
    if (isNudge(args)) {
      this.#nudges.add(seq);
      return;
    }
    this.#asked.set(command, this.asked(command) + 1);
    const kept = WITH_ARGUMENTS.has(command) ? args : undefined;
    const [since, stops, stopAt] = [this.#parts.now(), this.#stops, this.stop?.at];
    const hear = isQuestion(command) ? this.overheard.asked(command, args) : undefined;
    this.#pending.set(seq, { command, since, args: kept, stops, stopAt, hear });
    if (command === 'disconnect' || command === 'terminate') this.#isEnding = true;
    if (command === 'restart') this.#restartedAt = this.#note('started', this.facts.name, 'restart');
    // The stop that follows may come before the answer.
    if (RESUMES.has(command)) this.#resume(continuedEvent.safeParse(args).data?.threadId, false);
    this.#parts.onChange();
  }

  /** Reads a message of the adapter. */
  fromAdapter(message: unknown): void {
    const { data } = messageSchema.safeParse(message);
    if (data?.type === 'event') this.#event(data.event, data.body);
    else if (data?.type === 'response') this.#response(data);
    else return;
    this.#parts.onChange();
  }

  /** The adapter broke. If its program has already ended, or it was asked to end, that is a normal end and no fault. */
  fail(why: string): void {
    if (this.#isEnding || this.#endedAt !== undefined) return;
    this.#fault = why;
    this.#note('failed', why, 'adapter');
    this.#parts.onChange();
  }

  end(): void {
    if (this.#endedAt !== undefined) return;
    this.#endedAt = this.#parts.now();
    this.#stops = new Map();
    this.#threads.clear();
    this.#leaveStop();
    this.#pending.clear();
    this.#nudges.clear();
    this.#note('ended', '');
    this.#parts.onChange();
  }

  #event(event: string, body: unknown): void {
    if (event === 'terminated') this.#isEnding = true;
    else if (event === 'invalidated') this.topFrames.forget();
    else if (event === 'capabilities') this.#mergeCapabilities(Object(Object(body).capabilities));
    else if (event === 'stopped') this.#read(stoppedEvent, body, (it) => this.#stopped(it));
    else if (event === 'continued') this.#read(continuedEvent, body, (it) => this.#continued(it));
    else if (event === 'output') this.#read(outputEvent, body, (it) => this.#printed(it));
    else if (event === 'thread') this.#read(threadEvent, body, (it) => this.#thread(it));
    else if (event === 'exited') this.#read(exitedEvent, body, (it) => this.#exited(it));
    else if (event === 'breakpoint') this.#read(breakpointEvent, body, (it) => this.#bound(it));
  }

  #continued({ threadId, allThreadsContinued = true }: z.output<typeof continuedEvent>): void {
    this.#note('continued', '', undefined, { threadId });
    this.#resume(threadId, allThreadsContinued);
  }

  #printed({ output, category, source, line }: z.output<typeof outputEvent>): void {
    const detail = category ?? 'console';
    const place = { file: source?.path, line: line ?? undefined };
    for (const text of outputLines(output, detail)) this.#note('output', text, detail, place);
  }

  #thread({ reason, threadId }: z.output<typeof threadEvent>): void {
    if (reason === 'exited') this.#threads.delete(threadId);
    else this.#threads.add(threadId);
  }

  #exited({ exitCode }: z.output<typeof exitedEvent>): void {
    this.#exitCode = exitCode;
    this.#note('exited', String(exitCode));
  }

  #bound({ breakpoint }: z.output<typeof breakpointEvent>): void {
    this.breakpoints.change(breakpoint);
    const detail = breakpoint.verified ? 'bound' : 'not bound';
    this.#note('breakpoint', breakpoint.message ?? '', detail, { line: breakpoint.line });
  }

  #response(response: Extract<z.output<typeof messageSchema>, { type: 'response' }>): void {
    const { request_seq, command, success, message, body } = response;
    if (this.#nudges.delete(request_seq)) return;
    const pending = this.#pending.get(request_seq);
    this.#pending.delete(request_seq);
    if (pending !== undefined) this.#measure(command, this.#parts.now() - pending.since, success);
    if (!success) {
      this.#failed(command, failureText(body, message), pending);
      return;
    }
    if (command === 'stackTrace' && pending !== undefined && pending.stopAt === this.stop?.at)
      this.topFrames.answer(pending.args, body);
    if (command === 'exceptionInfo') this.#read(exceptionInfoBody, body, (it) => this.#exception(it));
    pending?.hear?.(body);
    if (command === 'initialize') this.#mergeCapabilities(Object(body));
    if (command === 'launch' || command === 'attach') this.#launched = true;
    if (command === 'setBreakpoints')
      this.#readBreakpoints(({ path, lines }) => {
        this.breakpoints.answer(path, lines, setBreakpointsBody.safeParse(body).data?.breakpoints ?? []);
      }, pending?.args);
  }

  #failed(command: string, why: string, pending: Pending | undefined): void {
    if (command === 'launch' || command === 'attach') this.#launchFailure = why;
    // It did not run on, unless something else was heard meanwhile.
    if (pending !== undefined && RESUMES.has(command) && this.#stops.size === 0) this.#stops = pending.stops;
    this.#note('failed', why, command);
  }

  #stopped(event: z.output<typeof stoppedEvent>): void {
    const { description, text, threadId, allThreadsStopped } = event;
    const reason = reasonOf(event);
    this.topFrames.forget();
    const at = this.#note('stopped', text ?? description ?? '', reason, { threadId });
    const stop = { at, threadId, reason, text: text ?? description };
    const stops = new Map(this.#stops);
    stops.set(threadId ?? NO_THREAD, stop);
    if (allThreadsStopped === true) stops.set(NO_THREAD, stop);
    this.#stops = stops;
  }

  /** The editor asks about an exception, and so may a tool: it is recorded once per stop. */
  #exception(info: z.output<typeof exceptionInfoBody>): void {
    const { stop } = this;
    if (stop === undefined || this.#exceptionTold === stop.at) return;
    this.#exceptionTold = stop.at;
    this.#note('exception', thrownTrace(info), info.exceptionId, { threadId: stop.threadId });
  }

  #resume(threadId: number | undefined, all: boolean): void {
    this.#leaveStop();
    const stops = new Map(this.#stops);
    if (threadId !== undefined && !all && !stops.has(NO_THREAD)) stops.delete(threadId);
    else stops.clear();
    this.#stops = stops;
  }

  /** What was learned at the last stop does not hold any more. */
  #leaveStop(): void {
    this.#epoch += 1;
    this.topFrames.forget();
  }

  #read<T>(schema: z.ZodType<T>, body: unknown, take: (it: T) => void): void {
    const { data } = schema.safeParse(body);
    if (data !== undefined) take(data);
  }

  #readBreakpoints(take: (asked: { path: string; lines: readonly number[] }) => void, args: unknown): void {
    this.#read(setBreakpointsArguments, args, ({ source, breakpoints }) => {
      if (source.path !== undefined) take({ path: source.path, lines: breakpoints.map(({ line }) => line) });
    });
  }

  #mergeCapabilities(more: Readonly<Record<string, unknown>>): void {
    this.#capabilities = { ...this.#capabilities, ...more };
  }

  #measure(command: string, ms: number, success: boolean): void {
    const times = this.times.get(command) ?? { count: 0, failed: 0, totalMs: 0, mostMs: 0 };
    times.count += 1;
    times.failed += success ? 0 : 1;
    times.totalMs += ms;
    times.mostMs = Math.max(times.mostMs, ms);
    this.times.set(command, times);
  }

  #note(kind: RecordedEvent['kind'], text: string, detail?: string, more: Partial<RecordedEvent> = {}): number {
    const at = this.#parts.count();
    const cut = recordedText(text);
    const event = {
      at,
      time: this.#parts.now(),
      kind,
      text: cut,
      ...(detail === undefined ? {} : { detail }),
      ...more,
    };
    // A character may take two bytes, and an object some more.
    this.#events.push(event, 2 * cut.length + 200);
    return at;
  }
}
