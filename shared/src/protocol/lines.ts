import type { Envelope, McpResult } from '../envelope.ts';

export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/**
 * One line of an NDJSON answer. `type` is always the first key and `result` the second of the last line:
 * the stdio entry tells lines apart by their first bytes and passes the result on without parsing it.
 */
export type Line =
  | ({ readonly type: 'progress' } & Progress)
  | {
      readonly type: 'ask';
      readonly id: string;
      readonly message: string;
      readonly requestedSchema: Record<string, unknown>;
    }
  /** The question was answered elsewhere or ran out: stop showing it. */
  | { readonly type: 'ask-over'; readonly id: string }
  | { readonly type: 'result'; readonly result: Envelope | McpResult };

export const RESULT_PREFIX = '{"type":"result","result":';

/** One line with its line feed. */
export function encodeLine(line: Line): string {
  return `${asOneLine(JSON.stringify(line))}\n`;
}

/** The last line around a result that is JSON text already. */
export function encodeResultLine(result: string): string {
  return `${RESULT_PREFIX}${asOneLine(result)}}\n`;
}

const SEPARATORS = /[\u2028\u2029]/g;

/** Some readers, Node's readline among them, end a line at these two as well; JSON may carry them only in strings. */
export function asOneLine(json: string): string {
  if (!json.includes('\u2028') && !json.includes('\u2029')) return json;
  return json.replace(SEPARATORS, (separator) => (separator === '\u2028' ? '\\u2028' : '\\u2029'));
}
