import type { Envelope } from '../envelope.ts';

export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** One line of an NDJSON answer. The result is the last. */
export type Line =
  | ({ readonly type: 'progress' } & Progress)
  | {
      readonly type: 'ask';
      readonly id: string;
      readonly message: string;
      readonly requestedSchema: Record<string, unknown>;
    }
  /** The question was answered elsewhere or timed out: stop showing it. */
  | { readonly type: 'ask-over'; readonly id: string }
  | { readonly type: 'result'; readonly result: Envelope };

/** One line with its line feed. */
export function encodeLine(line: Line): string {
  return `${asOneLine(JSON.stringify(line))}\n`;
}

/** The last line, around a result that is already JSON text. */
export function encodeResultLine(result: string): string {
  return `{"type":"result","result":${asOneLine(result)}}\n`;
}

const SEPARATORS = /[\u2028\u2029]/g;

/** Some readers, Node's readline among them, also end a line at these two; JSON may contain them only in strings. */
export function asOneLine(json: string): string {
  if (!json.includes('\u2028') && !json.includes('\u2029')) return json;
  return json.replace(SEPARATORS, (separator) => (separator === '\u2028' ? '\\u2028' : '\\u2029'));
}
