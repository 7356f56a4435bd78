import type { PlanSigns } from '../plan-steps.ts';
import type { RawPlan } from './plan-nodes.ts';

/** The rows of an outer table for each of which a step runs. */
export type Around = NonNullable<PlanSigns['oncePer']>;

/** What keeps its rows, or runs once, whatever is around it. */
const KEEPS_ROWS: ReadonlySet<string> = new Set(['Materialize', 'Memoize', 'Hash']);
const CONDITIONS = ['Filter', 'Index Cond', 'Recheck Cond', 'Hash Cond', 'Merge Cond', 'Join Filter'] as const;

/**
 * For what a child runs: a subquery that takes a value from the rows around it runs for each of them. One that takes
 * none is run once and kept; the plan does not say so everywhere, but its conditions name no table outside of it.
 */
export function aroundChild(
  plan: RawPlan,
  child: RawPlan,
  sizes: ReadonlyMap<string, number>,
  around: Around | undefined,
): Around | undefined {
  const relation = child['Parent Relationship'];
  if (relation === 'InitPlan' || KEEPS_ROWS.has(plan['Node Type']) || KEEPS_ROWS.has(child['Node Type']))
    return undefined;
  if (relation !== 'SubPlan') return around;
  if (!namesOneOf(child, aliasesAround(plan, child))) return undefined;
  const own = evaluations(plan, child, sizes);
  const times = around === undefined ? 1 : around.rows;
  return { table: plan['Relation Name'], rows: own === undefined || times === undefined ? undefined : own * times };
}

/** How many rows ask for the subquery: all that a scan looks at where the subquery is in its condition. */
function evaluations(plan: RawPlan, child: RawPlan, sizes: ReadonlyMap<string, number>): number | undefined {
  const name = child['Subplan Name'];
  const inCondition = name !== undefined && textsOf(plan).some((text) => text.includes(name));
  if (!inCondition) return plan['Plan Rows'];
  return plan['Node Type'] === 'Seq Scan' ? sizes.get(plan['Relation Name'] ?? '') : undefined;
}

function aliasesAround(plan: RawPlan, child: RawPlan): string[] {
  const others = (plan.Plans ?? []).filter((one) => one !== child);
  return [...(plan.Alias === undefined ? [] : [plan.Alias]), ...others.flatMap(aliasesIn)];
}

function aliasesIn({ Alias: alias, Plans: plans = [] }: RawPlan): string[] {
  return [...(alias === undefined ? [] : [alias]), ...plans.flatMap(aliasesIn)];
}

function namesOneOf(plan: RawPlan, aliases: readonly string[]): boolean {
  const isNamed = (text: string) => qualifiers(text).some((name) => aliases.includes(name));
  return textsOf(plan).some(isNamed) || (plan.Plans ?? []).some((child) => namesOneOf(child, aliases));
}

// What is not closed reaches to the end: to look for its end from each of many quotes would take too long.
const PIECE = /'[^']*'?|(?<name>"[^"]*(?:""[^"]*)*"?|[\p{L}_][\p{L}\p{N}_$]*)/gu;

/** The names with a point behind them, outside of texts. */
function qualifiers(text: string): string[] {
  return [...text.matchAll(PIECE)].flatMap(({ index, 0: piece, groups = {} }) => {
    if (groups['name'] === undefined || text[index + piece.length] !== '.') return [];
    return piece.startsWith('"') ? piece.slice(1, -1).replaceAll('""', '"') : piece;
  });
}

function textsOf(plan: RawPlan): string[] {
  return CONDITIONS.flatMap((name) => plan[name] ?? []);
}
