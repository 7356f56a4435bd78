import { createServer, type Socket } from 'node:net';

/** Runs work with a server that knows nothing of databases: it treats each connection as the test says. */
export async function withStranger(
  treat: (socket: Socket) => void,
  work: (port: number) => Promise<void>,
): Promise<void> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.unref());
    // The other side sees the connection end; the cause does not matter here.
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    treat(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A failed test must not keep its process alive.
  server.unref();
  const address = server.address();
  try {
    if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
    await work(address.port);
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}

/** A loopback port where nothing listens. */
export async function deadPort(): Promise<number> {
  let dead = 0;
  await withStranger(
    () => undefined,
    async (port) => {
      dead = port;
    },
  );
  return dead;
}
