export type RequestId = string | number;
export type Params = Readonly<Record<string, unknown>>;

export interface RequestMessage {
  readonly kind: 'request';
  readonly id: RequestId;
  readonly method: string;
  readonly params: Params;
}

/** A JSON-RPC message, by kind. `invalid` carries the id when it could be read. */
export type Message =
  | RequestMessage
  | { readonly kind: 'notification'; readonly method: string; readonly params: Params }
  | { readonly kind: 'response'; readonly id: RequestId | null; readonly result: Params | undefined }
  | { readonly kind: 'invalid'; readonly id: RequestId | null; readonly code: number; readonly reason: string };

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Params {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Strings, and numbers that survive a round trip through JSON: an answer to any other id would not match. */
export function isRequestId(value: unknown): value is RequestId {
  if (typeof value === 'string') return true;
  return typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

/** Reads a parsed JSON value as a JSON-RPC message. */
export function readMessage(raw: unknown): Message {
  if (!isRecord(raw)) return invalid(null, INVALID_REQUEST, 'A message must be a JSON object.');
  const { id, method, params } = raw;
  const known = isRequestId(id) ? id : null;
  if (raw['jsonrpc'] !== '2.0') return invalid(known, INVALID_REQUEST, 'jsonrpc must be "2.0".');
  if (typeof method !== 'string') return readResponse(raw, known);
  if (id !== undefined && known === null)
    return invalid(null, INVALID_REQUEST, 'id must be a string, or a number that JSON represents exactly.');
  if (params !== undefined && !isRecord(params)) {
    if (known === null) return { kind: 'notification', method, params: {} };
    return invalid(known, INVALID_PARAMS, 'params must be an object.');
  }
  if (known === null) return { kind: 'notification', method, params: params ?? {} };
  return { kind: 'request', id: known, method, params: params ?? {} };
}

function readResponse(raw: Params, id: RequestId | null): Message {
  if ('method' in raw || !('result' in raw || 'error' in raw))
    return invalid(id, INVALID_REQUEST, 'A request needs a method, as a string.');
  const { result } = raw;
  return { kind: 'response', id, result: isRecord(result) ? result : undefined };
}

function invalid(id: RequestId | null, code: number, reason: string): Message {
  return { kind: 'invalid', id, code, reason };
}

/** A response around a result that is already JSON text. */
export function resultText(id: RequestId, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}

export function errorResponse(id: RequestId | null, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}

export function notification(method: string, params: Params): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

export function request(id: RequestId, method: string, params: Params): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}
