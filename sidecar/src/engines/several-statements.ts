import type { RefusedStatement } from './engine.ts';

/** What a text with several statements is. `reason` replaces the usual sentence where the engine knows more. */
export function severalStatements(verb: string, reason = SEVERAL): RefusedStatement {
  return { effect: 'refused', verb, reason, isSeveral: true };
}

const SEVERAL = 'There are several statements. Send one statement per call.';
