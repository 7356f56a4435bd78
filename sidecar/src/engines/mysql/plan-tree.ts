import type { PlanStep, ServerPlan } from './plan-nodes.ts';

/** What MySQL prints where it has no tree for a change. */
export const NO_TREE = '<not executable by iterator executor>';

const LINE = /^( *)-> (.*)$/;
const COST = / {0,4}\(cost=[^()]{0,80}?rows=([\d.e+-]{1,40})\)/;
const ACTUAL = / {0,4}\(actual time=[\d.e+-]{1,40}?\.\.([\d.e+-]{1,40}) rows=([\d.e+-]{1,40}) loops=([\d.e+-]{1,40})\)/;
const OPERATIONS: readonly (readonly [RegExp, string])[] = [
  [/^Table scan on </, 'temporary table'],
  [/^Table scan on /, 'scan'],
  [/index range scan on |index lookup on |index skip scan|^Full-text index search|^Constant row from/i, 'search'],
  [/index scan on /i, 'index scan'],
  [/^Sort/, 'sort'],
  [/hash (?:anti|semi)?join|nested loop|merge join/i, 'join'],
  [/aggregate|^Group/i, 'group'],
  [/^Filter/, 'filter'],
  [/^Limit/, 'limit'],
  [/^Hash$/, 'hash'],
  [/materialize/i, 'materialize'],
  [/^Rows fetched before execution|^Zero rows|^Zero input rows/, 'constant rows'],
];
const ACCESS = /\bon (?!<)(\S+)(?: using ([^\s(]+))?/;

/** Reads MySQL's tree of steps, with what was measured where it was run. */
export function readTree(text: string): ServerPlan {
  const root: Draft[] = [];
  const open: { readonly depth: number; readonly draft: Draft }[] = [];
  for (const line of text.split('\n')) {
    const [, indent, words] = LINE.exec(line) ?? [];
    if (indent === undefined || words === undefined) {
      // A condition may hold a line break.
      const last = open.at(-1);
      if (last !== undefined && line.trim() !== '') last.draft.words += `\n${line}`;
      continue;
    }
    while ((open.at(-1)?.depth ?? -1) >= indent.length) open.pop();
    const draft: Draft = { words, children: [] };
    (open.at(-1)?.draft.children ?? root).push(draft);
    open.push({ depth: indent.length, draft });
  }
  const steps = root.map(stepOf);
  const actual = ACTUAL.exec(root[0]?.words ?? '');
  if (actual === null) return { steps };
  return { steps, measuredRows: Number(actual[2]) * Number(actual[3]), measuredMs: Number(actual[1]) };
}

interface Draft {
  words: string;
  readonly children: Draft[];
}

function stepOf({ words, children }: Draft): PlanStep {
  const detail = words.replace(COST, '').replace(ACTUAL, '').trim();
  const operation = OPERATIONS.find(([pattern]) => pattern.test(detail))?.[1] ?? firstWords(detail);
  const isAccess = ACCESSES.has(operation);
  const [, alias, index] = isAccess ? (ACCESS.exec(detail) ?? []) : [];
  const estimated = COST.exec(words)?.[1];
  const actual = ACTUAL.exec(words);
  const parts = children.map(stepOf);
  return {
    operation,
    alias,
    index: index === 'PRIMARY' ? 'primary key' : index,
    detail,
    estimatedRows: estimated === undefined ? undefined : Number(estimated),
    actualRows: actual === null ? undefined : Number(actual[2]) * Number(actual[3]),
    children: operation === 'hash' ? parts.map(withoutIndex) : parts,
  };
}

const ACCESSES = new Set(['scan', 'search', 'index scan']);

/** A hash is built anew each time the statement runs, because no index fits. */
function withoutIndex(step: PlanStep): PlanStep {
  if (step.operation === 'scan') return { ...step, joinsWithoutIndex: true };
  return { ...step, children: step.children.map(withoutIndex) };
}

function firstWords(detail: string): string {
  return (/^[^:(]*/.exec(detail)?.[0] ?? detail).trim().toLowerCase().split(' ').slice(0, 3).join(' ');
}
