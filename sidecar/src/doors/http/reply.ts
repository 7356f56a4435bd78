import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Envelope } from '@devdb/shared/envelope';
import { type AppError, ERROR_CODES, toWire, type WireError } from '@devdb/shared/errors';
import { LINGER_MS } from '../limits.ts';

/** An unread body larger than this is not worth reading to keep its connection. */
const READABLE_REST_BYTES = 64 * 1024;

export type HeaderPairs = readonly (readonly [name: string, value: string])[];

const NO_HEADERS: HeaderPairs = [];

/** Sends JSON text. Does nothing when the connection is gone. */
export function sendJson(res: ServerResponse, status: number, text: string, headers = NO_HEADERS): void {
  if (res.destroyed || res.headersSent) return;
  res.writeHead(status, headPairs(text, headers));
  res.end(text);
}

/** The HTTP status of an envelope: 200, or its error code's status. */
export function statusOf(envelope: Envelope): number {
  return envelope.ok ? 200 : ERROR_CODES[envelope.error.code].status;
}

/** The error body of every route but /tools/:name and /mcp: the message twice, under both names that callers read. */
export function errorText(wire: WireError): string {
  const { code, message, hint, details } = wire;
  return JSON.stringify({ error: message, message, code, hint, details });
}

/** Sends an error after the request was read. */
export function sendError(res: ServerResponse, error: unknown, headers = NO_HEADERS): void {
  const wire = toWire(error);
  sendJson(res, ERROR_CODES[wire.code].status, errorText(wire), headers);
}

/**
 * Sends an error before the body was read. Closing at once would reset a connection that is still sending, and the
 * reset can overtake the answer; so the rest is discarded for a moment before the connection closes.
 */
export function refuse(req: IncomingMessage, res: ServerResponse, error: AppError, headers = NO_HEADERS): void {
  const wire = toWire(error);
  refuseAs(req, res, { status: ERROR_CODES[wire.code].status, text: errorText(wire) }, headers);
}

/** The same with JSON of another form. */
export function refuseAs(req: IncomingMessage, res: ServerResponse, refusal: Refusal, headers = NO_HEADERS): void {
  if (res.destroyed || res.headersSent) return;
  if (hasLongRest(req)) lingeringly(req, res, refusal, headers);
  else sendJson(res, refusal.status, refusal.text, headers);
}

interface Refusal {
  readonly status: number;
  readonly text: string;
}

function lingeringly(req: IncomingMessage, res: ServerResponse, { status, text }: Refusal, headers: HeaderPairs): void {
  res.writeHead(status, headPairs(text, [...headers, ['connection', 'close']]));
  res.write(text);
  const timer = setTimeout(finish, LINGER_MS);
  req.once('close', finish).once('end', finish).resume();
  function finish(): void {
    clearTimeout(timer);
    res.end();
  }
}

function hasLongRest(req: IncomingMessage): boolean {
  if (req.complete) return false;
  if (req.headers['transfer-encoding'] !== undefined) return true;
  return Number(req.headers['content-length'] ?? 0) > READABLE_REST_BYTES;
}

function headPairs(text: string, headers: HeaderPairs): string[] {
  const length = String(Buffer.byteLength(text));
  const own = ['content-type', 'application/json', 'content-length', length, 'x-content-type-options', 'nosniff'];
  return headers.length === 0 ? own : own.concat(...headers);
}
