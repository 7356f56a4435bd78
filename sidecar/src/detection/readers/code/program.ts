import { dirname } from 'node:path';
import type { Problem } from '../located.ts';
import { valueUnder } from './conditions.ts';
import { type Expr, nameOf } from './expression.ts';
import type { Language } from './languages.ts';
import { parseAt, parseOperandAt, parsePartAt } from './parser.ts';
import { PythonBlocks } from './python-blocks.ts';
import { functionAt } from './python-functions.ts';
import { casesOf } from './switch-cases.ts';
import { type Token, tokenize } from './tokens.ts';

/** A value assigned to a name. */
export interface Assignment {
  /** The left side, e.g. `DATABASES` or `module.exports`. */
  readonly target: string;
  readonly value: Expr;
  readonly line: number;
  /** Inside a block, so it may not be executed. */
  readonly conditional: boolean;
  /** When the block around it is executed, in Python. */
  readonly condition?: Expr | undefined;
  /** When the case of a `switch` around it is executed, in JavaScript. */
  readonly chosen?: Expr | undefined;
}

/** A name imported from another file by Python's `from`. */
export interface Import {
  readonly module: string;
  readonly everything: boolean;
  readonly names: readonly string[];
  readonly line: number;
}

/** What a program's text says without running it. */
export interface Program {
  readonly language: Language;
  readonly tokens: readonly Token[];
  readonly assignments: readonly Assignment[];
  readonly imports: readonly Import[];
  readonly problems: readonly Problem[];
}

const OPEN = /^[([{]$/;
const CLOSE = /^[)\]}]$/;
const PAIRS: ReadonlySet<string> = new Set(['()', '[]', '{}']);
const MAX_NESTING = 100;

/**
 * Reads a program: its assignments and imports. `file` is its absolute path. If the text cannot be followed, the result
 * is only a problem.
 */
export function readProgram(source: string, language: Language, file = ''): Program {
  const { tokens: plain, broken } = tokenize(source.replace(/^\uFEFF/, ''), language);
  const tokens = language === 'python' || file !== '' ? plain.map((token) => withFile(token, file)) : plain;
  const problem =
    broken === undefined
      ? bracketProblem(tokens)
      : { line: broken, reason: 'cannot be parsed from here: a string or comment is not closed' };
  if (problem) return { language, tokens: [], assignments: [], imports: [], problems: [problem] };
  const imports = language === 'python' ? pythonImports(tokens) : [];
  const assignments = language === 'python' ? pythonAssignments(tokens) : bracedAssignments(tokens, language);
  return { language, tokens, assignments, imports, problems: [] };
}

/** The calls of a function anywhere in a program, e.g. `DataSource` or `define`, with their bracket depth. */
export function callsOf(
  { tokens, language }: Program,
  name: string,
): readonly { readonly call: Extract<Expr, { kind: 'call' }>; readonly depth: number }[] {
  const calls: { call: Extract<Expr, { kind: 'call' }>; depth: number }[] = [];
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'mark') depth += OPEN.test(token.text) ? 1 : CLOSE.test(token.text) ? -1 : 0;
    if (token.kind !== 'name' || token.text !== name) continue;
    const before = tokens[at - 1];
    if (before?.kind === 'name' && (before.text === 'function' || before.text === 'class')) continue;
    if (before?.kind === 'mark' && /^(\.|\?\.|->|::)$/.test(before.text)) continue;
    const call = firstCall(parseOperandAt(tokens, at, language));
    if (call) calls.push({ call, depth });
  }
  return calls;
}

/** The exported value of a file: `export default`, `module.exports =`, PHP's `return`. The last one counts. */
export function exported({ assignments }: Pick<Program, 'assignments'>): Expr | undefined {
  const names = ['export default', 'module.exports', 'exports.default', 'export', 'return'];
  return assignments.findLast(({ target, conditional }) => names.includes(target) && !conditional)?.value;
}

/** Names and their values. A name assigned twice, or inside a block, has no certain value. */
export function bindingsOf({ assignments }: Pick<Program, 'assignments'>): ReadonlyMap<string, Expr> {
  const bindings = new Map<string, Expr>();
  for (const { target, value, conditional, chosen } of assignments) {
    const again = conditional || bindings.has(target);
    const unknown: Expr = { kind: 'unreadable', line: value.line };
    if (chosen === undefined) bindings.set(target, again ? unknown : value);
    else bindings.set(target, valueUnder(chosen, target, value, bindings.get(target)));
  }
  return bindings;
}

