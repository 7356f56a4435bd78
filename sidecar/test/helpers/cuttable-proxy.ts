import { connect, createServer, type Socket } from 'node:net';

/** A way to a server that a test can stall and cut. */
export interface CuttableProxy {
  readonly port: number;
  /** Bytes are taken and not passed on, in both directions, for connections there are and those to come. */
  stall(): void;
  flow(): void;
  /** Cuts all connections. */
  cut(): void;
  /** Cuts a connection in the moment when the server answers to what holds `text`; the answer is lost. */
  cutAfter(text: string): void;
  end(): Promise<void>;
}

/** Listens on the loopback and passes everything on to the port. */
export async function cuttableProxy(port: number): Promise<CuttableProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isStalled = false;
  let fatalText: string | undefined;
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    const pair = [near, far] as const;
    let loseAnswer = false;
    pairs.add(pair);
    near.on('data', (chunk) => {
      if (isStalled) return;
      if (fatalText !== undefined && chunk.includes(fatalText)) loseAnswer = true;
      far.write(chunk);
    });
    far.on('data', (chunk) => {
      if (isStalled) return;
      if (loseAnswer) near.destroy();
      else near.write(chunk);
    });
    const close = (): void => {
      near.destroy();
      far.destroy();
      pairs.delete(pair);
    };
    for (const socket of pair) {
      socket.on('close', close);
      // The other side sees the end of the connection; the reason is its own.
      socket.on('error', close);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The proxy has no port.');
  return {
    port: address.port,
    stall: () => {
      isStalled = true;
    },
    flow: () => {
      isStalled = false;
    },
    cut: () => {
      for (const [near] of pairs) near.destroy();
    },
    cutAfter: (text) => {
      fatalText = text;
    },
    end: async () => {
      for (const [near] of pairs) near.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
