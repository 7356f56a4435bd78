import type { Envelope } from '@devdb/shared/envelope';
import { AppError, ERROR_CODES, type WireError } from '@devdb/shared/errors';
import { inputJsonSchema } from '@devdb/shared/json-schema';
import { type PlainText, plain, sentenceText } from '@devdb/shared/plain-text';
import type { ToolDefinition } from '@devdb/shared/tools';
import { getDatabaseType } from '@devdb/shared/tools/database/get-database-type';
import { getSchema } from '@devdb/shared/tools/database/get-schema';
import { getTables } from '@devdb/shared/tools/database/get-tables';
import { runQuery } from '@devdb/shared/tools/database/run-query';
import * as z from 'zod';
import { clientIdOf } from '../caller-of.ts';
import type { Desk, Exchange, Route } from './exchange.ts';
import { readJson } from './read-body.ts';
import { errorText, sendJson, statusOf } from './reply.ts';
import { decoded } from './request-guard.ts';
import { rowObjects } from './row-objects.ts';
import { callTool, plainCaller } from './tool-call.ts';

type Failure = Extract<Envelope, { ok: false }>;

/** The routes of the listener, except /health and /mcp. */
export class RestRoutes {
  readonly #desk: Desk;
  readonly #fixed: ReadonlyMap<string, Route>;
  #listing: { readonly of: readonly ToolDefinition[]; readonly text: string } | undefined;

  constructor(desk: Desk) {
    this.#desk = desk;
    this.#fixed = new Map<string, Route>([
      ['/tables', { method: 'GET', handle: (exchange) => this.#tables(exchange) }],
      ['/database-type', { method: 'GET', handle: (exchange) => this.#databaseType(exchange) }],
      ['/query', { method: 'POST', handle: (exchange) => this.#query(exchange) }],
      ['/tools', { method: 'GET', handle: async ({ res }) => sendJson(res, 200, this.#toolsText()) }],
    ]);
  }

  /** The route of a path, undefined when there is none. Throws E_INVALID_PARAMS on malformed encoding. */
  find(path: string): Route | undefined {
    const fixed = this.#fixed.get(path);
    if (fixed) return fixed;
    const tool = segment(path, '/tools/', '');
    if (tool !== undefined) return { method: 'POST', handle: (exchange) => callTool(exchange, this.#desk, tool) };
    const table = segment(path, '/tables/', '/schema');
    if (table !== undefined) return { method: 'GET', handle: (exchange) => this.#schema(exchange, table) };
    const ask = segment(path, '/asks/', '');
    if (ask !== undefined) return { method: 'POST', handle: (exchange) => this.#answer(exchange, ask) };
    return undefined;
  }

  async #tables(exchange: Exchange): Promise<void> {
    const envelope = await this.#run(exchange, getTables.name, {});
    if (!envelope.ok) return sendFailure(exchange, envelope);
    sendJson(exchange.res, 200, JSON.stringify({ tables: getTables.output.parse(envelope.data).tables }));
  }

  async #schema(exchange: Exchange, table: string): Promise<void> {
    const envelope = await this.#run(exchange, getSchema.name, { table });
    if (!envelope.ok) return sendFailure(exchange, envelope);
    sendJson(exchange.res, 200, JSON.stringify({ schema: getSchema.output.parse(envelope.data).schema }));
  }

  async #databaseType(exchange: Exchange): Promise<void> {
    const envelope = await this.#run(exchange, getDatabaseType.name, {});
    if (!envelope.ok) return sendFailure(exchange, envelope);
    sendJson(exchange.res, 200, JSON.stringify({ type: getDatabaseType.output.parse(envelope.data).type }));
  }

  async #query(exchange: Exchange): Promise<void> {
    const body = queryBody.safeParse(await readJson(exchange.req, exchange.res));
    if (!body.success) {
      throw new AppError('E_INVALID_PARAMS', 'Query is required', { hint: 'Send {"query": "SELECT ..."}.' });
    }
    const envelope = await this.#run(exchange, runQuery.name, body.data);
    if (!envelope.ok) return sendQueryFailure(exchange, envelope);
    const { columns, rows, truncated } = runQuery.output.parse(envelope.data);
    // Truncation is always reported; a complete answer keeps the shape callers know.
    const answer = { result: rowObjects(columns, rows), ...(truncated && { truncated }) };
    sendJson(exchange.res, 200, JSON.stringify(answer));
  }

  async #answer({ req, res }: Exchange, id: string): Promise<void> {
    this.#desk.asks.answer(id, clientIdOf(req.headers), await readJson(req, res));
    sendJson(res, 200, '{"status":"ok"}');
  }

  #run(exchange: Exchange, name: string, input: unknown): Promise<Envelope> {
    return this.#desk.gate.run(name, input, plainCaller(exchange, this.#desk));
  }

  // Schemas are made once per list: the gate makes a new list when it offers other tools.
  #toolsText(): string {
    const { tools } = this.#desk.gate;
    if (this.#listing?.of !== tools)
      this.#listing = { of: tools, text: JSON.stringify({ tools: tools.map(described) }) };
    return this.#listing.text;
  }
}

const queryBody = z.looseObject({ query: z.string().min(1) });

function described(tool: ToolDefinition): Record<string, unknown> {
  const { name, title, description, toolset, annotations, timeoutMs } = tool;
  return { name, title, description, toolset, inputSchema: inputJsonSchema(tool.input), annotations, timeoutMs };
}

/** The decoded segment between a prefix and a suffix; undefined when the path does not match. */
function segment(path: string, prefix: string, suffix: string): string | undefined {
  if (!path.startsWith(prefix) || !path.endsWith(suffix)) return undefined;
  if (path.length < prefix.length + suffix.length) return undefined;
  const raw = path.slice(prefix.length, path.length - suffix.length);
  if (raw === '' || raw.includes('/')) return undefined;
  const text = decoded(raw);
  if (text !== undefined) return text;
  throw new AppError('E_INVALID_PARAMS', 'The path is not percent-encoded UTF-8.', {
    hint: 'Encode names in a path with encodeURIComponent.',
  });
}

const NO_DATABASE = plain`No DB connected`;

/** The routes older than the tools keep their literal messages; the hint keeps the tool's. */
function sendFailure({ res }: Exchange, failure: Failure): void {
  const { error } = failure;
  const isNoDatabase = error.code === 'E_NO_CONNECTION';
  sendJson(res, statusOf(failure), errorText(isNoDatabase ? withMessage(error, NO_DATABASE) : error));
}

/** For POST /query every refusal of the database is bad SQL, a missing table too, in the database's own words. */
function sendQueryFailure(exchange: Exchange, failure: Failure): void {
  const { error } = failure;
  if (error.code === 'E_SQL' || error.code === 'E_UNKNOWN_TABLE') {
    const message = plain`Error running query: ${engineSentence(error)}`;
    sendJson(exchange.res, ERROR_CODES.E_SQL.status, errorText({ ...error, message }));
  } else {
    sendFailure(exchange, failure);
  }
}

/** The database's own message, where the tool words it differently. */
function engineSentence({ message, details }: WireError): PlainText {
  const own = details?.['engineMessage'];
  return typeof own === 'string' ? sentenceText(own) : message;
}

function withMessage(error: WireError, message: PlainText): WireError {
  const { message: said, hint } = error;
  return { ...error, message, hint: hint === undefined ? said : plain`${said} ${hint}` };
}
