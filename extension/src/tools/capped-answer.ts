import type { Capped } from '@devdb/shared/capped';

/** What is kept, and the two fields with which every answer says whether that is all. */
export function capped<Kept>(result: Capped<Kept>): { kept: Kept; truncated: boolean; rest?: string } {
  const { kept } = result;
  return result.truncated ? { kept, truncated: true, rest: result.rest } : { kept, truncated: false };
}
