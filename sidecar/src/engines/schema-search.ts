import type { ToolInput, ToolOutput } from '@devdb/shared/tools';
import { MAX_SEARCH_MATCHES, SEARCH_COMMENT_CHARS } from './limits.ts';
import { nearNames } from './near-names.ts';
import { searchMatcher, wordsOf } from './search-pattern.ts';

type Answer = ToolOutput<'search-schema'>;
type Match = Answer['matches'][number];

/** Something in a schema that has a name, as a search's answer shows it, with the whole comment on it. */
export interface Candidate extends Omit<Match, 'comment'> {
  readonly comment?: string | undefined;
}

/** Those that match, in their order; where none does, the names that are near. */
export function searched(
  candidates: readonly Candidate[],
  pattern: string,
  kind: ToolInput<'search-schema'>['kind'],
): Answer {
  const matches = searchMatcher(pattern);
  const found = candidates.flatMap((one) => {
    if (kind !== undefined && kind !== one.kind) return [];
    const { comment, ...match } = one;
    const named = { names: namesOf(one), table: one.table };
    if (matches(named)) return match;
    // A comment is shown where it is why something was found.
    return comment !== undefined && matches({ ...named, comment }) ? { ...match, comment: shortened(comment) } : [];
  });
  const answer = {
    matches: found.slice(0, MAX_SEARCH_MATCHES),
    total: found.length,
    truncated: found.length > MAX_SEARCH_MATCHES,
  };
  if (found.length > 0) return answer;
  const near = near5(candidates, pattern);
  return near.length === 0 ? answer : { ...answer, near };
}

/**
 * A column is only found by its own name; a table, view or routine with and without its schema; an index and a key by
 * their columns and what they refer to, too.
 */
function namesOf({ kind, name, type = '' }: Candidate): string[] {
  if (kind === 'index' || kind === 'key') return [name, type.slice(type.indexOf('('))];
  const point = kind === 'table' || kind === 'view' || kind === 'routine' ? name.indexOf('.') : -1;
  return point < 0 ? [name] : [name, name.slice(point + 1)];
}

function shortened(comment: string): string {
  return comment.length > SEARCH_COMMENT_CHARS ? `${comment.slice(0, SEARCH_COMMENT_CHARS)}…` : comment;
}

/** Whatever kind was asked for: the name may be there as another. */
function near5(candidates: readonly Candidate[], pattern: string): string[] {
  const names = [...new Set(candidates.flatMap(({ kind, name }) => (kind === 'key' ? [] : name)))];
  return [...new Set(wordsOf(pattern).flatMap((word) => nearNames(word, names)))].slice(0, MOST_NEAR);
}

const MOST_NEAR = 5;
