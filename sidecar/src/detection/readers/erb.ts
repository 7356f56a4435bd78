import type { Expr } from './code/expression.ts';
import { parseExpression } from './code/parser.ts';
import type { Problem } from './located.ts';

/** A template with its expressions replaced by marks. */
export interface Erb {
  readonly text: string;
  readonly problems: readonly Problem[];
  /** Splits a piece of the text into its expressions and the plain text between them. */
  readonly split: (text: string) => readonly (string | Expr)[];
}

const SIGN = /^[%=#-]/;
const MARK = /erb_hole_(\d+)_end/;

/** Reads a template with ERB's `<%= %>`. Code that controls the text is a problem, because it is not run. */
export function readErb(source: string): Erb {
  const holes: Expr[] = [];
  const problems: Problem[] = [];
  let line = 1;
  let counted = 0;
  // Tags are visited in order.
  const lineOf = (at: number): number => {
    line += source.slice(counted, at).split('\n').length - 1;
    counted = at;
    return line;
  };
  if (MARK.test(source)) problems.push({ line: 1, reason: 'has a string in place of an expression' });
  const replaced = ({ start, inside }: Tag): string => {
    const at = lineOf(start);
    const lines = '\n'.repeat(inside.split('\n').length - 1);
    const sign = SIGN.exec(inside)?.[0];
    if (sign === '#' || sign === '%') return lines;
    if (sign !== '=') {
      problems.push({ line: at, reason: 'has Ruby code that decides what the file contains; it is not run' });
      return lines;
    }
    holes.push(parseExpression(inside.slice(1).replace(/-$/, '').trim(), 'ruby', at));
    return `erb_hole_${holes.length - 1}_end${lines}`;
  };
  const parts: string[] = [];
  let from = 0;
  for (const tag of tagsIn(source)) {
    parts.push(source.slice(from, tag.start), replaced(tag));
    from = tag.end;
  }
  return { text: parts.join('') + source.slice(from), problems, split: (part) => splitAt(part, holes) };
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
