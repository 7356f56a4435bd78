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
const MAX_INDENT = 100;
const DECIDES = 'has Ruby code that decides what the file contains; it is not run';
const SIGN = /^[%=#-]/;
const MARK = /erb_hole_(\d+)_end/;

/** What an `if` around a piece of the text comes to. */
interface Block {
  /** Whether the text inside is part of the file; undefined where only running code would say so. */
  readonly holds: boolean | undefined;
  /** Whether one of its branches held already. */
  readonly settled: boolean;
}

/** Whether a condition holds; undefined when that is not known. */
export type Decide = (condition: Expr) => boolean | undefined;

/**
 * Reads a template with ERB's `<%= %>`. Code that only assigns names is read, and an `if` that is decided is followed.
 * Other code that controls the text is a problem, because it is not run.
 */
export function readErb(source: string, decide: Decide = () => undefined): Erb {
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
  /** The blocks of code that are open around the text. */
  let blocks: readonly Block[] = [];
  const isKept = (): boolean => blocks.every(({ holds }) => holds === true);
  const isDropped = (): boolean => blocks.some(({ holds }) => holds === false);
  if (MARK.test(source)) problems.push({ line: 1, reason: 'has a string in place of an expression' });
  const replaced = ({ start, inside }: Tag): string => {
    const at = lineOf(start);
    const lines = '\n'.repeat(inside.split('\n').length - 1);
    const sign = SIGN.exec(inside)?.[0];
    if (sign === '#' || sign === '%') return lines;
    if (sign !== '=') {
      const assigned = assignmentsIn(inside);
      if (assigned !== undefined) {
        if (!isDropped()) assignments.push(...assigned);
        return lines;
      }
      const next = followed(blocks, inside, decide);
      if (next === undefined ? isKept() : beginsUnknown(blocks, next)) problems.push({ line: at, reason: DECIDES });
      blocks = next ?? blocks;
      return lines;
    }
    if (!isKept()) return lines;
    if (isWholeLine(source, start, inside)) {
      problems.push({ line: at, reason: DECIDES });
      return lines;
    }
    holes.push(parseExpression(inside.slice(1).replace(/-$/, '').trim(), 'ruby', at));
    return `erb_hole_${holes.length - 1}_end${lines}`;
  };
  const parts: string[] = [];
  let from = 0;
  for (const tag of tagsIn(source)) {
    parts.push(kept(source.slice(from, tag.start), isKept()), replaced(tag));
    from = tag.end;
  }
  const text = parts.join('') + kept(source.slice(from), isKept());
  return { text, problems, bindings: bindingsOf({ assignments }), split: (part) => splitAt(part, holes) };
}

/** Whether an expression is not a value but a setting with its name, or none: `<%= "url: #{x}" if x %>`. */
function isWholeLine(source: string, start: number, inside: string): boolean {
  const before = source.slice(Math.max(0, start - MAX_INDENT), start);
  return /(^|\n)[ \t]*$/.test(before) && /^=\s*["']\s*\w+:\s/.test(inside);
}

/** What stands in a block of code may not hold. */
function kept(text: string, holds: boolean): string {
  return holds ? text : '\n'.repeat(text.split('\n').length - 1);
}

/** The blocks that are open after a piece of code; undefined for code that only stands in one. */
function followed(blocks: readonly Block[], code: string, decide: Decide): readonly Block[] | undefined {
  const plain = code.replace(/^-|-$/g, '').trim();
  const [, word, behind = ''] = /^(if|unless|elsif|else|end)\b([^\n;]*)$/.exec(plain) ?? [];
  const condition = (): boolean | undefined => decide(parseExpression(behind.replace(/\bthen$/, '').trim(), 'ruby'));
  const last = blocks.at(-1);
  if (word === undefined) {
    const opened = blocksOpened(code);
    if (opened > 0) return [...blocks, ...Array.from({ length: opened }, () => UNKNOWN)];
    return opened < 0 && blocks.length > 0 ? blocks.slice(0, opened) : undefined;
  }
  if (word === 'if' || word === 'unless') {
    const truth = condition();
    const holds = truth === undefined ? undefined : truth === (word === 'if');
    return [...blocks, { holds, settled: holds === true }];
  }
  if (last === undefined) return undefined;
  const outer = blocks.slice(0, -1);
  if (word === 'end') return outer;
  // What follows a branch of which nothing is known is as unknown.
  if (last.holds === undefined) return blocks;
  if (last.settled) return [...outer, { holds: false, settled: true }];
  const holds = word === 'else' ? true : condition();
  return [...outer, { holds, settled: holds === true }];
}

/** Whether a part of the text begins of which nothing is known; what stands inside one that is left out says nothing. */
function beginsUnknown(before: readonly Block[], after: readonly Block[]): boolean {
  const at = after.findIndex(({ holds }) => holds !== true);
  const isUnknown = at !== -1 && after[at]?.holds === undefined;
  return isUnknown && (at >= before.length || before[at]?.holds !== undefined);
}

const UNKNOWN: Block = { holds: undefined, settled: false };

function blocksOpened(code: string): number {
  return (code.match(OPENS)?.length ?? 0) - (code.match(CLOSES)?.length ?? 0);
}

const OPENS = /(?:^|[;=(|&\n])[ \t]*(?:if|unless|case|while|until|for|begin|def|class|module)\b|\bdo\b/g;
const CLOSES = /\bend\b/g;

/** The names that a piece of code assigns; undefined where the code begins or ends a block around the text. */
function assignmentsIn(code: string): readonly Assignment[] | undefined {
  const plain = code.replace(/^-|-$/g, '').replaceAll(TEXT_ALONE, '');
  if (plain.length > MAX_CODE_CHARS || /^\s*(?:end|else|elsif|when|rescue|ensure|in)\b/.test(plain)) return undefined;
  if (blocksOpened(plain) !== 0) return undefined;
  const opened = plain.match(OPENS)?.length ?? 0;
  const { assignments, problems } = readProgram(plain, 'ruby');
  if (problems.length > 0) return undefined;
  // What is assigned inside a block may not be.
  return opened === 0 ? assignments : assignments.map((one) => ({ ...one, conditional: true }));
}

/** A text that stands for itself, as a comment of several lines: `<<-COMMENT` to the line `COMMENT`. */
const TEXT_ALONE = /^[ \t]*<<[-~]?(["']?)([A-Z_]{1,40})\1[ \t]*\n(?:.*\n)*?[ \t]*\2[ \t]*$/gm;

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
