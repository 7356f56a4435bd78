import { plainJson } from '@devdb/shared/plain-text';

/** A log view with a level for each line. */
export interface LeveledLog {
  error(message: string): void;
  warn(message: string): void;
  info(message: string): void;
  debug(message: string): void;
}

/** A log that tells of what went wrong alone. */
export function onlyProblems(log: LeveledLog): LeveledLog {
  const nothing = () => undefined;
  return {
    error: (message) => log.error(message),
    warn: (message) => log.warn(message),
    info: nothing,
    debug: nothing,
  };
}

/** Shows a line of the sidecar's log at its own level. */
export function showLogLine(line: string, log: LeveledLog): void {
  const record = recordOf(line);
  if (record === undefined) {
    // Not written by the sidecar's log: Node's own output, or a crash.
    if (line.trim() !== '') log.warn(plainJson(line));
    return;
  }
  const { level, event, time: _time, ...facts } = record;
  const text = [String(event), ...Object.entries(facts).map(([name, value]) => `${name}=${shown(value)}`)].join(' ');
  if (level === 'error') log.error(text);
  else if (level === 'warn') log.warn(text);
  else if (level === 'debug') log.debug(text);
  else log.info(text);
}

function recordOf(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'event' in value ? { ...value } : undefined;
  } catch {
    // Cut off, or text that starts with a brace: shown unchanged.
    return undefined;
  }
}

/** A text with line breaks would look like separate log lines. */
function shown(value: unknown): string {
  const json = JSON.stringify(value);
  const isSimple = typeof value === 'string' && json === `"${value}"` && plainJson(value) === value;
  return isSimple ? value : plainJson(json);
}
