import type { Expr } from './code/expression.ts';
import { parseExpression } from './code/parser.ts';
import { type Assignment, bindingsOf, readProgram } from './code/program.ts';
import type { Problem } from './located.ts';

/** A template with its expressions replaced by marks. */
export interface Erb {
  readonly text: string;
  readonly problems: readonly Problem[];
  /** What its code assigns to names. */
  readonly bindings: ReadonlyMap<string, Expr>;
  /** Splits a piece of the text into its expressions and the plain text between them. */
  readonly split: (text: string) => readonly (string | Expr)[];
}

/** No settings file has a longer preamble. */
const MAX_CODE_CHARS = 8_192;
const SIGN = /^[%=#-]/;
const MARK = /erb_hole_(\d+)_end/;

/** Reads a template with ERB's `<%= %>`. Code that controls the text is a problem, because it is not run; code
 * that only assigns names is read. */
export function readErb(source: string): Erb {
  const holes: Expr[] = [];
  const problems: Problem[] = [];
  const assignments: Assignment[] = [];
  let line = 1;
  let counted = 0;
  // Tags are visited in order.
  const lineOf = (at: number): number => {
    line += source.slice(counted, at).split('\n').length - 1;
    counted = at;
    return line;
  };
  /** How many blocks of code are open around the text. */
  let depth = 0;
  if (MARK.test(source)) problems.push({ line: 1, reason: 'has a string in place of an expression' });
  const replaced = ({ start, inside }: Tag): string => {
    const at = lineOf(start);
    const lines = '\n'.repeat(inside.split('\n').length - 1);
    const sign = SIGN.exec(inside)?.[0];
    if (sign === '#' || sign === '%') return lines;
    if (sign !== '=') {
      const assigned = assignmentsIn(inside);
      if (assigned !== undefined) assignments.push(...assigned);
      else if (depth === 0)
        problems.push({ line: at, reason: 'has Ruby code that decides what the file contains; it is not run' });
      if (assigned === undefined) depth = Math.max(0, depth + blocksOpened(inside));
      return lines;
    }
    if (depth > 0) return lines;
    holes.push(parseExpression(inside.slice(1).replace(/-$/, '').trim(), 'ruby', at));
    return `erb_hole_${holes.length - 1}_end${lines}`;
  };
  const parts: string[] = [];
  let from = 0;
  for (const tag of tagsIn(source)) {
    parts.push(kept(source.slice(from, tag.start), depth), replaced(tag));
    from = tag.end;
  }
  const text = parts.join('') + kept(source.slice(from), depth);
  return { text, problems, bindings: bindingsOf({ assignments }), split: (part) => splitAt(part, holes) };
}

/** What stands in a block of code may not hold. */
function kept(text: string, depth: number): string {
  return depth === 0 ? text : '\n'.repeat(text.split('\n').length - 1);
}

function blocksOpened(code: string): number {
  return (code.match(OPENS)?.length ?? 0) - (code.match(CLOSES)?.length ?? 0);
}

const OPENS = /(?:^|[;=(|&\n])[ \t]*(?:if|unless|case|while|until|for|begin|def|class|module)\b|\bdo\b/g;
const CLOSES = /\bend\b/g;

/** The names that a piece of code assigns; undefined where the code begins or ends a block around the text. */
function assignmentsIn(code: string): readonly Assignment[] | undefined {
  const plain = code.replace(/^-|-$/g, '');
  if (plain.length > MAX_CODE_CHARS || /^\s*(?:end|else|elsif|when|rescue|ensure|in)\b/.test(plain)) return undefined;
  if (blocksOpened(plain) !== 0) return undefined;
  const opened = plain.match(OPENS)?.length ?? 0;
  const { assignments, problems } = readProgram(plain, 'ruby');
  if (problems.length > 0) return undefined;
  // What is assigned inside a block may not be.
  return opened === 0 ? assignments : assignments.map((one) => ({ ...one, conditional: true }));
}

interface Tag {
  readonly start: number;
  readonly end: number;
  /** Between `<%` and `%>`. */
  readonly inside: string;
}

/** An unclosed tag does not count, nor does any after it. */
function* tagsIn(source: string): Generator<Tag> {
  for (let end = 0; ; ) {
    const start = source.indexOf('<%', end);
    const close = start === -1 ? -1 : source.indexOf('%>', start + 2);
    if (close === -1) return;
    end = close + 2;
    yield { start, end, inside: source.slice(start + 2, close) };
  }
}

function splitAt(text: string, holes: readonly Expr[]): readonly (string | Expr)[] {
  return text.split(/(erb_hole_\d+_end)/).flatMap((part): (string | Expr)[] => {
    const index = MARK.exec(part)?.[1];
    const hole = index === undefined ? undefined : holes[Number(index)];
    if (hole) return [hole];
    return part === '' ? [] : [part];
  });
}
