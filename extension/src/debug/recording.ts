import { AppError } from '@devdb/shared/errors';
import type { RecordedEvent } from './session-record.ts';

/** What was recorded of a session, live or ended. */
export interface Recording {
  readonly session: {
    readonly sessionId: string;
    readonly sessionName: string;
    readonly adapterType: string;
    readonly live: boolean;
    readonly startedAt: string;
    readonly durationMs: number;
    readonly exitCode?: number;
    readonly dropped: number;
  };
  readonly startedAt: number;
  /** In order. */
  readonly events: readonly RecordedEvent[];
}

/** An event as answers have it: with the time since the start of its session. */
export function eventFacts({ startedAt }: Recording, event: RecordedEvent) {
  const { at, time, kind, text, detail, threadId, file, line } = event;
  return {
    at,
    ms: time - startedAt,
    kind,
    text,
    ...(detail === undefined ? {} : { detail }),
    ...(threadId === undefined ? {} : { threadId }),
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
  };
}

export function printed({ events }: Recording, category = 'all'): RecordedEvent[] {
  return events.filter(({ kind, detail }) => kind === 'output' && (category === 'all' || detail === category));
}

export interface EventFilters {
  readonly kinds?: readonly RecordedEvent['kind'][] | undefined;
  readonly detail?: string | undefined;
  readonly text?: string | undefined;
  readonly threadId?: number | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

/** The events that fit all of the filters. */
export function filtered({ events, startedAt }: Recording, filters: EventFilters): RecordedEvent[] {
  const { kinds, detail, text, threadId, fromMs = 0, toMs = Number.POSITIVE_INFINITY } = filters;
  return events.filter((event) => {
    const ms = event.time - startedAt;
    return (
      (kinds === undefined || kinds.includes(event.kind)) &&
      (detail === undefined || event.detail === detail) &&
      (text === undefined || event.text.includes(text)) &&
      (threadId === undefined || event.threadId === threadId) &&
      ms >= fromMs &&
      ms <= toMs
    );
  });
}

/** How often each kind of thing happened. */
export function countsOf({ events }: Recording): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of events) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

export type Health = 'ok' | 'threw' | 'failed';

/** Whether it ended, or goes on, without an exception that stopped it and without a failure. */
export function healthOf({ events, session: { exitCode = 0 } }: Recording): Health {
  if (exitCode !== 0 || events.some(({ kind, detail }) => kind === 'failed' && detail !== 'evaluate')) return 'failed';
  return events.some(({ kind, detail }) => kind === 'exception' || (kind === 'stopped' && detail === 'exception'))
    ? 'threw'
    : 'ok';
}

/** Exceptions that stopped the program: reported by their own event, or by the stop alone where no client asked for more. */
export function exceptionsOf({ events }: Recording): RecordedEvent[] {
  return events.filter(({ kind, detail }, index) => {
    if (kind === 'exception') return true;
    if (kind !== 'stopped' || detail !== 'exception') return false;
    const next = events.slice(index + 1).find((later) => later.kind === 'exception' || later.kind === 'stopped');
    return next?.kind !== 'exception';
  });
}

/** The last texts that were printed before an event. */
export function printedBefore(recording: Recording, { at }: RecordedEvent, lines: number): string[] {
  const before = printed(recording).filter((event) => event.at < at);
  return lines === 0 ? [] : before.slice(-lines).map(({ text }) => text);
}

/** The events with runs of output put together, so that what else happened stands out. */
export function inRuns(events: readonly RecordedEvent[]): RecordedEvent[] {
  const result: RecordedEvent[] = [];
  let run = 0;
  for (const event of events) {
    const last = result.at(-1);
    if (event.kind !== 'output' || last?.kind !== 'output') {
      run = 1;
      result.push(event);
      continue;
    }
    run += 1;
    result[result.length - 1] = { ...last, text: `${run} outputs`, detail: undefined };
  }
  return result;
}

export interface Group {
  readonly group: string;
  readonly events: number;
  readonly characters: number;
}

/** How much was printed by whatever tells the groups apart, the largest first. */
export function grouped(events: readonly RecordedEvent[], groupOf: (event: RecordedEvent) => string): Group[] {
  const groups = new Map<string, { events: number; characters: number }>();
  for (const event of events) {
    const known = groups.get(groupOf(event)) ?? { events: 0, characters: 0 };
    groups.set(groupOf(event), { events: known.events + 1, characters: known.characters + event.text.length });
  }
  return [...groups].map(([group, sums]) => ({ group, ...sums })).sort((one, other) => other.events - one.events);
}

/** The hour of a time, by UTC as all times in answers. */
export function hourOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 13)}:00Z`;
}

export interface Comparison {
  readonly counts?: Record<string, { readonly a: number; readonly b: number }>;
  readonly onlyInA?: string[];
  readonly onlyInB?: string[];
  readonly firstDifference?: { readonly line: number; readonly a?: string; readonly b?: string };
}

/** What differs between two recordings. */
export function compared(a: Recording, b: Recording, by: 'counts' | 'exceptions' | 'outputs'): Comparison {
  if (by === 'counts') return { counts: comparedCounts(countsOf(a), countsOf(b)) };
  const texts = (recording: Recording) =>
    by === 'exceptions' ? exceptionsOf(recording).map(({ text }) => text) : linesOf(recording);
  const [inA, inB] = [texts(a), texts(b)];
  const [setA, setB] = [new Set(inA), new Set(inB)];
  const only = {
    onlyInA: [...setA].filter((text) => !setB.has(text)),
    onlyInB: [...setB].filter((text) => !setA.has(text)),
  };
  const at = Array.from({ length: Math.max(inA.length, inB.length) }).findIndex((_, line) => inA[line] !== inB[line]);
  if (by === 'exceptions' || at < 0) return only;
  const [lineA, lineB] = [inA[at], inB[at]];
  const difference = {
    line: at + 1,
    ...(lineA === undefined ? {} : { a: lineA }),
    ...(lineB === undefined ? {} : { b: lineB }),
  };
  return { ...only, firstDifference: difference };
}

function comparedCounts(a: Record<string, number>, b: Record<string, number>): NonNullable<Comparison['counts']> {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return Object.fromEntries(names.map((name) => [name, { a: a[name] ?? 0, b: b[name] ?? 0 }]));
}

/** What was printed, in lines: an event may be half of one, or many. */
function linesOf(recording: Recording): string[] {
  const text = printed(recording, 'all')
    .map((event) => event.text)
    .join('');
  return text.replace(/\n$/, '').split('\n');
}

export function notRecorded(sessionId: string, known: readonly string[]): AppError {
  return new AppError('E_SESSION_NOT_FOUND', `No session ${sessionId} was recorded.`, {
    hint: known.length === 0 ? 'None was: start one with debug_start.' : `Recorded: ${known.join(', ')}.`,
  });
}
