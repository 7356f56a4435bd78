import type { Expr } from './expression.ts';
import { parseOperandAt } from './parser.ts';
import type { Program } from './program.ts';
import type { Token } from './tokens.ts';

const OPEN = /^[([{]$/;
const CLOSE = /^[)\]}]$/;
const MAX_LITERALS = 40;

/** The objects anywhere in a program, also in functions, that have a key whose value `fits`. */
export function literalsWith(
  { tokens, language }: Program,
  key: string,
  fits: (value: Token | undefined) => boolean,
): readonly Extract<Expr, { kind: 'object' }>[] {
  const open: number[] = [];
  const starts = new Set<number>();
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'mark' && OPEN.test(token.text)) open.push(at);
    else if (token.kind === 'mark' && CLOSE.test(token.text)) open.pop();
    const isKey = (token.kind === 'name' || token.kind === 'text') && token.text === key && isMark(tokens[at + 1], ':');
    const around = open.at(-1);
    if (!isKey || around === undefined || !isMark(tokens[around], '{') || !fits(tokens[at + 2])) continue;
    if (starts.size < MAX_LITERALS) starts.add(around);
  }
  return [...starts].flatMap((at) => {
    const expr = parseOperandAt(tokens, at, language);
    return expr.kind === 'object' ? [expr] : [];
  });
}

function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === 'mark' && token.text === text;
}