/** Brackets that do not match, or nest deeper than any settings do. */
function bracketProblem(tokens: readonly Token[]): Problem | undefined {
  const open: Token[] = [];
  for (const token of tokens) {
    if (token.kind !== 'mark') continue;
    if (OPEN.test(token.text)) open.push(token);
    const closed = CLOSE.test(token.text) ? open.pop() : undefined;
    const fits = !CLOSE.test(token.text) || (closed?.kind === 'mark' && PAIRS.has(closed.text + token.text));
    if (!fits) return { line: token.line, reason: 'cannot be parsed: a closing bracket without an opening one' };
    if (open.length > MAX_NESTING) return { line: token.line, reason: `is nested more than ${MAX_NESTING} deep` };
  }
  const [first] = open;
  return first && { line: first.line, reason: 'cannot be parsed: this bracket is not closed' };
}

/** Names read in one file may be used in another, and there `__file__` would be the other file. */
function withFile(token: Token, file: string): Token {
  if (token.kind !== 'name' || !/^__(file|FILE|DIR)__$/.test(token.text)) return token;
  const text = token.text === '__DIR__' ? dirname(file) : file;
  return { kind: 'text', text, line: token.line, column: token.column };
}

function firstCall(expr: Expr): Extract<Expr, { kind: 'call' }> | undefined {
  if (expr.kind === 'call') return expr;
  return expr.kind === 'member' ? firstCall(expr.of) : undefined;
}

function pythonImports(tokens: readonly Token[]): Import[] {
  const imports: Import[] = [];
  for (const [at, token] of tokens.entries()) {
    if (!isWord(token, 'from') || tokens[at - 1]?.line === token.line) continue;
    let module = '';
    let next = at + 1;
    for (; next < tokens.length; next += 1) {
      const part = tokens[next];
      if (part === undefined || part.line !== token.line || isWord(part, 'import')) break;
      module += part.kind === 'name' || part.kind === 'mark' ? part.text : '';
    }
    const what = tokens[next + 1];
    const everything = what?.kind === 'mark' && what.text === '*';
    if (isWord(tokens[next], 'import')) {
      imports.push({ module, everything, names: namesFrom(tokens, next + 1), line: token.line });
    }
  }
  return imports;
}

/** The names after `import`, on one line or in brackets. */
function namesFrom(tokens: readonly Token[], at: number): string[] {
  const names: string[] = [];
  const bracket = isMark(tokens[at], '(');
  for (let next = bracket ? at + 1 : at; next < tokens.length; next += 1) {
    const token = tokens[next];
    if (token === undefined || isMark(token, ')') || (!bracket && token.line !== tokens[at]?.line)) break;
    if (token.kind === 'name') names.push(token.text);
  }
  return names;
}

function pythonAssignments(tokens: readonly Token[]): Assignment[] {
  const assignments: Assignment[] = [];
  const blocks = new PythonBlocks(tokens);
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    const begins = depth === 0 && tokens[at - 1]?.line !== token.line;
    if (begins) blocks.enter(at);
    const given = begins && token.column === 0 ? functionAt(tokens, at) : undefined;
    if (given !== undefined) assignments.push({ ...given, line: token.line, conditional: false });
    if (begins && token.kind === 'name') {
      const assignment = assignmentAt(tokens, at, 'python', token.column > 0);
      if (assignment) assignments.push({ ...assignment, condition: blocks.condition(token.line) });
    }
    if (token.kind === 'mark') depth += OPEN.test(token.text) ? 1 : CLOSE.test(token.text) ? -1 : 0;
  }
  return assignments;
}

