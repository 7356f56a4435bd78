import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export type JsonObject = Record<string, unknown>;

export interface StdioClientOptions {
  /** The folder with mcp-stdio.js. */
  readonly bundleDir: string;
  readonly home: string;
  readonly args?: readonly string[];
  readonly capabilities?: JsonObject;
  readonly node?: string;
}

/** A bare MCP client: it sends what the test says and keeps every line it receives. */
export class StdioClient {
  readonly child: ChildProcessWithoutNullStreams;
  readonly lines: string[] = [];
  readonly messages: JsonObject[] = [];
  stderr = '';
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  readonly #waiting = new Set<() => void>();
  #count = 0;

  constructor({ bundleDir, home, args = [], node = process.execPath }: StdioClientOptions) {
    const script = `require(${JSON.stringify(join(bundleDir, 'mcp-stdio.js'))}).main({ bundleDir: ${JSON.stringify(bundleDir)}, argv: process.argv.slice(1) })`;
    this.child = spawn(node, ['-e', script, '--', ...args], {
      env: { PATH: process.env['PATH'], DEVDB_HOME: home },
      stdio: 'pipe',
    });
    // The client ends with the pipe; writes into a closed one show in the exit code.
    this.child.stdin.on('error', (error) => this.lines.push(`stdin: ${error.message}`));
    this.child.stderr.on('data', (chunk) => {
      this.stderr += String(chunk);
    });
    this.#readLines();
    this.exited = once(this.child, 'close').then(([code, signal]) => ({ code, signal }));
    this.child.once('close', () => this.#wake());
  }

  static async connect(options: StdioClientOptions): Promise<StdioClient> {
    const client = new StdioClient(options);
    await client.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: options.capabilities ?? {},
      clientInfo: { name: 'test client', version: '1' },
    });
    client.notify('notifications/initialized');
    return client;
  }

  write(text: string): void {
    this.child.stdin.write(text);
  }

  notify(method: string, params: JsonObject = {}): void {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`);
  }

  /** Sends a request and returns its id at once. */
  begin(method: string, params?: JsonObject): number {
    this.#count += 1;
    this.write(`${JSON.stringify({ jsonrpc: '2.0', id: this.#count, method, ...(params && { params }) })}\n`);
    return this.#count;
  }

  async request(method: string, params?: JsonObject): Promise<JsonObject> {
    return this.response(this.begin(method, params));
  }

  response(id: number | string | null): Promise<JsonObject> {
    return this.message((message) => message['id'] === id && !('method' in message));
  }

  async call(name: string, args: JsonObject, meta?: JsonObject): Promise<ToolResult> {
    return toolResult(await this.request('tools/call', { name, arguments: args, ...(meta && { _meta: meta }) }));
  }

  /** The first matching message, past or future. */
  async message(fits: (message: JsonObject) => boolean): Promise<JsonObject> {
    for (;;) {
      const found = this.messages.find(fits);
      if (found) return found;
      if (this.child.exitCode !== null) throw new Error(`The entry has ended. ${this.stderr}`);
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  async end(): Promise<number | null> {
    this.child.stdin.end();
    return (await this.exited).code;
  }

  /** Takes whole lines alone: an entry that is ended by a signal may stop in the middle of one. */
  #readLines(): void {
    let started = '';
    this.child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const [first = '', ...more] = chunk.split('\n');
      const last = more.pop();
      started += first;
      if (last === undefined) return;
      for (const line of [started, ...more]) this.#take(line);
      started = last;
    });
  }

  #take(line: string): void {
    this.lines.push(line);
    const parsed: unknown = JSON.parse(line);
    for (const message of Array.isArray(parsed) ? parsed : [parsed]) this.messages.push(asObject(message));
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}

export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
  readonly structured: JsonObject;
  /** The envelope's error; empty when there is none. */
  readonly error: JsonObject;
}

/** A tools/call response, taken apart. */
export function toolResult(response: JsonObject): ToolResult {
  const result = asObject(response['result']);
  const [first] = Array.isArray(result['content']) ? result['content'] : [];
  const structured = asObject(result['structuredContent']);
  return {
    text: String(asObject(first)['text']),
    isError: result['isError'] === true,
    structured,
    error: 'error' in structured ? asObject(structured['error']) : {},
  };
}

/** An object, or a test failure that shows what came instead. */
export function asObject(value: unknown): JsonObject {
  if (typeof value !== 'object' || value === null) throw new Error(`not an object: ${JSON.stringify(value)}`);
  return Object.fromEntries(Object.entries(value));
}
