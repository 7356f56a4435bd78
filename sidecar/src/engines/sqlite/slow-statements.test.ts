import { REMEMBERED_SLOW_STATEMENTS } from './limits.ts';
import type { Request } from './messages.ts';
import { SlowStatements } from './slow-statements.ts';

const caps = { rows: 1, bytes: 1, cellBytes: 1 };
const read = (sql: string, value?: number): Request => ({
  op: 'read',
  sql,
  caps,
  params: value === undefined ? undefined : { id: { type: 'integer', value } },
});

it('recognizes the same statement with the same values, and no other', () => {
  const slow = new SlowStatements();
  slow.add(read('SELECT 1 WHERE :id', 1));
  expect(slow.isSlow(read('SELECT 1 WHERE :id', 1))).toBe(true);
  expect(slow.isSlow(read('SELECT 1 WHERE :id', 2))).toBe(false);
  expect(slow.isSlow(read('SELECT 2'))).toBe(false);
});

it('forgets one that was quick, and an old one', () => {
  const slow = new SlowStatements();
  slow.add(read('quick'));
  slow.forget(read('quick'));
  expect(slow.isSlow(read('quick'))).toBe(false);
  jest.useFakeTimers({ now: 0 });
  slow.add(read('old'));
  jest.advanceTimersByTime(24 * 60 * 60_000);
  expect(slow.isSlow(read('old'))).toBe(false);
  jest.useRealTimers();
});

it('remembers a limited number, the latest ones', () => {
  const slow = new SlowStatements();
  for (let n = 0; n <= REMEMBERED_SLOW_STATEMENTS; n += 1) slow.add(read(`${n}`));
  expect(slow.isSlow(read('0'))).toBe(false);
  expect(slow.isSlow(read('1'))).toBe(true);
  expect(slow.isSlow(read(`${REMEMBERED_SLOW_STATEMENTS}`))).toBe(true);
});
