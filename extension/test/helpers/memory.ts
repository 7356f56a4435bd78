import { readFileSync } from 'node:fs';
import { processTree } from '../../../sidecar/bench/measure.ts';

const MIB = 1024 * 1024;

/** Megabytes of a window's processes, as the kernel counts them. */
export interface WindowMemory {
  readonly sidecar: number;
  readonly extensionHost: number;
  /** The editor's page and every page in it: those of the browser that this process has started. */
  readonly pages: number;
}

/** The memory of all processes that show a window: the sidecar with its children, the extension host, the pages. */
export function windowMemory(sidecarPid: number, hostPid: number): WindowMemory {
  const below = processTree(process.pid);
  const ofSidecar = new Set(processTree(sidecarPid).map(({ pid }) => pid));
  const sum = (fits: (pid: number) => boolean) =>
    Math.round(
      below.filter(({ pid }) => fits(pid)).reduce((bytes, { residentBytes }) => bytes + residentBytes, 0) / MIB,
    );
  return {
    sidecar: sum((pid) => ofSidecar.has(pid)),
    extensionHost: sum((pid) => pid === hostPid),
    pages: sum((pid) => commandOf(pid).includes('--type=renderer')),
  };
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // It has ended.
    return '';
  }
}
