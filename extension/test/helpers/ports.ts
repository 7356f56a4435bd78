import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';

/** The first port that a project may get. */
export const FIRST_PORT = 50_001;

const LOOK_AGAIN_MS = 10;

/** Takes a port as any other program may. */
export async function takePort(port: number): Promise<Server> {
  const server = createServer();
  server.listen({ port, host: '127.0.0.1', exclusive: true });
  await once(server, 'listening');
  return server;
}

export async function giveBack(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}

/**
 * Whom ports belong to changes all the time on a machine that is in use. This looks, without touching one, for as long
 * as the work takes, and answers with its result those ports below it that nobody was seen to have.
 */
export async function passedOver(work: () => Promise<number>): Promise<{ port: number; free: number[] }> {
  const seen = new Set(usedPorts());
  const timer = setInterval(() => {
    for (const port of usedPorts()) seen.add(port);
  }, LOOK_AGAIN_MS);
  try {
    const port = await work();
    const below = Array.from({ length: Math.max(0, port - FIRST_PORT) }, (_, index) => FIRST_PORT + index);
    return { port, free: below.filter((one) => !seen.has(one)) };
  } finally {
    clearInterval(timer);
  }
}

/** Listening or connected: both keep a port from being taken. */
function usedPorts(): number[] {
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^\s*\d+: [\dA-F]+:([\dA-F]{4}) /gm)].map((row) =>
      parseInt(row[1] ?? '', 16),
    ),
  );
}
