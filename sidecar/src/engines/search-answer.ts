import type { ToolOutput } from '@devdb/shared/tools';
import { MAX_SEARCH_MATCHES } from './limits.ts';

type Answer = ToolOutput<'search-schema'>;

/** The first of the matches, and their total number. */
export function searchAnswer(found: Answer['matches']): Answer {
  return {
    matches: found.slice(0, MAX_SEARCH_MATCHES),
    total: found.length,
    truncated: found.length > MAX_SEARCH_MATCHES,
  };
}
