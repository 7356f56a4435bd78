import type { Writable } from 'node:stream';
import { plainJson } from '@devdb/shared/plain-text';

const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type Facts = Readonly<Record<string, unknown>>;

/** Writes one event. `debugFacts`, such as SQL and values, are left out unless the level is debug. */
export type Log = (level: LogLevel, event: string, facts?: Facts, debugFacts?: Facts) => void;

/** Writes one event, for code that does not choose a level. */
export type LogEvent = (event: string, facts: Facts) => void;

export interface LogParts {
  readonly level: LogLevel;
  /** Receive each line, including its newline. */
  readonly sinks: readonly ((line: string) => void)[];
  readonly now?: () => Date;
}

/** The level in DEVDB_LOG_LEVEL; anything else means info. */
export function logLevelOf(text: string | undefined): LogLevel {
  return LOG_LEVELS.find((level) => level === text?.trim().toLowerCase()) ?? 'info';
}

/** One JSON line per event. Never throws: an event that cannot be printed is logged as such. */
export function createLog({ level, sinks, now = () => new Date() }: LogParts): Log {
  const most = LOG_LEVELS.indexOf(level);
  return (at, event, facts, debugFacts) => {
    if (LOG_LEVELS.indexOf(at) > most) return;
    const head = { time: now().toISOString(), level: at, event };
    const line = encode({ ...head, ...facts, ...(level === 'debug' ? debugFacts : undefined), ...head });
    for (const sink of sinks) sink(line);
  };
}

/** A sink for stderr. When its reader is gone, lines are dropped. */
export function streamSink(stream: Writable): (line: string) => void {
  let gone = false;
  stream.on('error', () => {
    gone = true;
  });
  return (line) => {
    if (!gone && !stream.destroyed) stream.write(line);
  };
}

function encode(record: Record<string, unknown>): string {
  try {
    return `${plainJson(JSON.stringify(record, readable))}\n`;
  } catch (error) {
    const { time, level, event } = record;
    return `${plainJson(JSON.stringify({ time, level, event, unprintable: String(error) }))}\n`;
  }
}

/** Errors and big integers would be lost in JSON. A Secret already prints as [secret] by its toJSON. */
function readable(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Error) return errorFacts(value);
  return value;
}

function errorFacts(error: Error): Facts {
  const { name, message, stack, cause } = error;
  return { ...error, name, message, stack, ...(cause === undefined ? {} : { cause }) };
}
