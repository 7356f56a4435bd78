import { clientNameText } from '@devdb/shared/client-name';
import { toMcpResult } from '@devdb/shared/envelope';
import { AppError } from '@devdb/shared/errors';
import { instructionsFor } from '@devdb/shared/instructions';
import { inputJsonSchema } from '@devdb/shared/json-schema';
import { ASK_TIMEOUT_MS, GATE_GRACE_MS } from '@devdb/shared/limits';
import { ANSWER_FORM, type ClientAnswer, HEADERS, type Question, readReply } from '@devdb/shared/protocol';
import { getsTextAlone } from '@devdb/shared/structured-clients';
import type { ToolDefinition } from '@devdb/shared/tools';
import { isListed, TOOLSETS } from '@devdb/shared/tools/toolsets';
import { isVsCode } from '@devdb/shared/vscode-client';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResult,
  ElicitRequestFormParamsSchema,
  ElicitResultSchema,
  ErrorCode,
  ListToolsRequestSchema,
  type ListToolsResult,
  ListToolsResultSchema,
  McpError,
  type RequestId,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import * as z from 'zod';
import type { Caller } from '../../dispatch/caller.ts';
import type { Gate } from '../../dispatch/gate.ts';
import type { LogEvent } from '../../host/log.ts';
import { defaultTimeoutOf, structuredModeOf } from '../caller-of.ts';
import { endedByShutdown } from '../http/refusals.ts';
import { isUnknownTool, textFormOf } from '../http/tool-call.ts';
import { Heartbeat, ProgressFeed } from '../progress-feed.ts';
import { couldNotAsk } from '../question-desk.ts';
import type { SessionServer } from './session.ts';

export interface ToolServerOptions {
  readonly gate: Gate;
  readonly version: string;
  readonly log: LogEvent;
  /** A shorter interval, for tests. */
  readonly progressIntervalMs?: number;
}

type CallParams = CallToolRequest['params'];

/** By default the library reports wrong params as a server failure, in its schema's words. */
const callRequest = z.object({ method: z.literal('tools/call'), params: z.unknown().transform(callParams) });

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Makes each session's server. The list with its schemas is made once for all of them, and again when it changes. */
export function toolServers(options: ToolServerOptions): () => SessionServer {
  let listing: ListToolsResult | undefined;
  let listed: readonly ToolDefinition[] | undefined;
  // By default the library makes one per session, which doubles a session's memory.
  const jsonSchemaValidator = new AjvJsonSchemaValidator();
  const list = (clientName: string): ListToolsResult => {
    const { tools } = options.gate;
    if (listing === undefined || listed !== tools)
      listing = ListToolsResultSchema.parse({ tools: tools.map(described) });
    listed = tools;
    const isForClient = tools.map(({ toolset }) => isListed(toolset, [], clientName));
    return { tools: listing.tools.filter((_tool, at) => isForClient[at]) };
  };
  return () => new ToolServer(options, list, jsonSchemaValidator);
}

class ToolServer implements SessionServer {
  readonly server: Server;
  readonly #options: ToolServerOptions;
  readonly #running = new Map<RequestId, AbortController>();

  constructor(
    options: ToolServerOptions,
    list: (clientName: string) => ListToolsResult,
    jsonSchemaValidator: AjvJsonSchemaValidator,
  ) {
    this.#options = options;
    this.server = new Server(
      { name: 'DevDB', version: options.version },
      {
        capabilities: { tools: { listChanged: true } },
        instructions: instructionsOf(options.gate),
        jsonSchemaValidator,
      },
    );
    this.server.setRequestHandler(ListToolsRequestSchema, (_request, { requestInfo }) =>
      this.#isFor(requestInfo?.headers) ? list(this.server.getClientVersion()?.name ?? '') : { tools: [] },
    );
    this.server.setRequestHandler(callRequest, ({ params }, extra) => this.#call(params, extra));
  }

  /** The editor's own agent gets no tools here: it has them from the extension. */
  #isFor(headers: Readonly<Record<string, unknown>> = {}): boolean {
    return headers[HEADERS.from] === undefined || !isVsCode(this.server.getClientVersion()?.name ?? '');
  }

