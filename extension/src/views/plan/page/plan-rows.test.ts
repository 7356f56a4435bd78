import type { CostedNode } from '@devdb/shared/plans';
import fc from 'fast-check';
import { openRows, planRows } from './plan-rows.ts';

const step = (given: Partial<CostedNode> = {}): CostedNode => ({ operation: 'scan', children: [], ...given });

const PLAN = [
  step({
    operation: 'sort',
    cost: 10,
    children: [
      step({ operation: 'nested loop', cost: 8, children: [step({ cost: 5 }), step({ cost: 1 })] }),
      step({ operation: 'subquery' }),
    ],
  }),
];

test('each row knows its place in the tree, and the part of the cost that is its own', () => {
  expect(
    planRows(PLAN).map(({ id, parent, level, position, siblings, share }) => ({
      id,
      parent,
      level,
      position,
      siblings,
      share,
    })),
  ).toEqual([
    { id: 0, parent: undefined, level: 1, position: 1, siblings: 1, share: 0.2 },
    { id: 1, parent: 0, level: 2, position: 1, siblings: 2, share: 0.2 },
    { id: 2, parent: 1, level: 3, position: 1, siblings: 2, share: 0.5 },
    { id: 3, parent: 1, level: 3, position: 2, siblings: 2, share: 0.1 },
    { id: 4, parent: 0, level: 2, position: 2, siblings: 2, share: undefined },
  ]);
});

test('a step that ends before the steps below it has no negative share', () => {
  const rows = planRows([step({ operation: 'limit', cost: 2, children: [step({ cost: 100 })] })]);
  expect(rows.map(({ share }) => share)).toEqual([0, 1]);
});

test('a closed row hides everything below it and nothing else', () => {
  const rows = planRows(PLAN);
  const idsWith = (...closed: number[]) => openRows(rows, new Set(closed)).map(({ id }) => id);
  expect([idsWith(), idsWith(1), idsWith(0), idsWith(3)]).toEqual([[0, 1, 2, 3, 4], [0, 1, 4], [0], [0, 1, 2, 3, 4]]);
});

test('any plan has shares from 0 to 1, and each of its steps once', () => {
  const cost = fc.option(fc.double({ min: 0, max: 1e9, noNaN: true }), { nil: undefined });
  const stepWith = (children: fc.Arbitrary<CostedNode[]>) =>
    fc.record({ operation: fc.constant('scan' as const), cost, children });
  const plans = [1, 2, 3].reduce<fc.Arbitrary<CostedNode>>(
    (below) => stepWith(fc.array(below, { maxLength: 3 })),
    stepWith(fc.constant([])),
  );
  const count = (one: CostedNode): number => one.children.reduce((sum, child) => sum + count(child), 1);
  fc.assert(
    fc.property(fc.array(plans, { maxLength: 3 }), (plan) => {
      const rows = planRows(plan);
      expect(rows).toHaveLength(plan.reduce((sum, one) => sum + count(one), 0));
      for (const { share = 0 } of rows) expect(share >= 0 && share <= 1).toBe(true);
    }),
  );
});
