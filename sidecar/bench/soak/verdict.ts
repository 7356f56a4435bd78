/** The state of the processes and the server between calls. */
export interface Gauge {
  readonly calls: number;
  /** Of the sidecar, after a full collection: the heap and the buffers outside it. */
  readonly heapBytes: number;
  readonly rssBytes: number;
  readonly entryRssBytes: number;
  readonly connections: number;
}

/** The same when idle. A figure the system does not report is NaN. */
export interface Rest {
  readonly openFiles: number;
  readonly children: number;
  readonly connections: number;
  /** Names of files in the temporary folder, the project and the home, without logs. */
  readonly files: readonly string[];
}

export interface Finding {
  readonly what: string;
  readonly figure: string;
  readonly rule: string;
  /** Undefined when this run cannot tell. */
  readonly isFine: boolean | undefined;
}

const MIB = 1024 * 1024;
/** Garbage collection leaves this much by chance. */
const HEAP_SLACK_BYTES = MIB;
/** What a call may leave behind for good: nothing, except a few hundred kilobytes of noise over ten thousand calls. */
const HEAP_BYTES_PER_CALL = 100;
/** The allocator returns memory late, and in large pieces. */
const RSS_SLACK_BYTES = 32 * MIB;
/** Fewer calls do not get past the warm-up. */
export const LEAST_CALLS_FOR_MEMORY = 2_000;
/** A log being opened, a socket being closed. */
const OPEN_FILES_SLACK = 4;

/**
 * Whether memory is flat: compares the last quarter of the run with the second; the first is the warm-up, in which code
 * is compiled and pools are filled.
 */
export function memoryFindings(gauges: readonly Gauge[]): Finding[] {
  const calls = gauges.at(-1)?.calls ?? 0;
  const between = Math.round(calls / 2);
  const heapMost = HEAP_SLACK_BYTES + HEAP_BYTES_PER_CALL * between;
  return [
    flat('heap of the sidecar', gauges, ({ heapBytes }) => heapBytes, heapMost),
    flat('memory of the sidecar', gauges, ({ rssBytes }) => rssBytes, RSS_SLACK_BYTES),
    flat('memory of the stdio entry', gauges, ({ entryRssBytes }) => entryRssBytes, RSS_SLACK_BYTES),
  ];
}

/** Whether a figure is flat, as in `memoryFindings`. */
export function flat<Reading extends Pick<Gauge, 'calls'>>(
  what: string,
  gauges: readonly Reading[],
  read: (gauge: Reading) => number,
  most: number,
): Finding {
  const calls = gauges.at(-1)?.calls ?? 0;
  const part = (from: number, to: number) =>
    median(gauges.filter((gauge) => gauge.calls > calls * from && gauge.calls <= calls * to).map(read));
  const [before, after] = [part(0.25, 0.5), part(0.75, 1)];
  const grown = after - before;
  const isKnown = calls >= LEAST_CALLS_FOR_MEMORY && Number.isFinite(grown);
  return {
    what,
    figure: Number.isFinite(grown) ? `${megabytes(before)} to ${megabytes(after)}` : UNKNOWN,
    rule:
      calls < LEAST_CALLS_FOR_MEMORY
        ? `judged from ${LEAST_CALLS_FOR_MEMORY} calls on`
        : `from the second quarter to the last at most ${megabytes(most)} more`,
    isFine: isKnown ? grown <= most : undefined,
  };
}

/** What must be released when idle. `bound` is how many connections may stay. */
export function restFindings(before: Rest, after: Rest, bound: number): Finding[] {
  const most = before.openFiles + bound + OPEN_FILES_SLACK;
  const more = after.files.filter((file) => !before.files.includes(file));
  return [
    atMost('connections when idle', after.connections, bound),
    atMost('child processes when idle', after.children, 1),
    atMost('open files and sockets when idle', after.openFiles, most),
    {
      what: 'files left behind',
      figure: more.length === 0 ? 'none' : `${more.length}: ${more.slice(0, 5).join(', ')}`,
      rule: 'none',
      isFine: more.length === 0,
    },
  ];
}

/** A count with a limit; NaN means that this system does not report it. */
export function atMost(what: string, count: number, most: number): Finding {
  const isKnown = Number.isFinite(count);
  return {
    what,
    figure: isKnown ? String(count) : UNKNOWN,
    rule: `at most ${most}`,
    isFine: isKnown ? count <= most : undefined,
  };
}

const UNKNOWN = 'not measured on this system';

/** The median; NaN for no values. */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function megabytes(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MB`;
}
