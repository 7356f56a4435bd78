import * as z from 'zod';

const ANSWER_WITHIN_MS = 30_000;

const messageSchema = z.object({
  id: z.int().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});
const evaluatedSchema = z.object({ result: z.object({ value: z.string() }) });
const memorySchema = z.object({ rss: z.number(), heapUsed: z.number(), external: z.number() });

/** What a process holds after a full garbage collection. */
export interface HeapFacts {
  readonly rssBytes: number;
  /** The heap and the buffers outside of it. */
  readonly heapBytes: number;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Inspects a Node process from outside, through its inspector: the process itself runs none of our code. */
export class Inspector {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, Waiting>();
  #id = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#receive(String(data)));
    socket.addEventListener('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('The process closed its inspector.'));
      this.#waiting.clear();
    });
  }

  static async open(url: string): Promise<Inspector> {
    const socket = new WebSocket(url);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve(), { once: true });
      socket.addEventListener('error', () => reject(new Error(`No inspector answers at ${url}.`)), { once: true });
    });
    return new Inspector(socket);
  }

  async heap(): Promise<HeapFacts> {
    await this.#send('HeapProfiler.collectGarbage');
    const expression = 'JSON.stringify(process.memoryUsage())';
    const { result } = evaluatedSchema.parse(await this.#send('Runtime.evaluate', { expression, returnByValue: true }));
    const { rss, heapUsed, external } = memorySchema.parse(JSON.parse(result.value));
    return { rssBytes: rss, heapBytes: heapUsed + external };
  }

  close(): void {
    this.#socket.close();
  }

  #send(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    this.#id += 1;
    const id = this.#id;
    return new Promise<unknown>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`The inspector did not answer ${method}.`)), ANSWER_WITHIN_MS);
      const done =
        <T>(end: (value: T) => void) =>
        (value: T) => {
          clearTimeout(late);
          end(value);
        };
      this.#waiting.set(id, { resolve: done(resolve), reject: done(reject) });
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  #receive(text: string): void {
    const { id, result, error } = messageSchema.parse(JSON.parse(text));
    if (id === undefined) return;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error.message));
  }
}
