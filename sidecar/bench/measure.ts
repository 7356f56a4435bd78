import { readdirSync, readFileSync } from 'node:fs';

/** One line of the table. `met` is undefined for figures without a budget of their own. */
export interface Figure {
  readonly what: string;
  readonly budget: string;
  readonly figure: string;
  readonly met: boolean | undefined;
  /** The underlying numbers, for --json. */
  readonly numbers: Readonly<Record<string, number>>;
}

/** The value below which this fraction of the sorted samples lies; 0.5 is the median. */
export function percentile(samples: readonly number[], part: number): number {
  const sorted = [...samples].sort((one, other) => one - other);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  if (value === undefined) throw new Error('No samples.');
  return value;
}

export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

/** Milliseconds that one run takes. */
export async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

export interface ProcessFacts {
  readonly pid: number;
  readonly state: string;
  readonly residentBytes: number;
}

/** Whether this system reports other processes well enough for the rows about memory and cancel. */
export const CAN_WATCH_PROCESSES = process.platform === 'linux';

/** A process and its descendants, as the kernel sees them now. */
export function processTree(root: number): ProcessFacts[] {
  const facts = new Map(allProcesses().map((one) => [one.pid, one]));
  const isBelow = (pid: number): boolean => {
    const parent = facts.get(pid)?.parent;
    return pid === root || (parent !== undefined && parent !== 0 && isBelow(parent));
  };
  return [...facts.values()].filter(({ pid }) => isBelow(pid));
}

export function residentMegabytes(root: number): number {
  const bytes = processTree(root).reduce((sum, { residentBytes }) => sum + residentBytes, 0);
  return bytes / 1024 / 1024;
}

function allProcesses(): (ProcessFacts & { readonly parent: number })[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid)) return [];
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      const kilobytes = Number(field(status, 'VmRSS').split(' ')[0]);
      return [
        {
          pid,
          parent: Number(field(status, 'PPid')),
          state: field(status, 'State').charAt(0),
          residentBytes: kilobytes * 1024,
        },
      ];
    } catch {
      // It ended between being listed and being read.
      return [];
    }
  });
}

function field(status: string, name: string): string {
  return new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '0';
}

export function milliseconds(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
}
