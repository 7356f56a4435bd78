import type { ServerResponse } from 'node:http';
import { type Envelope, encodeEnvelope } from '@devdb/shared/envelope';
import { NDJSON } from '@devdb/shared/protocol/http';
import { encodeLine, encodeResultLine, type Line } from '@devdb/shared/protocol/lines';
import type { ToolDefinition } from '@devdb/shared/tools';
import type { Caller } from '../../dispatch/caller.ts';
import { type ClientFacts, clientFacts } from '../caller-of.ts';
import { ProgressFeed } from '../progress-feed.ts';
import type { Desk, Exchange } from './exchange.ts';
import { readJson } from './read-body.ts';
import { sendJson, statusOf } from './reply.ts';

/** A caller that gets one JSON answer: no progress and no questions. */
export function plainCaller({ req, res }: Exchange, { calls }: Desk): Caller {
  return { door: 'rest', ...identity(clientFacts(req.headers)), signal: calls.begin(res), progress: unheard };
}

/**
 * POST /tools/:name: takes the input; answers with the envelope, or with lines of progress and questions for callers
 * that read them.
 */
export async function callTool(exchange: Exchange, desk: Desk, name: string): Promise<void> {
  const { req, res } = exchange;
  const input = await readJson(req, res);
  if (req.headers.accept?.toLowerCase().includes(NDJSON)) return streamCall(exchange, desk, name, input);
  const envelope = await desk.gate.run(name, input, plainCaller(exchange, desk));
  sendJson(res, statusOf(envelope), encodeEnvelope(envelope));
}

async function streamCall(
  { req, res }: Exchange,
  { gate, calls, asks: askDesk }: Desk,
  name: string,
  input: unknown,
): Promise<void> {
  const facts = clientFacts(req.headers);
  const lines = new LineStream(res);
  const feed = new ProgressFeed((progress) => lines.offer({ type: 'progress', ...progress }));
  const asks = facts.canAsk ? askDesk.forCall(facts.clientId, (line) => lines.send(line)) : undefined;
  const envelope = await gate.run(name, input, {
    door: 'rest',
    ...identity(facts),
    signal: calls.begin(res),
    progress: (progress) => feed.report(progress),
    ...(asks && { ask: (question, signal) => asks.ask(question, signal) }),
  });
  feed.end();
  asks?.end();
  // A caller of another version must learn from the status that the tool is missing, before it reads any line.
  if (isUnknownTool(envelope)) return sendJson(res, statusOf(envelope), JSON.stringify(envelope));
  lines.finish(encodeEnvelope(envelope));
}

/** A tool's data as text. An unknown name has only errors to show. */
export function textFormOf(tools: readonly ToolDefinition[], name: string): ToolDefinition['text'] {
  return tools.find((tool) => tool.name === name || tool.aliases?.includes(name))?.text ?? { as: 'json' };
}

export function isUnknownTool(envelope: Envelope): boolean {
  return !envelope.ok && envelope.error.code === 'E_UNKNOWN_TOOL';
}

/** An answer in lines. Its head is sent with the first line, so that a quick call is one write. */
class LineStream {
  readonly #res: ServerResponse;

  constructor(res: ServerResponse) {
    this.#res = res;
  }

  send(line: Line): void {
    if (this.#res.destroyed || this.#res.writableEnded) return;
    if (!this.#res.headersSent) this.#head([]);
    this.#res.write(encodeLine(line));
  }

  /** For lines that may be dropped: a slow reader gets fewer of them. */
  offer(line: Line): void {
    if (!this.#res.writableNeedDrain) this.send(line);
  }

  /** The last line: a result that is already JSON text. */
  finish(result: string): void {
    if (this.#res.destroyed) return;
    const text = encodeResultLine(result);
    if (!this.#res.headersSent) this.#head(['content-length', String(Buffer.byteLength(text))]);
    this.#res.end(text);
  }

  #head(more: readonly string[]): void {
    this.#res.writeHead(200, ['content-type', NDJSON, 'x-content-type-options', 'nosniff', ...more]);
  }
}

function identity(facts: ClientFacts): Pick<Caller, 'clientId' | 'clientName' | 'defaultTimeoutMs'> {
  const { clientId, clientName, defaultTimeoutMs } = facts;
  return { clientId, clientName, defaultTimeoutMs };
}

function unheard(): void {
  // A caller that reads one JSON answer gets no progress.
}
