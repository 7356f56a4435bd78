import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Located, Problem, Reading } from './located.ts';

/** The parser recurses at each level, so a file of brackets alone would overflow its stack. */
const MAX_DEPTH = 64;
/** A file with more is not a settings file. */
const MAX_MISTAKES = 1_000;

/** The text itself is not quoted: it may be part of a password. */
const REASONS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'needs double quotes around a name or text here',
  InvalidNumberFormat: 'has an invalid number',
  PropertyNameExpected: 'needs a name in double quotes or "}" here',
  ValueExpected: 'needs a value here',
  ColonExpected: 'needs ":" here',
  CommaExpected: 'needs "," here',
  CloseBraceExpected: 'needs "," or "}" here',
  CloseBracketExpected: 'needs "," or "]" here',
  EndOfFileExpected: 'needs the end of the file here',
  UnexpectedEndOfComment: 'has a comment that is not closed',
  UnexpectedEndOfString: 'has a string that is not closed',
  InvalidUnicode: 'has "\\u" without four hex digits',
  InvalidEscapeCharacter: 'has an unknown escape (write "\\\\" for a backslash)',
};
const AT_THE_END: Readonly<Record<string, string>> = {
  PropertyNameExpected: 'ends where a name in double quotes or "}" is missing',
  ValueExpected: 'ends where a value is missing',
  ColonExpected: 'ends where ":" is missing',
  CloseBraceExpected: 'ends where "," or "}" is missing',
  CloseBracketExpected: 'ends where "," or "]" is missing',
};

/** Reads JSON with comments and trailing commas. Elements of an outer array that contain a mistake are left out. */
export function readJsonc(text: string): Reading {
  const deep = tooDeep(text);
  const lineOf = lines(text);
  const broken = (at: number, reason: string): Problem => ({
    line: lineOf(at),
    reason: `not valid JSON: it ${reason}`,
  });
  if (deep !== undefined)
    return { value: undefined, problems: [broken(deep, `is nested more than ${MAX_DEPTH} deep`)] };
  const { root, errors } = parse(text);
  const problemOf = (error: ParseError) => broken(error.offset, reasonOf(error, text));
  if (errors.length > MAX_MISTAKES) return { value: undefined, problems: errors.slice(0, 1).map(problemOf) };
  if (root?.type === 'array') return readList(root, errors, lineOf, problemOf);
  const value = errors.length === 0 && root !== undefined ? located(root, lineOf) : undefined;
  return { value, problems: errors.slice(0, 1).map(problemOf) };
}

function parse(text: string): { readonly root: Node | undefined; readonly errors: readonly ParseError[] } {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  // Tabs inside strings are accepted.
  return { root, errors: errors.filter(({ error }) => printParseErrorCode(error) !== 'InvalidCharacter') };
}

function tooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const char = text[scanner.getTokenOffset()];
    if (char === '{' || char === '[') depth += 1;
    if (char === '}' || char === ']') depth -= 1;
    if (depth > MAX_DEPTH) return scanner.getTokenOffset();
  }
  return undefined;
}

type LineOf = (offset: number) => number;

/** One mistake causes others after it, so only the first in each element is reported. */
function readList(
  root: Node,
  errors: readonly ParseError[],
  lineOf: LineOf,
  problemOf: (error: ParseError) => Problem,
): Reading {
  const { children = [] } = root;
  const offsets = children.map(({ offset }) => offset);
  const wrong = new Map<Node | number, ParseError>();
  for (const error of errors) {
    const before = children[countUpTo(offsets, error.offset) - 1];
    const place = before !== undefined && holds(before, error.offset) ? before : error.offset;
    if (!wrong.has(place)) wrong.set(place, error);
  }
  const items = children.filter((child) => !wrong.has(child)).map((child) => located(child, lineOf));
  return { value: { kind: 'array', line: lineOf(root.offset), items }, problems: [...wrong.values()].map(problemOf) };
}

/** An unclosed value has no length. */
function holds({ offset, length }: Node, at: number): boolean {
  return length < 0 || at < offset + length;
}

function located(node: Node, lineOf: LineOf): Located {
  const line = lineOf(node.offset);
  const { type, children = [] } = node;
  if (type === 'array') return { kind: 'array', line, items: children.map((child) => located(child, lineOf)) };
  if (type !== 'object') return { kind: 'scalar', line, value: node.value };
  const entries = children.flatMap(({ children: [name, value] = [] }): [string, Located][] =>
    name === undefined || value === undefined ? [] : [[String(name.value), located(value, lineOf)]],
  );
  return { kind: 'object', line, entries: new Map(entries) };
}

function reasonOf({ error, offset }: ParseError, text: string): string {
  const code = printParseErrorCode(error);
  const isAtEnd = offset >= text.trimEnd().length;
  return (isAtEnd ? AT_THE_END[code] : undefined) ?? REASONS[code] ?? 'has a mistake here';
}

/** The line number of an offset, starting at 1. */
function lines(text: string): LineOf {
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  return (offset) => countUpTo(ends, offset - 1) + 1;
}

/** How many of the sorted numbers are at most this one. */
function countUpTo(sorted: readonly number[], most: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? most) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}
