import type { McpClient } from '../../fixtures/labs/mcp-client.ts';
import { CAN_WATCH_PROCESSES, type Figure, residentMegabytes } from './measure.ts';
import { call, type Stage } from './stage.ts';

const SAMPLE_INTERVAL_MS = 10;
const MAX_GROWTH_MB = 40;

/** Megabytes of the idle sidecar and its children, after a small query has started a child. */
export async function idleMemory(stage: Stage, client: McpClient): Promise<number> {
  await call(client, 'run-query', { projectRoot: stage.project.root, query: 'SELECT 1' });
  return CAN_WATCH_PROCESSES ? residentMegabytes(stage.sidecar.pid) : Number.NaN;
}

export function memoryFigure(what: string, idle: number, peak: number): Figure {
  const growth = peak - idle;
  return {
    what: `${what}, sidecar and children together`,
    budget: `≤ ${MAX_GROWTH_MB} MB`,
    figure: CAN_WATCH_PROCESSES
      ? `${growth.toFixed(0)} MB (idle ${idle.toFixed(0)} MB)`
      : 'not measured on this system',
    met: CAN_WATCH_PROCESSES ? growth <= MAX_GROWTH_MB : undefined,
    numbers: { idleMb: idle, peakMb: peak },
  };
}

/** The peak memory of the processes together during `run`, in megabytes. */
export async function peakMemory(pid: number, run: () => Promise<void>): Promise<number> {
  if (!CAN_WATCH_PROCESSES) {
    await run();
    return Number.NaN;
  }
  let peak = 0;
  const sample = () => {
    peak = Math.max(peak, residentMegabytes(pid));
  };
  const timer = setInterval(sample, SAMPLE_INTERVAL_MS);
  try {
    await run();
    sample();
  } finally {
    clearInterval(timer);
  }
  return peak;
}
