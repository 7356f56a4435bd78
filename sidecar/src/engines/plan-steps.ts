import type { CostedNode } from '@devdb/shared/plans';

/** How many rows a table has: by the server's own estimate, or counted up to a bound. */
export type TableSize = { readonly about: number } | { readonly atLeast: number };

/** What a plan is judged by and callers do not see. An engine fills in what it knows. */
export interface PlanSigns {
  /** What conditions call the table that the step reads. */
  readonly alias?: string | undefined;
  /** The condition that joins its rows to those of another table. */
  readonly joinedBy?: string | undefined;
  /** Of the table that the step reads all of. */
  readonly tableSize?: TableSize | undefined;
  /** What the rows read are checked by, and how many of them it keeps, where that is known. */
  readonly filter?: { readonly condition: string; readonly keeps?: number | undefined } | undefined;
  /** Rows are found without an index, so that each is compared, or an index is built for this one run. */
  readonly lacksIndex?: { readonly why: 'joined' | 'built'; readonly on?: string | undefined } | undefined;
  /** The step runs once for each row of another table, of which there may be so many. */
  readonly oncePer?: { readonly table?: string | undefined; readonly rows?: number | undefined } | undefined;
  /** What the server expected of all runs of the step together, as `actualRows` counts them. */
  readonly expectedRows?: number | undefined;
  readonly sort?: { readonly by?: string | undefined; readonly onDisk?: boolean } | undefined;
}

/** A step of a plan as an engine reads it from its server. */
export interface PlanStep extends CostedNode {
  readonly signs?: PlanSigns | undefined;
  readonly children: readonly PlanStep[];
}

/** An index that the server itself asks for. */
export interface WantedIndex {
  readonly table: string;
  readonly columns: string;
  readonly savesPercent: number;
  /** The statement that creates it. */
  readonly create: string;
}

/** An index that no server asked for by itself, and what speaks for it. */
export interface NamedIndex {
  readonly table: string;
  /** As a person writes it: `orders (customer_id, placed_on)`. */
  readonly index: string;
  /** The statement that creates it. */
  readonly create: string;
  /** What the engine does with it, where it was planned with it; otherwise it is a guess from the plan's conditions. */
  readonly tried?: { readonly engine: string; readonly does: string } | undefined;
}

/** A comparison that converts a column, in the server's words. */
export interface Conversion {
  readonly what: string;
  readonly table?: string | undefined;
}

/** A plan as an engine reads it, before it is judged. */
export interface EnginePlan {
  readonly steps: readonly PlanStep[];
  readonly wantedIndexes?: readonly WantedIndex[] | undefined;
  readonly conversions?: readonly Conversion[] | undefined;
  /** The statement that brings the statistics of a table up to date. */
  readonly refreshesStatistics?: string | undefined;
}

/** All steps, parents first. */
export function* allSteps(steps: readonly PlanStep[]): Generator<PlanStep> {
  for (const step of steps) {
    yield step;
    yield* allSteps(step.children);
  }
}

/** The step as callers see it: without signs, and without fields that say nothing. */
export function planNode(step: PlanStep): CostedNode {
  const { operation, table, index, detail, estimatedRows, actualRows, cost, children } = step;
  return {
    operation,
    ...(table === undefined ? {} : { table }),
    ...(index === undefined ? {} : { index }),
    ...(detail === undefined ? {} : { detail }),
    ...(estimatedRows === undefined ? {} : { estimatedRows }),
    ...(actualRows === undefined ? {} : { actualRows }),
    ...(cost === undefined ? {} : { cost }),
    children: children.map(planNode),
  };
}
