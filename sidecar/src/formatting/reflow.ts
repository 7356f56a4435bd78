import type { SqlToken } from '../engines/sql-reader.ts';

/** A text with its tokens. */
export interface Read {
  readonly text: string;
  readonly tokens: readonly SqlToken[];
}

const WORDLIKE = /[\p{L}\p{N}\p{M}_$@#"'`[\]\\\u0080-\uFFFF]/u;
/** A colon after one of these does not belong to what precedes it. */
const BEFORE_COLON = /[,(=<>+*/|-]/;
const BLANKS = /\s+/g;

/**
 * The tokens of a statement with the blanks of another text that has the same ones. Undefined where it has others, or
 * other comments. Blanks that may mean something stay as they are.
 */
export function reflow(statement: Read, laid: Read, clientWord: RegExp, lineEnd: string): string | undefined {
  if (statement.tokens.length !== laid.tokens.length) return undefined;
  let text = '';
  for (const [at, token] of statement.tokens.entries()) {
    const other = laid.tokens[at];
    if (other?.text !== token.text) return undefined;
    const last = statement.tokens[at - 1];
    const lastOther = laid.tokens[at - 1];
    if (last !== undefined && lastOther !== undefined) {
      const own = statement.text.slice(last.end, token.start);
      const proposed = laid.text.slice(lastOther.end, other.start);
      if (withoutBlanks(own) !== withoutBlanks(proposed)) return undefined;
      const wouldObey = proposed.includes('\n') && clientWord.test(token.text);
      const keeps = wouldObey || mayMean(own, proposed, last.text, token.text);
      text += keeps ? own : proposed.replace(/\r?\n/g, lineEnd);
    }
    text += token.text;
  }
  return text;
}

export function withoutBlanks(text: string): string {
  return text.replace(BLANKS, '');
}

/**
 * Whether it may make a difference which of the two stands between two tokens. `x'41'` is bytes and `x '41'` a column;
 * `COUNT (*)` is no call in MySQL; two strings on two lines are one string in Postgres.
 */
function mayMean(own: string, proposed: string, before: string, after: string): boolean {
  const [left, right] = [before.at(-1) ?? '', after.charAt(0)];
  if (left === "'" && right === "'") return true;
  if ((own === '') === (proposed === '')) return false;
  if (left === '.' || right === '.' || before === ':') return true;
  if (/^:(?![:=])/.test(after)) return !BEFORE_COLON.test(left);
  if (WORDLIKE.test(left)) return WORDLIKE.test(right) || right === '(';
  // Symbols that stand apart may be another symbol together.
  return proposed === '' && !/[(),;]/.test(left) && !/[(),;]/.test(right);
}
