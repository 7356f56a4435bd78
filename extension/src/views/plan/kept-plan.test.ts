import { keepable, keptPlan } from './kept-plan.ts';

const tab = { key: 'file:///a.sql', title: 'a.sql', root: '/p', query: 'SELECT 1' };

test('a plan is kept with its statement, and comes back the same', () => {
  expect(keptPlan().parse(keepable(tab))).toEqual(tab);
});

test('one of a statement of hundreds of kilobytes is not', () => {
  expect(keepable({ ...tab, query: 'x'.repeat(256 * 1024 + 1) })).toBeUndefined();
});
