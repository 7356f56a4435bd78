import type { SqlToken } from '../engines/sql-reader.ts';
import type { Span } from '../engines/statement-spans.ts';
import type { Read } from './reflow.ts';

/** Statements that the library knows how to lay out. */
const VERBS = new Set(
  'SELECT WITH INSERT UPDATE DELETE REPLACE MERGE VALUES CREATE ALTER DROP TRUNCATE GRANT REVOKE EXPLAIN'.split(' '),
);
/** It knows nothing of the blocks of routines, and lays their statements out as one. */
const BLOCK = /^(?:BEGIN|DECLARE|TRIGGER|PROCEDURE|PROC|FUNCTION|EVENT|PACKAGE)$/i;
const DELIMITER = /^delimiter$/i;

/** How far blanks and a delimiter are looked for. */
const LINE_LOOK = 200;

/** A statement that can be laid out, with its tokens. */
export interface Formattable extends Span {
  readonly tokens: readonly SqlToken[];
}

/**
 * The statements that can be laid out. Left as they are: routines, statements of other kinds, what a client reads line
 * by line, and in MySQL's scripts what stands between two DELIMITER lines.
 */
export function formattable({ text, tokens }: Read, spans: readonly Span[], clientWord: RegExp): Formattable[] {
  let at = 0;
  let isOtherDelimiter = false;
  return spans.flatMap((span) => {
    const own: SqlToken[] = [];
    for (let token = tokens[at]; token !== undefined && token.start < span.end; at += 1, token = tokens[at]) {
      if (token.start >= span.start) own.push(token);
    }
    const client = own.filter((token) => clientWord.test(token.text) && beginsLine(text, token.start));
    const delimiter = client.findLast((token) => DELIMITER.test(token.text));
    const wasOther = isOtherDelimiter;
    if (delimiter !== undefined) isOtherDelimiter = restOfLine(text, delimiter.end) !== ';';
    const isKnown = VERBS.has(own[0]?.text.toUpperCase() ?? '') && !own.some((token) => BLOCK.test(token.text));
    return isKnown && client.length === 0 && !wasOther ? [{ ...span, tokens: own }] : [];
  });
}

function restOfLine(text: string, at: number): string {
  return (/.*/.exec(text.slice(at, at + LINE_LOOK))?.[0] ?? '').trim();
}

/** Whether only blanks stand before this place in its line. */
export function beginsLine(text: string, at: number): boolean {
  return /(?:^|[\r\n])[^\S\r\n]*$/.test(text.slice(Math.max(0, at - LINE_LOOK), at));
}
