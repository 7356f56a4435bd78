import { type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../host/error-code.ts';
import { keyOf, listFolder, type Wanted } from './folder.ts';
import { MAX_FOLDERS_PER_CALL } from './limits.ts';

/** The state of a path when it was looked at, so that checking it again costs one stat. */
export interface Trace {
  readonly path: string;
  readonly watch: 'content' | 'identity' | 'folder';
  readonly stamp: string;
  /** False when the change was so recent that another one could have the same time. */
  readonly settled: boolean;
  /** For a folder: its relevant names, and how to list them again. */
  readonly names?: { readonly list: string; readonly wanted: Wanted; readonly root: string } | undefined;
}

const ABSENT = 'absent';
/** File times have a resolution; two changes within one step look the same. */
const FINE_STEP_MS = 100;
const COARSE_STEP_MS = 2_000;

/**
 * The trace of a path as it is now. Take it before reading, so that a change during the read is noticed later. `now` is
 * when the whole detection began: changes since then are not settled.
 */
export function traceOf(path: string, watch: Trace['watch'], now: number, names?: Trace['names']): Trace {
  const look = lookAt(path);
  const stamp = stampOf(look, watch);
  const settled = typeof look === 'string' || watch === 'identity' || isSettled(look, now);
  return { path, watch, stamp, settled, names };
}

/** The trace of a path at which there was nothing a moment ago. */
export function missingTrace(path: string, watch: Trace['watch']): Trace {
  return { path, watch, stamp: ABSENT, settled: true };
}

/** What to check to know that nothing changed. */
export interface FirstLook {
  readonly always: readonly Trace[];
  /** Folders of a large project, where at most an additional database may have appeared. */
  readonly nowAndThen: readonly Trace[];
}

/**
 * The traces for a first check: a missing path in a folder that has its own trace can only have appeared with a change
 * of that folder.
 */
export function firstLook(traces: readonly Trace[]): FirstLook {
  const folders = new Set(
    traces.filter(({ watch, stamp }) => watch === 'folder' && stamp !== ABSENT).map(({ path }) => path),
  );
  const needed = traces.filter(({ path, stamp }) => stamp !== ABSENT || !folders.has(dirname(path)));
  const once = [...new Map(needed.map((trace) => [`${trace.watch} ${trace.settled} ${trace.path}`, trace])).values()];
  const isLater = ({ path, watch }: Trace): boolean =>
    folders.size > MAX_FOLDERS_PER_CALL && watch === 'folder' && folders.has(dirname(path));
  return { always: once.filter((trace) => !isLater(trace)), nowAndThen: once.filter(isLater) };
}

/** Whether one stat per trace shows that nothing changed. */
export function looksUnchanged(traces: readonly Trace[]): boolean {
  return traces.every((trace) => trace.settled && stampOf(lookAt(trace.path), trace.watch) === trace.stamp);
}

/**
 * Updated traces when the only differences are irrelevant files in a folder (a journal that came and went); undefined
 * when something relevant changed.
 */
export async function refresh(
  traces: readonly Trace[],
  now: number,
  signal: AbortSignal,
): Promise<Trace[] | undefined> {
  const fresh: Trace[] = [];
  for (const trace of traces) {
    const next = refreshOne(trace, now, signal);
    if (next === undefined) return undefined;
    fresh.push(next);
  }
  return fresh;
}

function refreshOne(trace: Trace, now: number, signal: AbortSignal): Trace | undefined {
  const next = traceOf(trace.path, trace.watch, now, trace.names);
  if (trace.settled && next.stamp === trace.stamp) return trace;
  if (trace.names === undefined) return undefined;
  const { list, wanted, root } = trace.names;
  return keyOf(listFolder(root, trace.path, wanted, signal)) === list ? next : undefined;
}

function lookAt(path: string): Stats | string {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? ABSENT;
  } catch (error) {
    // An inaccessible path is a state like any other: it is noticed when that ends.
    return codeOf(error);
  }
}

function stampOf(look: Stats | string, watch: Trace['watch']): string {
  if (typeof look === 'string') return look;
  if (watch === 'identity') {
    // A new file often gets the inode of the one just deleted; the birth time tells them apart.
    return `${look.dev}:${look.ino}:${look.birthtimeMs}:${look.mode}:${look.size === 0 ? 'empty' : 'filled'}`;
  }
  if (watch === 'folder') return `${look.dev}:${look.ino}:${look.mtimeMs}`;
  return `${look.dev}:${look.ino}:${look.size}:${look.mtimeMs}:${look.ctimeMs}:${look.mode}`;
}

function isSettled(stats: Stats, now: number): boolean {
  const changed = Math.max(stats.mtimeMs, stats.ctimeMs);
  const step = stats.mtimeMs % 1_000 === 0 ? COARSE_STEP_MS : FINE_STEP_MS;
  return now - changed > step;
}
