import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A proxy to a server on loopback that holds up each connection once this much has come from the server. */
export class HoldingProxy {
  readonly #server = createServer((client) => this.#join(client));
  readonly #sockets = new Set<Socket>();
  readonly #held = new Set<Socket>();
  readonly #targetPort: number;
  readonly #afterBytes: number;
  #isOpen = false;

  private constructor(targetPort: number, afterBytes: number) {
    this.#targetPort = targetPort;
    this.#afterBytes = afterBytes;
  }

  static async before(targetPort: number, afterBytes: number): Promise<HoldingProxy> {
    const proxy = new HoldingProxy(targetPort, afterBytes);
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Connections held up now. */
  get held(): number {
    return this.#held.size;
  }

  /** Stops holding anything up. */
  release(): void {
    this.#isOpen = true;
    for (const socket of this.#held) socket.resume();
    this.#held.clear();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(client: Socket): void {
    const server = connect(this.#targetPort, '127.0.0.1');
    let bytes = 0;
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(one);
      one.on('error', () => one.destroy());
      one.once('close', () => {
        this.#sockets.delete(one);
        this.#held.delete(one);
        other.destroy();
      });
    }
    client.pipe(server);
    client.on('drain', () => {
      if (!this.#held.has(server)) server.resume();
    });
    server.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (!client.write(chunk)) server.pause();
      if (bytes < this.#afterBytes || this.#isOpen) return;
      this.#held.add(server);
      server.pause();
    });
  }
}
