import type { RanStatement } from '@devdb/shared/protocol/history-methods';
import { factsOf, lineOf } from './ran-words.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const ran = (given: Partial<RanStatement>): RanStatement => ({
  id: '1',
  statement: 'SELECT 1',
  startedAt: NOW.toISOString(),
  ms: 12.4,
  ...given,
});

test('a statement of several lines is one line, and a long one its beginning', () => {
  expect(lineOf(ran({ statement: '\n SELECT 1,\n\t2 ' }))).toBe('SELECT 1, 2');
  expect(lineOf(ran({ statement: 'x'.repeat(1_000) }))).toBe(`${'x'.repeat(200)}…`);
});

const TIME = NOW.toLocaleTimeString();
test.each<[Partial<RanStatement>, string]>([
  [{ database: 'shop', rows: 1 }, `shop · 1 row · 12 ms · ${TIME}`],
  [{ rows: 1_500, ms: 0.2 }, `1,500 rows · < 1 ms · ${TIME}`],
  [{ database: 'shop', changedRows: 3, ms: 2_345 }, `shop · 3 rows changed · 2.3 s · ${TIME}`],
  [{ error: { code: 'E_SQL', message: 'no' } }, `failed · 12 ms · ${TIME}`],
  [{ error: { code: 'E_CANCELLED', message: 'no' } }, `cancelled · 12 ms · ${TIME}`],
])('%j is described as %j', (given, text) => {
  expect(factsOf(ran(given), NOW)).toBe(text);
});

test('an older one has its day', () => {
  const startedAt = '2025-12-01T12:00:00.000Z';
  expect(factsOf(ran({ startedAt }), NOW)).toContain(new Date(startedAt).toLocaleString());
});
