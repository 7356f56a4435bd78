import type { PlanOperation } from '@devdb/shared/plans';
import { type AliasStep, joinedBy, repeatedFor, type ServerPlan } from './plan-nodes.ts';

/** MySQL's output where it has no tree for a change. */
export const NO_TREE = '<not executable by iterator executor>';

const LINE = /^( *)-> (.*)$/;
/** Newer servers write two costs: for the first row, and for all. */
const COST = / {0,4}\(cost=(?:[\d.e+-]{1,40}?\.\.)?([\d.e+-]{1,40}) rows=([\d.e+-]{1,40})\)/;
const ACTUAL = / {0,4}\(actual time=[\d.e+-]{1,40}?\.\.([\d.e+-]{1,40}) rows=([\d.e+-]{1,40}) loops=([\d.e+-]{1,40})\)/;
const OPERATIONS: readonly (readonly [RegExp, PlanOperation])[] = [
  [/^Table scan on </, 'temporary table'],
  [/^Table scan on /, 'scan'],
  [/index range scan on |index lookup on |index skip scan|^Full-text index search|^Constant row from/i, 'search'],
  [/index scan on /i, 'index scan'],
  [/^Multi-range index lookup|by row ID/, 'multi-index'],
  [/^Sort/, 'sort'],
  [/hash (?:anti|semi)?join/i, 'hash join'],
  [/nested loop|batched key access/i, 'nested loop'],
  [/merge join/i, 'merge join'],
  [/^Window/, 'window'],
  [/aggregate|^Group/i, 'group'],
  [/^Filter/, 'filter'],
  [/^Limit/, 'limit'],
  [/^Hash$/, 'hash'],
  [/deduplication|^Remove duplicate/i, 'distinct'],
  [/materialize|^Temporary table|^Stream results/i, 'materialize'],
  [/^Append/, 'compound'],
  [/^Repeat until/, 'recursion'],
  [/^Select #|^Scan new records/, 'subquery'],
  [/^(?:Delete|Update|Insert|Replace)\b/, 'modify'],
  [/^Rows fetched before execution|^Zero rows|^Zero input rows/, 'constant rows'],
];
const ACCESS = /\bon (?!<)(\S+)(?: using ([^\s(]+))?/;

/** Reads MySQL's tree of steps, with the measurements if it was executed. */
export function readTree(text: string): ServerPlan {
  const root: Draft[] = [];
  const open: { readonly depth: number; readonly draft: Draft }[] = [];
  for (const line of text.split('\n')) {
    const [, indent, words] = LINE.exec(line) ?? [];
    if (indent === undefined || words === undefined) {
      // A condition may contain a line break.
      const last = open.at(-1);
      if (last !== undefined && line.trim() !== '') last.draft.words += `\n${line}`;
      continue;
    }
    while ((open.at(-1)?.depth ?? -1) >= indent.length) open.pop();
    const draft: Draft = { words, children: [] };
    (open.at(-1)?.draft.children ?? root).push(draft);
    open.push({ depth: indent.length, draft });
  }
  const steps = withDependents(root.map(stepOf));
  const actual = ACTUAL.exec(root[0]?.words ?? '');
  if (actual === null) return { steps, source: text };
  return { steps, source: text, measuredRows: Number(actual[2]) * Number(actual[3]), measuredMs: Number(actual[1]) };
}

interface Draft {
  words: string;
  readonly children: Draft[];
}

function stepOf({ words, children }: Draft): AliasStep {
  const detail = words.replace(COST, '').replace(ACTUAL, '').trim();
  const operation = OPERATIONS.find(([pattern]) => pattern.test(detail))?.[1] ?? 'other';
  const isAccess = ACCESSES.has(operation);
  const [, alias, index] = isAccess ? (ACCESS.exec(detail) ?? []) : [];
  const [, cost, estimated] = (COST.exec(words) ?? []).map(Number);
  const [, , perLoop, loops] = (ACTUAL.exec(words) ?? []).map(Number);
  const isRun = perLoop !== undefined && loops !== undefined;
  return {
    operation,
    alias,
    index: index === 'PRIMARY' ? 'primary key' : index,
    detail,
    estimatedRows: estimated,
    cost,
    actualRows: isRun ? perLoop * loops : undefined,
    runs: loops,
    signs: {
      // Estimates are for one run of a step, measured rows are of all.
      expectedRows: isRun && estimated !== undefined ? estimated * loops : undefined,
      sort: operation === 'sort' ? { by: detail.replace(/^Sort[^:]{0,80}: /, '') } : undefined,
    },
    children: partsOf(operation, detail, withDependents(children.map(stepOf)), perLoop ?? estimated),
  };
}

const ACCESSES: ReadonlySet<PlanOperation> = new Set(['scan', 'search', 'index scan']);

/** The steps below one, with what it says about the tables that they read. */
function partsOf(
  operation: PlanOperation,
  detail: string,
  parts: readonly AliasStep[],
  keeps: number | undefined,
): readonly AliasStep[] {
  if (operation === 'hash join') return parts.map((part) => joinedBy(withoutIndex(part), hashedBy(detail)));
  if (operation === 'nested loop') return withRepeats(parts);
  if (operation !== 'filter') return parts;
  const filter = { condition: detail.replace(/^Filter: /, ''), keeps };
  return parts.map((part) => (part.operation === 'scan' ? { ...part, signs: { ...part.signs, filter } } : part));
}

/** `Inner hash join (y.n = x.n), (y.k = x.k)`; other conditions are checked for what the hash finds. */
function hashedBy(detail: string): string | undefined {
  const [conditions = ''] = detail.slice(detail.indexOf('(')).split(', extra conditions:');
  return conditions.startsWith('(') ? conditions.replaceAll('), (', ') and (') : undefined;
}

/** The second side of a nested loop runs for each row of the first. */
function withRepeats(parts: readonly AliasStep[]): readonly AliasStep[] {
  const [outer, ...inner] = parts;
  return outer === undefined ? parts : [outer, ...inner.map((part) => repeatedFor(part, outer))];
}

/** A dependent subquery stands beside the step for whose rows it runs. */
function withDependents(steps: readonly AliasStep[]): readonly AliasStep[] {
  const [outer] = steps;
  return steps.map((step) =>
    outer !== undefined && /^Select #\d{1,9} \([^)]{0,80}\bdependent\b/.test(step.detail ?? '')
      ? repeatedFor(step, outer)
      : step,
  );
}

/** A hash is built anew each time the statement runs, because no index of either side fits. */
function withoutIndex(step: AliasStep): AliasStep {
  if (step.operation === 'scan') return { ...step, signs: { ...step.signs, lacksIndex: { why: 'joined' } } };
  const passesOn = step.operation === 'hash' || step.operation === 'filter';
  return passesOn ? { ...step, children: step.children.map(withoutIndex) } : step;
}
