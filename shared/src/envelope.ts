import { errorText, type WireError } from './errors.ts';
import { answersPieces, rowsPieces } from './rows-lines.ts';
import { dataPieces, encodeData } from './rows-text.ts';

export interface Meta {
  readonly requestId: string;
  /** ISO 8601, when the call arrived. */
  readonly timestamp: string;
  /** Milliseconds. */
  readonly duration: number;
}

/** The answer of every tool, on every door. */
export type Envelope =
  | { readonly ok: true; readonly type: 'success'; readonly data: unknown; readonly meta: Meta }
  | { readonly ok: false; readonly type: 'error'; readonly error: WireError; readonly meta: Meta };

/** The MCP form of an answer. */
export interface McpResult {
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }];
  /** Left out of a success for a client that would hide the text behind it. */
  readonly structuredContent?: Envelope;
  readonly isError?: true;
}

/**
 * How a tool's data reads as text: compact JSON, or one field of it, raw or as JSON; rows in lines, alone or as each of
 * several answers; or as a writer of the tool's own puts it. `note` is the field of a remark that follows below, in
 * brackets, where the data has one: that the answer was cut.
 */
export type TextForm =
  | { readonly as: 'json' | 'rows' | 'answers' }
  | { readonly as: 'written'; readonly write: (data: unknown) => string }
  | { readonly as: 'json' | 'raw'; readonly field: string; readonly note?: string };

/** The answer as text, for clients that ignore structured content. */
export function envelopeText(envelope: Envelope, form: TextForm): string {
  if (!envelope.ok) return errorText(envelope.error);
  if (!('field' in form)) return wholePieces(envelope.data, form).join('');
  const value = fieldOf(envelope.data, form.field);
  const text = form.as === 'raw' && typeof value === 'string' ? value : encodeData(value);
  const note = form.note === undefined ? undefined : fieldOf(envelope.data, form.note);
  return typeof note === 'string' ? `${text}\n\n[${note}]` : text;
}

/** The MCP result of an envelope. `textAlone` leaves the structured form out of a success. */
export function toMcpResult(envelope: Envelope, form: TextForm, textAlone = false): McpResult {
  const content = [{ type: 'text', text: envelopeText(envelope, form) }] as const;
  if (!envelope.ok) return { content, structuredContent: envelope, isError: true };
  return textAlone ? { content } : { content, structuredContent: envelope };
}

/** The JSON of an envelope. */
export function encodeEnvelope(envelope: Envelope): string {
  return envelope.ok ? successPieces(dataPieces(envelope.data), envelope.meta).join('') : JSON.stringify(envelope);
}

/** The JSON of an envelope's MCP result, in pieces to be written in order. Data is encoded once, although it appears twice. */
export function mcpResultPieces(envelope: Envelope, form: TextForm, textAlone = false): readonly string[] {
  if (!envelope.ok) return [JSON.stringify(toMcpResult(envelope, form))];
  const data = dataPieces(envelope.data);
  const text = 'field' in form ? [envelopeText(envelope, form)] : wholePieces(envelope.data, form);
  const quoted = text.map((piece) => JSON.stringify(piece).slice(1, -1));
  const head = ['{"content":[{"type":"text","text":"', ...quoted, '"}]'];
  if (textAlone) return [...head, '}'];
  return [...head, ',"structuredContent":', ...successPieces(data, envelope.meta), '}'];
}

function successPieces(data: readonly string[], meta: Meta): readonly string[] {
  return ['{"ok":true,"type":"success","data":', ...data, `,"meta":${JSON.stringify(meta)}}`];
}

function wholePieces(data: unknown, form: Exclude<TextForm, { readonly field: string }>): readonly string[] {
  if (form.as === 'written') return [form.write(data)];
  if (form.as === 'rows') return rowsPieces(data);
  return form.as === 'answers' ? answersPieces(data) : dataPieces(data);
}

function fieldOf(data: unknown, field: string): unknown {
  if (typeof data !== 'object' || data === null) return undefined;
  return new Map(Object.entries(data)).get(field);
}