/** The assignments in tokens of a language with braces. */
export function bracedAssignments(tokens: readonly Token[], language: Language): Assignment[] {
  const assignments: Assignment[] = [];
  const cases = language === 'javascript' ? casesOf(tokens) : [];
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    const beginsCase = cases.some(({ from }) => at === from + 1);
    if (token.kind === 'name' && (beginsCase || beginsStatement(tokens, at))) {
      const assignment = statementAt(tokens, at, language, depth > 0);
      const chosen = depth === 1 ? cases.find(({ from, to }) => at > from && at < to)?.test : undefined;
      if (assignment) assignments.push(chosen === undefined ? assignment : { ...assignment, chosen });
    }
    if (token.kind === 'name' && isMark(tokens[at + 1], '{') && /^(const|let|var)$/.test(token.text)) {
      assignments.push(...takenApart(tokens, at + 1, language, depth > 0));
    }
    if (token.kind === 'mark') depth += OPEN.test(token.text) ? 1 : CLOSE.test(token.text) ? -1 : 0;
  }
  return assignments;
}

/** `const { A, b: B } = value` */
function takenApart(tokens: readonly Token[], at: number, language: Language, conditional: boolean): Assignment[] {
  const { expr, end } = parsePartAt(tokens, at, language);
  if (expr.kind !== 'object' || !isMark(tokens[end], '=')) return [];
  const of = parseAt(tokens, end + 1, language).expr;
  return [...expr.entries].flatMap(([key, inner]): Assignment[] => {
    const { line } = inner;
    if (inner.kind !== 'name') return [];
    const value: Expr = { kind: 'member', line, of, key: { kind: 'value', line, value: key } };
    return [{ target: inner.name, value, line, conditional }];
  });
}

function beginsStatement(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  if (before === undefined || before.line !== tokens[at]?.line) return true;
  if (before.kind === 'mark') return /^[;{})]$/.test(before.text);
  return before.kind === 'name' && /^(const|let|var|export|else)$/.test(before.text);
}

function statementAt(
  tokens: readonly Token[],
  at: number,
  language: Language,
  conditional: boolean,
): Assignment | undefined {
  const line = tokens[at]?.line ?? 1;
  if (isWord(tokens[at], 'export') && isWord(tokens[at + 1], 'default')) {
    return { target: 'export default', value: parseAt(tokens, at + 2, language).expr, line, conditional };
  }
  if (language === 'php' && isWord(tokens[at], 'return')) {
    return { target: 'return', value: parseAt(tokens, at + 1, language).expr, line, conditional };
  }
  return assignmentAt(tokens, at, language, conditional);
}

/** `target = value`, with or without a type in between. */
function assignmentAt(
  tokens: readonly Token[],
  at: number,
  language: Language,
  conditional: boolean,
): Assignment | undefined {
  const { expr, end } = targetAt(tokens, at, language);
  const target = nameOf(expr);
  const sign = afterType(tokens, end, language);
  const mark = tokens[sign];
  if (target === undefined || mark?.kind !== 'mark' || !/^([+.-]|\?\?|\|\|)?=$/.test(mark.text)) return undefined;
  const { line } = expr;
  if (mark.text !== '=') return { target, value: { kind: 'unreadable', line }, line, conditional };
  return { target, value: parseAt(tokens, sign + 1, language).expr, line, conditional };
}

/** A target: only names, dots and plain indexes. */
function targetAt(tokens: readonly Token[], at: number, language: Language): { expr: Expr; end: number } {
  let end = at + 1;
  for (;;) {
    const mark = tokens[end];
    const next = tokens[end + 1];
    if (mark?.kind !== 'mark') break;
    if ((mark.text === '.' || mark.text === '->') && next?.kind === 'name') end += 2;
    else if (mark.text === '[' && next?.kind === 'text' && isMark(tokens[end + 2], ']')) end += 3;
    else break;
  }
  return { expr: parseAt(tokens.slice(at, end), 0, language).expr, end };
}

/** Skips `: Type`, which ends at the assignment's sign. */
function afterType(tokens: readonly Token[], at: number, language: Language): number {
  if (!isMark(tokens[at], ':') || language === 'php') return at;
  let depth = 0;
  for (let next = at + 1; next < Math.min(at + 80, tokens.length); next += 1) {
    const token = tokens[next];
    if (token?.kind !== 'mark') continue;
    if (/^[([{<]$/.test(token.text)) depth += 1;
    if (/^[)\]}>]$/.test(token.text)) depth -= 1;
    if (depth < 0 || token.text === ';') return at;
    if (depth === 0 && token.text === '=') return next;
  }
  return at;
}

function isWord(token: Token | undefined, text: string): boolean {
  return token?.kind === 'name' && token.text === text;
}

function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === 'mark' && token.text === text;
}
