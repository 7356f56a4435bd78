import type { Server } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { AppError } from '@devdb/shared/errors';
import { FIRST_PORT } from '@devdb/shared/limits';
import { hasCode } from '../host/error-code.ts';
import { PORT_RETRY_INTERVAL_MS, PORT_RETRY_MS, RELOAD_OVERLAP_MS } from './limits.ts';
import { goneRoots } from './ports-file.ts';
import type { RegistryFile, RegistryState } from './registry-file.ts';

const LAST_PORT = 65_535;

/** `DEVDB_FIRST_PORT`, for jobs side by side that must not take each other's ports; else 50001. */
export function firstPortOf(env: Readonly<Record<string, string | undefined>>): number {
  const text = env['DEVDB_FIRST_PORT'] ?? '';
  const port = /^\d{4,5}$/.test(text) ? Number(text) : FIRST_PORT;
  return port > 1_023 && port <= LAST_PORT ? port : FIRST_PORT;
}

export interface ClaimOptions<S> {
  readonly registry: RegistryFile;
  readonly projectRoot: string;
  /** Where the search for a free one begins. */
  readonly firstPort: number;
  /** Tried before every other port; when it is taken, that is reported once and the next one is tried. */
  readonly fixedPort?: number | undefined;
  readonly onFixedPortTaken?: (port: number) => void;
  /** Binds the port, or rejects with EADDRINUSE or EACCES when it is taken. */
  readonly listen: (port: number) => Promise<S>;
  /** False when the holder of this project's port is known to stay, after waiting this long: then waiting ends. */
  readonly mayLeave?: (port: number, waitedMs: number, signal: AbortSignal) => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** Binds this project's port. Only the bound socket makes a port ours; a check that it is free would not. */
export async function claimPort<S = Server>(options: ClaimOptions<S>): Promise<{ port: number; server: S }> {
  const { registry, projectRoot, firstPort, fixedPort, signal } = options;
  const { entries, remembered } = await registry.read(signal);
  const predecessor = entries[projectRoot];
  const tried = new Set<number>();
  const gone = (roots: readonly string[]) => goneRoots(roots, signal);
  for await (const port of candidates(projectRoot, { firstPort, fixedPort }, { entries, remembered }, gone)) {
    if (tried.has(port)) continue;
    tried.add(port);
    const server = port === predecessor ? await bindAfterPredecessor(port, options) : await bind(port, options);
    if (server !== undefined) return { port, server };
    if (port === fixedPort) options.onFixedPortTaken?.(port);
  }
  throw new AppError('E_INTERNAL', `No port from ${firstPort} to ${LAST_PORT} is free on 127.0.0.1.`, {
    hint: 'Close programs that listen on many ports, then reload the window.',
  });
}

/**
 * In order of preference; a port may appear twice. Whether other projects' folders are gone is checked only when this
 * project needs a port it never had.
 */
export async function* candidates(
  root: string,
  { firstPort, fixedPort }: Pick<ClaimOptions<unknown>, 'firstPort' | 'fixedPort'>,
  { entries, remembered }: RegistryState,
  goneOf: (roots: readonly string[]) => Promise<ReadonlySet<string>>,
): AsyncGenerator<number> {
  if (fixedPort !== undefined) yield fixedPort;
  const known = [entries[root], remembered[root]?.port];
  for (const port of known) if (port !== undefined) yield port;
  const gone = await goneOf(Object.keys(remembered).filter((other) => other !== root));
  const others = new Set([
    ...Object.entries(entries).flatMap(([other, port]) => (other === root ? [] : [port])),
    ...Object.entries(remembered).flatMap(([other, { port }]) => (other === root || gone.has(other) ? [] : [port])),
  ]);
  for (let port = firstPort; port <= LAST_PORT; port += 1) if (!others.has(port)) yield port;
  for (let port = firstPort; port <= LAST_PORT; port += 1) if (others.has(port)) yield port;
}

async function bind<S>(port: number, { listen, signal }: ClaimOptions<S>): Promise<S | undefined> {
  signal.throwIfAborted();
  try {
    return await listen(port);
  } catch (error) {
    // Windows answers EACCES for port ranges it reserves.
    if (hasCode(error, 'EADDRINUSE', 'EACCES')) return undefined;
    throw error;
  }
}

/** The registry shows that this project had the port just now: a reloading window is about to release it. */
async function bindAfterPredecessor<S>(port: number, options: ClaimOptions<S>): Promise<S | undefined> {
  const { signal, mayLeave } = options;
  const began = performance.now();
  const waitedMs = () => performance.now() - began;
  // Asked at once, and again when a reloading window would be gone.
  const times = [0, RELOAD_OVERLAP_MS];
  let server = await bind(port, options);
  while (server === undefined && waitedMs() < PORT_RETRY_MS) {
    if (waitedMs() >= (times[0] ?? PORT_RETRY_MS)) {
      times.shift();
      if ((await mayLeave?.(port, waitedMs(), signal)) === false) return undefined;
    }
    // No event reports that another process has closed its listener.
    await after(PORT_RETRY_INTERVAL_MS, undefined, { signal });
    server = await bind(port, options);
  }
  return server;
}
