import { execFileSync } from 'node:child_process';
import { setTimeout as after } from 'node:timers/promises';

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** The live processes whose parent is this one. A zombie does not count. */
export function childrenOf(parent: number): ProcessRow[] {
  return listProcesses().filter((row) => row.parent === parent);
}

/** Whether a process is running. */
export function isRunning(pid: number): boolean {
  return listProcesses().some((row) => row.pid === pid);
}

/**
 * Resolves when the condition holds, since no event reports another process's end. After the time limit it fails with
 * the sentence.
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = 10_000,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await after(20);
  }
}

function listProcesses(): ProcessRow[] {
  const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8', maxBuffer: 1 << 26 });
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, state, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || parent === undefined || command === undefined || state?.startsWith('Z')) return [];
    return [{ pid: Number(pid), parent: Number(parent), command }];
  });
}
