import type { Assignment, Program } from './program.ts';
import type { Token } from './tokens.ts';

/** A class of a Python module and what its body assigns. */
export interface PythonClass {
  readonly name: string;
  /** The last part of each base's name. */
  readonly bases: readonly string[];
  readonly assignments: readonly Assignment[];
}

const MAX_HEAD = 100;
const MAX_CLASSES = 50;

/** The first classes of a module, in order. Only assignments directly in a class's body count. */
export function classesOf(program: Program): readonly PythonClass[] {
  const columns = columnsOf(program.tokens);
  const begins = [...program.tokens.entries()].filter(
    ([, token]) => token.kind === 'name' && token.text === 'class' && token.column === 0,
  );
  return begins.slice(0, MAX_CLASSES).flatMap(([at]): PythonClass[] => {
    const name = program.tokens[at + 1];
    if (name?.kind !== 'name') return [];
    const { bases, end } = headOf(program.tokens, at + 2);
    const first = program.tokens[end];
    if (first === undefined) return [];
    const last = lastLine(program.tokens, end);
    const assignments = program.assignments.filter(
      ({ line }) => line >= first.line && line <= last && columns.get(line) === first.column,
    );
    return [{ name: name.text, bases, assignments: assignments.map((one) => ({ ...one, conditional: false })) }];
  });
}

/** The lines that stand directly in a function, under no condition. */
export function linesInFunctions({ tokens }: Program): ReadonlySet<number> {
  const lines = new Set<number>();
  const open: Token[] = [];
  for (const [at, token] of tokens.entries()) {
    if (tokens[at - 1]?.line === token.line) continue;
    while (open.length > 0 && (open.at(-1)?.column ?? 0) >= token.column) open.pop();
    const head = open.at(-1);
    if (head?.kind === 'name' && (head.text === 'def' || head.text === 'async')) lines.add(token.line);
    open.push(token);
  }
  return lines;
}

/** The column where each line begins. */
function columnsOf(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const columns = new Map<number, number>();
  for (const { line, column } of tokens) if (!columns.has(line)) columns.set(line, column);
  return columns;
}

/** Reads `(Base, other.Base):`; ends at the first token of the body. */
function headOf(tokens: readonly Token[], from: number): { readonly bases: readonly string[]; readonly end: number } {
  const bases: string[] = [];
  let depth = 0;
  for (let at = from; at < Math.min(from + MAX_HEAD, tokens.length); at += 1) {
    const token = tokens[at];
    if (token?.kind === 'mark' && token.text === '(') depth += 1;
    if (token?.kind === 'mark' && token.text === ')') depth -= 1;
    if (depth === 0 && token?.kind === 'mark' && token.text === ':') return { bases, end: at + 1 };
    const next = tokens[at + 1];
    if (token?.kind === 'name' && next?.kind === 'mark' && /^[,)]$/.test(next.text)) bases.push(token.text);
  }
  return { bases, end: tokens.length };
}

/** The last line before the next statement of the module. */
function lastLine(tokens: readonly Token[], from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token === undefined) break;
    if (depth === 0 && token.column === 0 && tokens[at - 1]?.line !== token.line) return token.line - 1;
    if (token.kind === 'mark' && /^[([{]$/.test(token.text)) depth += 1;
    if (token.kind === 'mark' && /^[)\]}]$/.test(token.text)) depth -= 1;
  }
  return Number.POSITIVE_INFINITY;
}
