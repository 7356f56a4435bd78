import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Envelope } from '@devdb/shared/envelope';
import { wireErrorSchema } from '@devdb/shared/wire-error';
import * as z from 'zod';
import { McpClient } from '../../../fixtures/labs/mcp-client.ts';
import { httpClient } from '../../../sidecar/test/helpers/clients.ts';
import { until } from './until.ts';

const portsByRoot = z.record(z.string(), z.int());
const health = z.object({ pid: z.int(), version: z.string(), projectRoot: z.string() });
const meta = z.object({ requestId: z.string(), timestamp: z.string(), duration: z.number() });
const envelope = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), type: z.literal('success'), data: z.unknown(), meta }),
  z.object({ ok: z.literal(false), type: z.literal('error'), error: wireErrorSchema(), meta }),
]);
const bridged = z.object({ status: z.string().nullable(), error: z.string().nullable() });
const toolAnswer = z.object({ isError: z.boolean().optional(), content: z.array(z.object({ text: z.string() })) });

export type Bridged = z.infer<typeof bridged>;
export type McpOverHttp = Awaited<ReturnType<typeof httpClient>>;

export interface StdioAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** An editor's DevDB as agents on the machine see it: the files in its home, HTTP, and the program they start. */
export class DevdbHome {
  /** The editor's HOME. */
  readonly #home: string;

  constructor(home: string) {
    this.#home = home;
  }

  /** The port of every project that is open now. */
  registry(): Record<string, number> {
    return this.#ports('mcp.json');
  }

  get token(): string {
    return readFileSync(join(this.#home, '.devdb', 'token'), 'utf8').trim();
  }

  /** The project's port, once it is in the registry and answers. */
  async serving(root: string): Promise<number> {
    await until(`${root} is served`, () => this.#answers(root));
    return this.registry()[root] ?? 0;
  }

  /** Resolves when the project is no longer in the registry. */
  async closed(root: string): Promise<void> {
    await until(`${root} is not served any more`, () => this.registry()[root] === undefined);
  }

  /** The process that serves the project. */
  async sidecarPid(root: string): Promise<number> {
    return health.parse(await (await this.#ask(root, '/health')).json()).pid;
  }

  /** A tool's answer over HTTP. */
  async callTool(root: string, tool: string, input: unknown, signal?: AbortSignal): Promise<Envelope> {
    const response = await this.#ask(root, `/tools/${tool}`, {
      method: 'POST',
      body: JSON.stringify(input),
      ...(signal === undefined ? {} : { signal }),
    });
    return envelope.parse(await response.json());
  }

  /** A real MCP client of the project's port. */
  async mcpOverHttp(root: string): Promise<McpOverHttp> {
    return httpClient({ port: this.registry()[root] ?? 0, token: this.token });
  }

  /** What a bridge gets that calls a tool at the project's port. */
  async bridged(root: string, tool: string, input: unknown): Promise<Bridged> {
    return bridged.parse(
      await (await this.#ask(root, `/api/mcp/${tool}`, { method: 'POST', body: JSON.stringify(input) })).json(),
    );
  }

  /** Starts the launcher in the home, with which agents are configured. */
  async stdioClient(args: readonly string[] = []): Promise<StdioClient> {
    const client = new McpClient({
      command: process.execPath,
      args: [join(this.#home, '.devdb', 'bin', 'devdb-mcp.cjs'), ...args],
      env: { PATH: process.env['PATH'], HOME: this.#home },
    });
    await client.initialize('editor test');
    return {
      call: async (tool, args) => {
        const { isError = false, content } = toolAnswer.parse(await client.callTool(tool, args));
        return { isError, text: content.map(({ text }) => text).join('\n') };
      },
      close: () => client.close(),
    };
  }

  async #answers(root: string): Promise<boolean> {
    if (this.registry()[root] === undefined) return false;
    try {
      return health.parse(await (await this.#ask(root, '/health')).json()).projectRoot === root;
    } catch {
      // Its port is just released, or not taken yet: the next attempt shows.
      return false;
    }
  }

  #ask(root: string, path: string, request: RequestInit = {}): Promise<Response> {
    const port = this.registry()[root];
    if (port === undefined) throw new Error(`${root} is not in the registry.`);
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' };
    return fetch(`http://127.0.0.1:${port}${path}`, { ...request, headers });
  }

  #ports(name: string): Record<string, number> {
    const file = join(this.#home, '.devdb', name);
    return existsSync(file) ? portsByRoot.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
  }
}

export interface StdioClient {
  call(tool: string, args: Record<string, unknown>): Promise<StdioAnswer>;
  close(): Promise<void>;
}
