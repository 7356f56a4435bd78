import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { firstPortOf } from '../../../sidecar/src/registry/claim-port.ts';

/** The first port that a project may get in this run. */
export const FIRST_PORT = firstPortOf(process.env);

const LOOK_AGAIN_MS = 30;

/** Takes a port as any other program may; a port taken by somebody else serves as well. */
export async function takePort(port: number): Promise<Server | undefined> {
  const server = createServer();
  server.listen({ port, host: '127.0.0.1', exclusive: true });
  try {
    await once(server, 'listening');
    return server;
  } catch {
    return undefined;
  }
}

export async function giveBack(server: Server | undefined): Promise<void> {
  if (server === undefined) return;
  server.close();
  await once(server, 'close');
}

export interface Passed {
  readonly port: number;
  /** Lower ports that no program was seen to hold. */
  readonly free: readonly number[];
  /** Every port that somebody else held at some point. */
  readonly othersHad: ReadonlySet<number>;
}

/**
 * Runs work that results in a port. Ports change hands all the time on a machine in use, so it watches them meanwhile.
 */
export async function passedOver(work: () => Promise<number>): Promise<Passed> {
  const seen = new Set(usedPorts());
  const before = new Set(seen);
  const timer = setInterval(() => {
    for (const port of usedPorts()) seen.add(port);
  }, LOOK_AGAIN_MS);
  try {
    const port = await work();
    const below = Array.from({ length: Math.max(0, port - FIRST_PORT) }, (_, index) => FIRST_PORT + index);
    const othersHad = new Set([...seen].filter((one) => one !== port || before.has(one)));
    return { port, free: below.filter((one) => !seen.has(one)), othersHad };
  } finally {
    clearInterval(timer);
  }
}

/** Listening or connected: both make a port unavailable. */
function usedPorts(): number[] {
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^\s*\d+: [\dA-F]+:([\dA-F]{4}) /gm)].map((row) =>
      parseInt(row[1] ?? '', 16),
    ),
  );
}
