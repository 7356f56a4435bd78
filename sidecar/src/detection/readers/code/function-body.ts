import { parseAt } from './parser.ts';
import { type Assignment, bracedAssignments, type Program } from './program.ts';
import type { Token } from './tokens.ts';

const MAX_PARAMETERS = 60;

/** The body of the arrow function that a JavaScript file exports, as a program whose result is a `return`. */
export function exportedFunction(program: Program): Program | undefined {
  const { tokens } = program;
  const begin = tokens.findIndex((token, at) => exports(token, tokens[at + 1]));
  const arrow = begin === -1 ? undefined : arrowAfter(tokens, begin);
  return arrow === undefined ? undefined : bodyAfter(program, arrow);
}

/** The functions that `registerAs(name, () => ...)` gives names to, as programs whose result is a `return`. */
export function registeredFunctions(program: Program): readonly { readonly name: string; readonly program: Program }[] {
  const { tokens } = program;
  return tokens.flatMap((token, at) => {
    if (token.kind !== 'name' || token.text !== 'registerAs') return [];
    // A type may stand before the bracket.
    const open = tokens.slice(at, at + MAX_PARAMETERS).findIndex((one) => isMark(one, '('));
    const name = tokens[at + open + 1];
    if (open === -1 || name?.kind !== 'text' || !isMark(tokens[at + open + 2], ',')) return [];
    const arrow = arrowAfter(tokens, at + open + 3);
    return arrow === undefined ? [] : [{ name: name.text, program: bodyAfter(program, arrow) }];
  });
}

/** What an arrow function does. */
function bodyAfter({ tokens, language }: Program, arrow: number): Program {
  const opening = tokens[arrow + 1];
  if (!isMark(opening, '{')) {
    const value = parseAt(tokens, arrow + 1, language).expr;
    const assignments = [{ target: 'return', value, line: value.line, conditional: false }];
    return { language, tokens: [], assignments, imports: [], problems: [] };
  }
  const body = inside(tokens, arrow + 1);
  const assignments = [...bracedAssignments(body, language), ...returnsIn(body, language)];
  return { language, tokens: body, assignments, imports: [], problems: [] };
}

/** `export default` and `module.exports` */
function exports(token: Token, next: Token | undefined): boolean {
  if (token.kind !== 'name') return false;
  if (token.text === 'export') return next?.kind === 'name' && next.text === 'default';
  return token.text === 'module' && isMark(next, '.');
}

function arrowAfter(tokens: readonly Token[], from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < Math.min(from + MAX_PARAMETERS, tokens.length); at += 1) {
    const token = tokens[at];
    if (token?.kind !== 'mark') continue;
    if (/^[([{]$/.test(token.text)) depth += 1;
    if (/^[)\]}]$/.test(token.text)) depth -= 1;
    if (token.text === '=>' && depth === 0) return at;
  }
  return undefined;
}

function inside(tokens: readonly Token[], open: number): readonly Token[] {
  let depth = 0;
  for (let at = open; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (isMark(token, '{')) depth += 1;
    if (isMark(token, '}')) depth -= 1;
    if (depth === 0) return tokens.slice(open + 1, at);
  }
  return [];
}

/** Only what certainly is returned: not in a condition. */
function returnsIn(tokens: readonly Token[], language: Program['language']): Assignment[] {
  const found: Assignment[] = [];
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'mark' && /^[([{]$/.test(token.text)) depth += 1;
    if (token.kind === 'mark' && /^[)\]}]$/.test(token.text)) depth -= 1;
    if (depth > 0 || token.kind !== 'name' || token.text !== 'return') continue;
    found.push({
      target: 'return',
      value: parseAt(tokens, at + 1, language).expr,
      line: token.line,
      conditional: false,
    });
  }
  return found;
}

function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === 'mark' && token.text === text;
}
