import type { IncomingMessage } from 'node:http';
import { AppError, ERROR_CODES, toWire } from '@devdb/shared/errors';
import { inputJsonSchema } from '@devdb/shared/json-schema';
import type { ToolDefinition } from '@devdb/shared/tools';
import * as z from 'zod';
import { VERSION } from '../../host/version.ts';
import type { Desk, Exchange } from '../http/exchange.ts';
import { readJson, SenderGone, wrongMediaType } from '../http/read-body.ts';
import { refuseAs, sendJson } from '../http/reply.ts';
import { decoded } from '../http/request-guard.ts';
import { plainCaller } from '../http/tool-call.ts';
import { statusOf, statusText } from './status-shapes.ts';

/** What the editor's window shows, for the dialect's greeting. */
export interface WindowView {
  readonly activeFile: string;
  readonly openFiles: readonly string[];
}

export interface BridgeParts extends Desk {
  /** Nothing of a window that does not answer. */
  readonly look: (signal: AbortSignal) => Promise<WindowView>;
}

const PREFIX = /^(\/api)?\/mcp\/([^/]*)$/;
const GREETING = { protocolVersion: '2024-11-05', capabilities: { tools: { listChanged: true }, resources: {} } };

const rpcCall = z.object({ jsonrpc: z.unknown(), params: z.looseObject({ arguments: z.unknown().optional() }) });
const rpcId = z.object({ id: z.union([z.string(), z.number()]) });

type Answer = (exchange: Exchange) => Promise<void>;

/**
 * The HTTP dialect of editor bridges, at /mcp/<segment> and /api/mcp/<segment>: the tools of the toolset ide under their
 * names, each with one JSON answer of the form {status, error}. Bridges hand `status` of /api/mcp on as text.
 */
export class BridgeRoutes {
  readonly #parts: BridgeParts;
  #list: { readonly of: readonly ToolDefinition[]; readonly text: string } | undefined;

  constructor(parts: BridgeParts) {
    this.#parts = parts;
  }

  /** What answers at this path; undefined where it is no path of the dialect. */
  find(path: string): Answer | undefined {
    const [, api, segment] = PREFIX.exec(path) ?? [];
    if (segment === undefined || segment === '') return undefined;
    return (exchange) => this.#answer(exchange, segment, api !== undefined).catch((error) => fail(exchange, error));
  }

  async #answer(exchange: Exchange, segment: string, isText: boolean): Promise<void> {
    if (segment === 'list_tools') return this.#listTools(exchange);
    if (segment === 'initialize') return this.#initialize(exchange);
    if (segment === 'status') return this.#status(exchange);
    return this.#call(exchange, decoded(segment) ?? segment, isText);
  }

  async #listTools({ req, res }: Exchange): Promise<void> {
    if (req.method !== 'GET' && req.method !== 'HEAD') throw wrongMethod('GET');
    const { tools } = this.#parts.gate;
    // Bridges compare the bytes to learn of a change: made once for each list.
    if (this.#list?.of !== tools) this.#list = { of: tools, text: JSON.stringify(spoken(tools).map(described)) };
    sendJson(res, 200, this.#list.text);
  }

  async #initialize(exchange: Exchange): Promise<void> {
    const { environment, id } = await this.#greet(exchange);
    const { workspaceRoot, activeFile, currentDirectory } = environment;
    const serverInfo = { name: 'vscode-mcp-server', version: VERSION };
    const result = { ...GREETING, serverInfo, environment: { workspaceRoot, activeFile, currentDirectory } };
    sendJson(exchange.res, 200, JSON.stringify({ jsonrpc: '2.0', id, result }));
  }

  async #status(exchange: Exchange): Promise<void> {
    const { environment, id } = await this.#greet(exchange);
    sendJson(exchange.res, 200, JSON.stringify({ jsonrpc: '2.0', id, result: { status: 'running', environment } }));
  }

  async #greet(exchange: Exchange) {
    const { req, res, query } = exchange;
    if (req.method !== 'GET' && req.method !== 'POST' && req.method !== 'HEAD') throw wrongMethod('GET or POST');
    const body = req.method === 'POST' ? await bodyOf(exchange) : undefined;
    const { gate, calls, look } = this.#parts;
    const { activeFile, openFiles } = await look(calls.begin(res));
    const root = gate.projectRoot;
    return {
      id: rpcId.safeParse(body).data?.id ?? new URLSearchParams(query).get('id') ?? 0,
      environment: { workspaceRoot: root, activeFile, currentDirectory: root, openFiles },
    };
  }

  async #call(exchange: Exchange, name: string, isText: boolean): Promise<void> {
    const { req, res } = exchange;
    const tool = spoken(this.#parts.gate.tools).find((one) => one.name === name || one.aliases?.includes(name));
    if (tool === undefined) return sendError(exchange, 404, `Unknown tool: ${name}`);
    if (req.method !== 'POST') throw wrongMethod('POST');
    const body = await bodyOf(exchange);
    const envelope = await this.#parts.gate.run(tool.name, inputOf(body), {
      ...plainCaller(exchange, this.#parts),
      door: 'bridge',
    });
    if (envelope.ok) {
      const status = isText ? statusText(tool, envelope.data) : statusOf(tool, envelope.data);
      return sendJson(res, 200, JSON.stringify({ status, error: null }));
    }
    const { code, message } = envelope.error;
    if (code === 'E_INTERNAL') sendError(exchange, 500, `Error executing tool ${name}: ${message}`);
    else sendError(exchange, 200, message);
  }
}

/** Only the toolset whose protocol this is. */
function spoken(tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
  return tools.filter(({ toolset }) => toolset === 'ide');
}

function described({ name, description, input }: ToolDefinition) {
  return { name, description, inputSchema: inputJsonSchema(input) };
}

/** The arguments themselves, or a JSON-RPC request around them. */
function inputOf(body: unknown): unknown {
  const rpc = rpcCall.safeParse(body);
  return rpc.success ? (rpc.data.params.arguments ?? {}) : body;
}

/** No body is no arguments. */
async function bodyOf({ req, res }: Exchange): Promise<unknown> {
  if (isEmpty(req)) return {};
  const wrongType = wrongMediaType(req);
  if (wrongType) throw wrongType;
  return readJson(req, res);
}

function isEmpty({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

function fail(exchange: Exchange, error: unknown): void {
  if (error instanceof SenderGone || !(error instanceof AppError)) throw error;
  const { code, message } = toWire(error);
  // Here a body that is no JSON is a failure of the server.
  sendError(exchange, code === 'E_INVALID_PARAMS' ? 500 : ERROR_CODES[code].status, message);
}

function sendError({ req, res }: Exchange, status: number, error: string): void {
  refuseAs(req, res, { status, text: JSON.stringify({ status: null, error }) });
}

function wrongMethod(methods: string): AppError {
  return new AppError('E_METHOD_NOT_ALLOWED', `This route takes ${methods}.`);
}
