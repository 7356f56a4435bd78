import type { PlanFlag } from '@devdb/shared/plans';
import { type IndexedTable, indexCandidates } from './index-candidates.ts';
import type { PlanSigns, PlanStep } from './plan-steps.ts';

const TABLES = new Map<string, IndexedTable>([
  ['big', { columns: ['id', 'n', 'k', 'Code', 'day'], indexes: [['id'], ['day', 'n']] }],
]);
const FULL: PlanFlag = { flag: 'full-scan', message: 'm', table: 'big' };
const MISSING: PlanFlag = { flag: 'missing-index', message: 'm', table: 'big' };

function scan(signs: PlanSigns): PlanStep {
  return { operation: 'scan', table: 'big', signs, children: [] };
}

function named(steps: readonly PlanStep[], flags: readonly PlanFlag[] = [FULL]): string[] {
  return indexCandidates(steps, flags, TABLES).map(({ table, columns }) => `${table} (${columns.join(', ')})`);
}

const where = (condition: string): PlanSigns => ({ alias: 'b', filter: { condition } });

test.each<[string, PlanSigns, string]>([
  ['one equality', where('(b.n = 5)'), 'big (n)'],
  ['equality before a range, and one range', where('(b.k > 3) AND (b.id < 9) AND (b.n = 5)'), 'big (n, k)'],
  ['the condition of a join', { ...where('(b.k = 3)'), joinedBy: '(b.n = f.k)' }, 'big (k, n)'],
  ['three columns at most', where('b.n = 1 AND b.k = 2 AND b.code = 3 AND b.id = 4'), 'big (n, k, Code)'],
  ['a column compared twice once', where('(b.n = 1) AND (b.n > 2)'), 'big (n)'],
])('names what the conditions look for: %s', (_what, signs, index) => {
  const noPrimary = new Map([['big', { columns: ['id', 'n', 'k', 'Code'], indexes: [] }]]);
  const found = indexCandidates([scan(signs)], [FULL], noPrimary);
  expect(found.map(({ table, columns }) => `${table} (${columns.join(', ')})`)).toEqual([index]);
});

test('an index that begins with a sought column was known to the server and not taken', () => {
  expect(named([scan(where('(b.day = 5) AND (b.n = 2)'))])).toEqual([]);
});

test('a range alone is worth an index only where few rows pass it', () => {
  expect(named([scan(where('(b.k > 5)'))])).toEqual([]);
  expect(named([scan(where('(b.k > 5)'))], [MISSING])).toEqual(['big (k)']);
});

test('columns of another table, and names that are no columns, are passed over', () => {
  expect(named([scan(where('(f.n = 5) AND (b.nosuch = 2)'))])).toEqual([]);
});

test('a number compared as a text is not found by an index', () => {
  expect(named([scan(where("((b.n)::text = '5'::text)"))])).toEqual([]);
});

test('a table that is read twice under different conditions gets none', () => {
  expect(named([scan(where('(b.n = 5)')), scan({ alias: 'c', filter: { condition: '(c.k = 2)' } })])).toEqual([]);
});

test('a table without a flag gets none', () => {
  expect(named([scan(where('(b.n = 5)'))], [])).toEqual([]);
});
