import type { Expr } from './code/expression.ts';
import { parseExpression } from './code/parser.ts';
import type { Problem } from './located.ts';

/** A template whose expressions have been taken out: each left a mark in the text. */
export interface Erb {
  readonly text: string;
  readonly problems: readonly Problem[];
  /** The expressions in a piece of the text, between what is plain. */
  readonly split: (text: string) => readonly (string | Expr)[];
}

const TAG = /<%([%=#-]?)([\s\S]*?)-?%>/g;
const MARK = /erb_hole_(\d+)_end/;

/** Reads a template with ERB's `<%= %>`. Code that decides what stands in the text is a problem: it is not run. */
export function readErb(source: string): Erb {
  const holes: Expr[] = [];
  const problems: Problem[] = [];
  let line = 1;
  let counted = 0;
  // Tags come in their order.
  const lineOf = (at: number): number => {
    line += source.slice(counted, at).split('\n').length - 1;
    counted = at;
    return line;
  };
  if (MARK.test(source)) problems.push({ line: 1, reason: 'holds a text that stands for an expression' });
  const text = source.replace(TAG, (tag: string, sign: string, code: string, position: number) => {
    const at = lineOf(position);
    const lines = '\n'.repeat(tag.split('\n').length - 1);
    if (sign === '#' || sign === '%') return lines;
    if (sign !== '=') {
      problems.push({ line: at, reason: 'holds Ruby code that decides what is in the file; it is not run' });
      return lines;
    }
    holes.push(parseExpression(code.trim(), 'ruby', at));
    return `erb_hole_${holes.length - 1}_end${lines}`;
  });
  return { text, problems, split: (part) => splitAt(part, holes) };
}

function splitAt(text: string, holes: readonly Expr[]): readonly (string | Expr)[] {
  return text.split(/(erb_hole_\d+_end)/).flatMap((part): (string | Expr)[] => {
    const index = MARK.exec(part)?.[1];
    const hole = index === undefined ? undefined : holes[Number(index)];
    if (hole) return [hole];
    return part === '' ? [] : [part];
  });
}
