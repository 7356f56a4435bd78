import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The live SQLite children that serve this file, by their command line. Linux only. */
export function childrenFor(file: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isChildFor(name, file))
    .map(Number);
}

function isChildFor(pid: string, file: string): boolean {
  // A process that ends during the check does not count.
  const words = readProc(pid, 'cmdline').split('\0');
  return words.includes(file) && words.some((word) => word.endsWith('sqlite-child.js'));
}

/** Whether a process is gone; a zombie is. */
export function isGone(pid: number): boolean {
  const state = /^State:\s+(\w)/m.exec(readProc(String(pid), 'status'))?.[1];
  return state === undefined || state === 'Z';
}

/** The peak and current memory of a process, in bytes. */
export function memoryOf(pid: number): { readonly peak: number; readonly now: number } {
  const status = readProc(String(pid), 'status');
  const bytes = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
  return { peak: bytes('VmHWM'), now: bytes('VmRSS') };
}

/** Whether a process has a file open. */
export function holdsOpen(pid: number, file: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === file);
  } catch {
    return false;
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function readProc(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

/** Polls until it holds; fails after the time limit. */
export async function until(what: string, holds: () => boolean, withinMs = 20_000): Promise<void> {
  const end = performance.now() + withinMs;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
