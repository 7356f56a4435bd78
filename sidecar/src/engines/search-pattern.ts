import { nameMatcher } from './name-matcher.ts';

/** What a search looks at: names of its own, the table it belongs to, and its comment. */
export interface Searched {
  readonly names: readonly string[];
  readonly table?: string | undefined;
  readonly comment?: string | undefined;
}

/**
 * A search as people type it: `|` separates alternatives, and several words mean all of them. One of the words must be
 * in the thing's own name or comment; the others may be in the name of its table. A name that holds spaces or a bar is
 * found by these characters too.
 */
export function searchMatcher(pattern: string): (searched: Searched) => boolean {
  const whole = nameMatcher(pattern);
  const alternatives = alternativesIn(pattern).map(allWords);
  return (searched) => searched.names.some(whole) || alternatives.some((matches) => matches(searched));
}

/** The words of a search, for looking up names that are near. */
export function wordsOf(pattern: string): string[] {
  return alternativesIn(pattern).flatMap((words) => words.map((word) => word.replaceAll(/[*?]/g, '')));
}

function alternativesIn(pattern: string): string[][] {
  const alternatives = pattern.split('|').map((alternative) => alternative.split(/\s+/).filter((word) => word !== ''));
  return alternatives.filter((words) => words.length > 0);
}

function allWords(words: readonly string[]): (searched: Searched) => boolean {
  const each = words.map((word) => ({ inName: nameMatcher(word), inComment: nameMatcher(anywhere(word)) }));
  return ({ names, table, comment }) => {
    const own = each.map(
      ({ inName, inComment }) => names.some(inName) || (comment !== undefined && inComment(comment)),
    );
    return own.includes(true) && each.every(({ inName }, at) => own[at] || (table !== undefined && inName(table)));
  };
}

/** A comment is prose, so that a pattern may stand anywhere in it. */
function anywhere(word: string): string {
  return /[*?]/.test(word) ? `*${word}*` : word;
}
