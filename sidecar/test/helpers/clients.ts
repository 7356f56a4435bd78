import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type ElicitRequest, ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { CLI, type RunningSidecar } from './start-sidecar.ts';

export type Elicit = (request: ElicitRequest['params']) => Promise<ElicitResult>;

const envelopeSchema = z.object({
  ok: z.boolean(),
  type: z.string(),
  data: z.unknown().optional(),
  error: z
    .object({ code: z.string(), message: z.string(), hint: z.string().optional(), details: z.unknown().optional() })
    .optional(),
  meta: z.object({ requestId: z.string(), timestamp: z.string(), duration: z.number() }),
});
export type ReadEnvelope = z.infer<typeof envelopeSchema>;

export function readEnvelope(raw: unknown): ReadEnvelope {
  return envelopeSchema.parse(raw);
}

/** Where a sidecar listens. */
export type Reachable = Pick<RunningSidecar, 'port' | 'token'>;

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
  readonly envelope: ReadEnvelope;
}

export interface McpClient {
  readonly client: Client;
  call(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<ToolAnswer>;
  close(): Promise<void>;
}

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { progress: number; message?: string | undefined }) => void;
}

function newClient(name: string, elicit: Elicit | undefined): Client {
  const client = new Client({ name, version: '1.0.0' }, elicit ? { capabilities: { elicitation: {} } } : {});
  if (elicit) client.setRequestHandler(ElicitRequestSchema, (request) => elicit(request.params));
  return client;
}

function wrap(client: Client): McpClient {
  return {
    client,
    call: async (name, args, options) => {
      const result = await client.callTool({ name, arguments: args }, undefined, { timeout: 600_000, ...options });
      const content = z
        .array(z.object({ type: z.literal('text'), text: z.string() }))
        .length(1)
        .parse(result.content);
      return {
        text: content[0]?.text ?? '',
        isError: result.isError === true,
        envelope: readEnvelope(result.structuredContent),
      };
    },
    close: () => client.close(),
  };
}

/** The real stdio entry, started as clients start it. */
export async function stdioClient(
  home: string,
  options: { elicit?: Elicit; args?: readonly string[] } = {},
): Promise<McpClient> {
  const client = newClient('stdio-test', options.elicit);
  const env = Object.fromEntries(Object.entries(process.env).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp', ...(options.args ?? [])],
    env: { ...env, DEVDB_HOME: home },
  });
  await client.connect(transport);
  return wrap(client);
}

/** MCP over HTTP, directly to the sidecar. */
export async function httpClient(
  sidecar: Reachable,
  options: { elicit?: Elicit; headers?: Readonly<Record<string, string>> } = {},
): Promise<McpClient> {
  const client = newClient('http-test', options.elicit);
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${sidecar.port}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${sidecar.token}`, ...options.headers } },
  });
  await client.connect(transport);
  return wrap(client);
}

export interface RestAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** One REST call with the token. */
export async function rest(
  sidecar: Reachable,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<RestAnswer> {
  const response = await fetch(`http://127.0.0.1:${sidecar.port}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${sidecar.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  return { status: response.status, body: await response.json() };
}
