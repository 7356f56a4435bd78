import { languageOf } from './languages.ts';
import { HOLE, type Literal, literalsOf } from './literals.ts';

/** A statement in a program's text: what `text` has at a place, the program has at `start` and that place. */
export interface SqlString {
  readonly start: number;
  readonly text: string;
  /** What follows the last string goes on with it: its last name may not be whole. */
  readonly goesOn: boolean;
}

/** A program's text is read from its beginning, so there is a limit. */
const MOST_CHARS = 256 * 1024;
const STATEMENT =
  /^(?:\s|\(|--[^\n]*\n)*(?:select|with|insert|update|delete|replace|merge|create|alter|drop|truncate|explain)\b/i;

/** The statement in the string at a place of a program, with the strings that are joined to it. */
export function sqlStringAt(languageId: string, program: string, offset: number): SqlString | undefined {
  const language = languageOf(languageId);
  if (language === undefined || program.length > MOST_CHARS) return undefined;
  const all = literalsOf(program, language).sort((one, other) => one.from - other.from);
  const at = all.findLastIndex(({ start, end }) => start <= offset && offset <= end);
  if (at < 0) return undefined;
  const joined = joinedStrings(all, at, (one, other) => language.joins.test(program.slice(one.to, other.from)));
  const [first, last] = [joined[0], joined[joined.length - 1]];
  if (first === undefined || last === undefined) return undefined;
  const text = joined.map((one, index) => blanksBefore(joined[index - 1], one) + one.text).join('');
  if (!STATEMENT.test(text)) return undefined;
  return { start: first.start, text, goesOn: language.goesOn.test(program.slice(last.to, last.to + 200)) };
}

/** Whether a name is known as it stands there: not in part made when the program runs. */
export function isWholeName(sql: SqlString, { start, end }: { readonly start: number; readonly end: number }): boolean {
  return !sql.text.slice(start, end).includes(HOLE) && !(sql.goesOn && end >= sql.text.length);
}

/** A string in another's hole is not joined to that one: it lies inside. */
function joinedStrings(
  all: readonly Literal[],
  at: number,
  areJoined: (one: Literal, other: Literal) => boolean,
): Literal[] {
  const [here] = all.slice(at, at + 1);
  if (here === undefined) return [];
  const joined = [here];
  for (let index = at - 1, first = here; index >= 0; index -= 1) {
    const before = all[index];
    if (before === undefined || before.to > first.from || !areJoined(before, first)) break;
    joined.unshift(before);
    first = before;
  }
  for (let index = at + 1, last = here; index < all.length; index += 1) {
    const after = all[index];
    if (after === undefined) break;
    if (after.from < last.to) continue;
    if (!areJoined(last, after)) break;
    joined.push(after);
    last = after;
  }
  return joined;
}

function blanksBefore(last: Literal | undefined, { start }: Literal): string {
  return last === undefined ? '' : ' '.repeat(start - last.end);
}