  // The library's own cancellation ignores a request whose id is 0.
  cancel(id: RequestId): void {
    this.#running.get(id)?.abort(cancelled());
  }

  cancelAll(): void {
    for (const controller of this.#running.values()) controller.abort(endedByShutdown());
  }

  toolsChanged(): Promise<void> {
    return this.server.sendToolListChanged();
  }

  async #call(params: CallParams, extra: Extra): Promise<CallToolResult> {
    const { gate } = this.#options;
    const own = new AbortController();
    this.#running.set(extra.requestId, own);
    const feed = this.#progress(extra);
    try {
      const signal = signalOf(extra, own);
      const envelope = await gate.run(params.name, params.arguments ?? {}, this.#caller(extra, signal, feed));
      if (isUnknownTool(envelope)) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
      const { content, ...rest } = toMcpResult(envelope, textFormOf(gate.tools, params.name), this.#textAlone(extra));
      return { ...rest, content: [...content] };
    } finally {
      feed?.end();
      this.#running.delete(extra.requestId);
    }
  }

  #caller(extra: Extra, signal: AbortSignal, feed: ProgressFeed | undefined): Caller {
    const canAsk = this.server.getClientCapabilities()?.elicitation?.form !== undefined;
    return {
      door: 'mcp',
      clientId: extra.sessionId ?? String(extra.requestId),
      clientName: clientNameText(this.server.getClientVersion()?.name),
      signal,
      progress: (progress) => feed?.report(progress),
      defaultTimeoutMs: defaultTimeoutOf(extra.requestInfo?.headers ?? {}),
      ...(canAsk && { ask: (question, over) => ask(extra, question, AbortSignal.any([over, signal])) }),
    };
  }

  /** Whether this client gets a success without its structured form. */
  #textAlone({ requestInfo }: Extra): boolean {
    return getsTextAlone(this.server.getClientVersion()?.name ?? '', structuredModeOf(requestInfo?.headers ?? {}));
  }

  /** Progress goes only to requests that carry a progress token. */
  #progress(extra: Extra): ProgressFeed | undefined {
    const progressToken = extra._meta?.progressToken;
    if (progressToken === undefined) return undefined;
    return new ProgressFeed((progress) => {
      extra
        .sendNotification({ method: 'notifications/progress', params: { progressToken, ...progress } })
        .catch((error: unknown) => this.#options.log('mcp-progress-lost', { error }));
    }, new Heartbeat(this.#options.progressIntervalMs));
  }
}

function instructionsOf({ tools }: Gate): string {
  const on = new Set(tools.map(({ toolset }) => toolset));
  return instructionsFor(
    'window',
    TOOLSETS.filter((toolset) => on.has(toolset)),
  );
}

function callParams(raw: unknown): CallParams {
  const { data, error } = CallToolRequestSchema.shape.params.safeParse(raw);
  if (data !== undefined) return data;
  const issues = error.issues.map(({ path, message }) => `${['params', ...path].join('.')}: ${message}`);
  throw new McpError(ErrorCode.InvalidParams, `tools/call: ${issues.join('; ')}`);
}

async function ask(extra: Extra, question: Question, signal: AbortSignal): Promise<ClientAnswer> {
  const params = ElicitRequestFormParamsSchema.parse({ message: question.message, requestedSchema: ANSWER_FORM });
  // The gate ends the wait; the library's own minute would be too short.
  const options = { signal, timeout: ASK_TIMEOUT_MS + GATE_GRACE_MS };
  try {
    return readReply(await extra.sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema, options));
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw couldNotAsk(error);
  }
}

/** The library passes no reason on, so every abort of the request reads as a cancelled call. */
function signalOf(extra: Extra, own: AbortController): AbortSignal {
  if (extra.signal.aborted) own.abort(cancelled());
  else extra.signal.addEventListener('abort', () => own.abort(cancelled()), { once: true });
  return own.signal;
}

function cancelled(): AppError {
  return new AppError('E_CANCELLED', 'The client cancelled the call.', {
    hint: 'Call again if you still need the answer.',
  });
}

function described(tool: ToolDefinition): Record<string, unknown> {
  const { name, title, description, annotations } = tool;
  return { name, title, description, inputSchema: inputJsonSchema(tool.input), annotations };
}
