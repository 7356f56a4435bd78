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
): readonly ObjectExpr[] {
  return keyedLiteralsWith({ tokens, language }, key, fits).map(({ object }) => object);
}

type ObjectExpr = Extract<Expr, { kind: 'object' }>;

/** The same with the key that each object stands under; '' where it stands under none. */
export function keyedLiteralsWith(
  { tokens, language }: Pick<Program, 'tokens' | 'language'>,
  key: string,
  fits: (value: Token | undefined) => boolean,
): readonly { readonly key: string; readonly object: ObjectExpr }[] {
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
    return expr.kind === 'object' ? [{ key: keyBefore(tokens, at), object: expr }] : [];
  });
}

function keyBefore(tokens: readonly Token[], at: number): string {
  const name = isMark(tokens[at - 1], ':') ? tokens[at - 2] : undefined;
  return name?.kind === 'name' || name?.kind === 'text' ? name.text : '';
}

function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === 'mark' && token.text === text;
}
