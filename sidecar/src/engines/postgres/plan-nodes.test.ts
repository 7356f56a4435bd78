import type { PlanSigns, PlanStep } from '../plan-steps.ts';
import { planStep, rawPlan } from './plan-nodes.ts';

const SIZES = new Map([
  ['customers', 1_000],
  ['orders', 5_000],
]);
const scan = (table: string, alias: string, more: object = {}) => ({
  'Node Type': 'Seq Scan',
  'Relation Name': table,
  Alias: alias,
  'Plan Rows': 100,
  ...more,
});
const subquery = (plan: object) => ({ ...plan, 'Parent Relationship': 'SubPlan', 'Subplan Name': 'SubPlan 1' });

/** How often each scanned table is read. */
function repeats(plan: object): Record<string, PlanSigns['oncePer']> {
  const found: Record<string, PlanSigns['oncePer']> = {};
  const visit = ({ table = '', operation, signs, children }: PlanStep): void => {
    if (operation === 'scan' && signs?.oncePer !== undefined) found[table] = signs.oncePer;
    children.forEach(visit);
  };
  visit(planStep(rawPlan.parse(plan), SIZES));
  return found;
}

describe('a subquery in a plan', () => {
  const ofEach = scan('orders', 'o', { Filter: '(customer_id = c.id)' });
  const sum = { 'Node Type': 'Aggregate', 'Plan Rows': 1, Plans: [ofEach] };

  it('runs once for each row of the table whose values it takes', () => {
    expect(repeats(scan('customers', 'c', { Plans: [subquery(sum)] }))).toEqual({
      orders: { table: 'customers', rows: 100 },
    });
  });

  it('runs for each row that is looked at where it is in the condition', () => {
    const filtered = scan('customers', 'c', { Filter: '((SubPlan 1) > 3)', Plans: [subquery(sum)] });
    expect(repeats(filtered)).toEqual({ orders: { table: 'customers', rows: 1_000 } });
    const searched = { ...filtered, 'Node Type': 'Index Scan', 'Index Cond': '(id > 3)' };
    expect(repeats(searched)).toEqual({ orders: { table: 'customers', rows: undefined } });
  });

  it('has run as often as was counted', () => {
    const ran = scan('orders', 'o', { Filter: '(customer_id = c.id)', 'Actual Rows': 5, 'Actual Loops': 93 });
    const plan = scan('customers', 'c', { 'Actual Rows': 93, 'Actual Loops': 1, Plans: [subquery(ran)] });
    expect(repeats(plan)).toEqual({ orders: { table: 'customers', rows: 93 } });
  });

  it('runs as often as those around it together', () => {
    const inner = scan('orders', 'i', { Filter: "(note = 'c.id'::text) AND (id = o.id)" });
    const outer = scan('orders', 'o', { Filter: '(customer_id = "C d".id)', Plans: [subquery(inner)] });
    expect(repeats(scan('customers', 'C d', { Plans: [subquery(outer)] }))).toEqual({
      orders: { table: 'orders', rows: 10_000 },
    });
  });

  it.each([
    ['takes no value from outside', subquery(scan('orders', 'o', { Filter: "(note = ' c.id '::text)" }))],
    ['is planned as one that runs in advance', { ...ofEach, 'Parent Relationship': 'InitPlan' }],
    ['keeps its rows', subquery({ 'Node Type': 'Materialize', 'Plan Rows': 1, Plans: [ofEach] })],
  ])('runs once where it %s', (_, child) => {
    expect(repeats(scan('customers', 'c', { Plans: [child] }))).toEqual({});
  });
});
