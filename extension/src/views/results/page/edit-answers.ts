import type { ShownTableFacts } from '../page-messages.ts';

// The extension has parsed these answers.

/** What is known of the table that the rows are of. */
export function isFacts(answer: unknown): answer is ShownTableFacts {
  return typeof answer === 'object' && answer !== null && 'columns' in answer && 'links' in answer;
}

interface Statement {
  readonly change: number;
  readonly sql: string;
}

/** A change that was not applied, and why. */
export interface Conflict {
  readonly change: number;
  readonly message: string;
}

/** What a preview shows. */
export function statementsOf(answer: unknown): readonly Statement[] {
  return hasList<'statements', Statement>(answer, 'statements') ? answer.statements : [];
}

/** Empty when the changes were applied. */
export function conflictsOf(answer: unknown): readonly Conflict[] {
  return hasList<'conflicts', Conflict>(answer, 'conflicts') ? answer.conflicts : [];
}

function hasList<Name extends string, Item>(
  answer: unknown,
  name: Name,
): answer is { readonly [Key in Name]: readonly Item[] } {
  return typeof answer === 'object' && answer !== null && Array.isArray(Reflect.get(answer, name));
}
