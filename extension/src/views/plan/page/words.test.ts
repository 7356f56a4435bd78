import type { ShownPlan } from '@devdb/shared/plans';
import type { ShownExplain } from '../page-messages.ts';
import { planRows } from './plan-rows.ts';
import { columnsOf, statusOf } from './words.ts';

const PLAN: ShownPlan = {
  plan: [],
  flags: [],
  analyzed: false,
  source: '',
  database: 'shop',
  isRead: true,
  isSourceCut: false,
};
const shown = (given: Partial<ShownExplain>): ShownExplain => ({
  statement: 'SELECT 1',
  state: 'done',
  isMeasuring: false,
  problem: '',
  ...given,
});

test('a column in which no step has anything is not shown', () => {
  const titlesOf = (...plan: ShownPlan['plan']) => columnsOf(planRows(plan)).map(({ title }) => title);
  expect(titlesOf({ operation: 'scan', table: 'big', children: [] })).toEqual(['Table']);
  expect(
    titlesOf({
      operation: 'sort',
      cost: 1,
      estimatedRows: 0,
      children: [{ operation: 'scan', actualRows: 5, children: [] }],
    }),
  ).toEqual(['Cost', 'Own share', 'Rows expected', 'Rows found']);
});

test.each<[Partial<ShownExplain>, string]>([
  [{ state: 'running' }, 'Asking for the plan'],
  [{ state: 'left' }, 'The window was reloaded, and the plan is gone. "Explain again" brings it back.'],
  [{ state: 'running', isMeasuring: true, plan: PLAN }, 'Running and measuring the statement'],
  [{ plan: PLAN }, 'shop · planned, not run'],
  [
    { plan: { ...PLAN, analyzed: true, measured: { rows: 1_200, durationMs: 3.456 } } },
    'shop · run and measured: 1,200 rows in 3.46 ms',
  ],
  [{ plan: { ...PLAN, measured: { rows: 1, durationMs: 1_234.5 } } }, 'shop · run and measured: 1 row in 1,235 ms'],
  [{ state: 'failed', problem: 'No such table.' }, 'No such table.'],
  [{ state: 'cancelled' }, 'Cancelled.'],
  [{ state: 'cancelled', plan: PLAN }, 'Cancelled. This is the plan from before.'],
])('the status of %j is %j', (given, text) => {
  expect(statusOf(shown(given))).toBe(text);
});
