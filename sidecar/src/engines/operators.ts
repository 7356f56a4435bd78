/** The part of a token that all dialects share. */
interface Piece {
  readonly kind: string;
  readonly text: string;
}

/** What a text that is not read any further begins with, in capitals. */
export function firstWord(sql: string): string {
  return /[A-Za-z]+/.exec(sql)?.[0].toUpperCase() ?? '';
}

/** Whether a token is this operator. */
export function isOperator(token: Piece | undefined, text: string): boolean {
  return token?.kind === 'operator' && token.text === text;
}

/** The position after the bracket that closes the one opened here. */
export function afterBrackets(tokens: readonly Piece[], from: number): number | undefined {
  if (!isOperator(tokens[from], '(')) return undefined;
  let depth = 0;
  for (let at = from; at < tokens.length; at++) {
    if (isOperator(tokens[at], '(')) depth += 1;
    if (isOperator(tokens[at], ')')) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return undefined;
}

/** The tokens without trailing semicolons. */
export function withoutLastSemicolons<T extends Piece>(tokens: readonly T[]): readonly T[] {
  let length = tokens.length;
  while (length > 0 && isOperator(tokens[length - 1], ';')) length -= 1;
  return tokens.slice(0, length);
}
