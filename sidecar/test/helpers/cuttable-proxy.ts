import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A proxy to a server that a test can stall and cut. */
export interface CuttableProxy {
  readonly port: number;
  /** How many of the server's bytes passed through the connection with this number, starting at 0. */
  bytesFromServer(connection: number): number;
  /** Takes bytes without passing them on, in both directions, for current and future connections. */
  stall(): void;
  /** The same for each connection from this number on, once this many of the server's bytes have passed through it. */
  stallAfter(bytes: number, fromConnection?: number): void;
  /** Resolves when bytes have been held back. */
  stalled(): Promise<void>;
  /** Passes on what contains `text`, and after that nothing from the server until released. */
  holdAnswerTo(text: string): void;
  flow(): void;
  /** Cuts all connections. */
  cut(): void;
  /** Cuts a connection at the moment the server answers a message containing `text`; the answer is lost. */
  cutAfter(text: string): void;
  /** Resolves when no connection is open any more. */
  empty(): Promise<void>;
  end(): Promise<void>;
}

/** Listens on loopback and passes everything on to the port. */
async function cuttableProxy(port: number): Promise<CuttableProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  const passed: number[] = [];
  const stalled = Promise.withResolvers<void>();
  let isStalled = false;
  let limit = { bytes: Number.POSITIVE_INFINITY, from: 0 };
  let fatalText: string | undefined;
  let heldText: string | undefined;
  const held = new Set<Socket>();
  const room = (connection: number): number =>
    isStalled ? 0 : connection < limit.from ? Number.POSITIVE_INFINITY : limit.bytes - (passed[connection] ?? 0);
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    const pair = [near, far] as const;
    const connection = passed.push(0) - 1;
    let isHeldBack = false;
    let loseAnswer = false;
    pairs.add(pair);
    near.on('data', (chunk) => {
      if (isStalled || isHeldBack) return stalled.resolve();
      if (fatalText !== undefined && holds(chunk, fatalText)) loseAnswer = true;
      if (heldText !== undefined && holds(chunk, heldText)) {
        held.add(far.pause());
        stalled.resolve();
      }
      far.write(chunk);
    });
    far.on('data', (chunk) => {
      const through = isHeldBack ? chunk.subarray(0, 0) : chunk.subarray(0, room(connection));
      if (through.length < chunk.length) {
        isHeldBack ||= !isStalled;
        stalled.resolve();
      }
      if (through.length === 0) return;
      passed[connection] = (passed[connection] ?? 0) + through.length;
      if (loseAnswer) near.destroy();
      else near.write(through);
    });
    const close = (): void => {
      near.destroy();
      far.destroy();
      if (pairs.delete(pair)) server.emit('gone');
    };
    for (const socket of pair) {
      // A failed test must not keep its process alive.
      socket.unref();
      socket.on('close', close);
      // The other side sees the connection end; the cause does not matter here.
      socket.on('error', close);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The proxy has no port.');
  return {
    port: address.port,
    bytesFromServer: (connection) => passed[connection] ?? 0,
    stall: () => {
      isStalled = true;
    },
    stallAfter: (bytes, from = 0) => {
      limit = { bytes, from };
    },
    stalled: () => stalled.promise,
    holdAnswerTo: (text) => {
      heldText = text;
    },
    flow: () => {
      isStalled = false;
      heldText = undefined;
      for (const far of held) far.resume();
      held.clear();
    },
    cut: () => {
      for (const [near] of pairs) near.destroy();
    },
    cutAfter: (text) => {
      fatalText = text;
    },
    empty: async () => {
      while (pairs.size > 0) await once(server, 'gone');
    },
    end: async () => {
      for (const [near] of pairs) near.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** SQL Server's texts have two bytes per character. */
function holds(chunk: Buffer, text: string): boolean {
  return chunk.includes(text) || chunk.includes(text, 0, 'utf16le');
}

/** Runs work with a proxy, which ends with the work, whatever its outcome. */
export async function throughProxy(port: number, work: (proxy: CuttableProxy) => Promise<void>): Promise<void> {
  const proxy = await cuttableProxy(port);
  try {
    await work(proxy);
  } finally {
    await proxy.end();
  }
}
