import type { Expr } from './expression.ts';
import { parsePartAt } from './parser.ts';
import type { Program } from './program.ts';

const VISIBILITY = /^(public|protected|private|var)$/;

/** The properties of a PHP program's classes and their values, e.g. `public array $default = [...]`. */
export function propertiesOf({ tokens, language }: Program): ReadonlyMap<string, Expr> {
  const properties = new Map<string, Expr>();
  let visible = -1;
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'name') continue;
    if (VISIBILITY.test(token.text)) visible = token.line;
    const sign = tokens[at + 1];
    if (!token.text.startsWith('$') || token.line !== visible || sign?.kind !== 'mark' || sign.text !== '=') continue;
    properties.set(token.text.slice(1), { ...parsePartAt(tokens, at + 2, language).expr, line: token.line });
  }
  return properties;
}
