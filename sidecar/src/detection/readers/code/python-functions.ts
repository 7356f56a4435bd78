import type { Expr } from './expression.ts';
import { parametersAt, parsePartAt } from './parser.ts';
import type { Token } from './tokens.ts';

/** The function of a module that begins at a token, if all it does is to give back a value: `def here(x): return x`. */
export function functionAt(
  tokens: readonly Token[],
  at: number,
): { readonly target: string; readonly value: Expr } | undefined {
  const name = tokens[at + 1];
  if (!isName(tokens[at], 'def') || name?.kind !== 'name' || !isMark(tokens[at + 2], '(')) return undefined;
  const head = parametersAt(tokens, at + 3);
  if (head === undefined || !isMark(tokens[head.end], ':')) return undefined;
  const { names, others } = head;
  const comment = tokens[head.end + 1]?.kind === 'text' ? 1 : 0;
  const begin = head.end + 1 + comment;
  if (!isName(tokens[begin], 'return')) return undefined;
  const { expr, end } = parsePartAt(tokens, begin + 1, 'python');
  const next = tokens[end];
  const isAll = next === undefined || (next.column === 0 && next.line > expr.line);
  const { line } = name;
  return isAll ? { target: name.text, value: { kind: 'function', line, names, others, body: expr } } : undefined;
}

function isName(token: Token | undefined, text: string): boolean {
  return token?.kind === 'name' && token.text === text;
}

function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === 'mark' && token.text === text;
}
