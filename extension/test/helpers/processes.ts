import { readdirSync, readFileSync } from 'node:fs';

interface Stat {
  readonly state: string;
  readonly parent: number;
}

/** Whether a process is running. A zombie does not count. */
export function isRunning(pid: number): boolean {
  const stat = statOf(pid);
  return stat !== undefined && !'ZX'.includes(stat.state);
}

/** The running processes that this one has started. */
export function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((pid) => statOf(pid)?.parent === parent && isRunning(pid));
}

function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain anything.
    const [state = '', parent = ''] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state, parent: Number(parent) };
  } catch {
    // There is no such process.
    return undefined;
  }
}
