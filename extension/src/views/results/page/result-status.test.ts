import { statusText } from './result-status.ts';

const STATUS = { rows: 1_500, all: 1_500, hasColumns: true, changes: 0, note: 'shop.db', said: '' };

test('tells the rows on show, of how many when some are filtered out, and what waits', () => {
  expect(statusText(STATUS)).toBe('1,500 rows · shop.db');
  expect(statusText({ ...STATUS, rows: 1 })).toBe('1 of 1,500 rows · shop.db');
  expect(statusText({ ...STATUS, rows: 1, all: 1, changes: 1, said: 'copied' })).toBe(
    '1 row · 1 change not applied · shop.db · copied',
  );
  expect(statusText({ ...STATUS, hasColumns: false, changes: 2 })).toBe('2 changes not applied · shop.db');
});
