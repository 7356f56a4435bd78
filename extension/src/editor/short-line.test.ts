import { shortLine } from './short-line.ts';

const long = Array.from({ length: 500 }, (_, at) => `f${at}();`).join('');

test('a short line is shown whole, without the blanks around it', () => {
  expect(shortLine('\t  const a = 1;  ', 4)).toBe('const a = 1;');
});

test('a long line is shown from its start for a place near it', () => {
  expect(shortLine(long, 20)).toBe(`${long.slice(0, 200)}…`);
});

test.each([400, 1_234, long.length - 1])('of a long line what stands around column %i is shown', (column) => {
  const shown = shortLine(long, column);
  expect(shown).toContain(long.slice(column, column + 1));
  expect(shown.startsWith('…')).toBe(true);
  expect(long).toContain(shown.replaceAll('…', ''));
  expect(long.indexOf(shown.replaceAll('…', ''))).toBeLessThanOrEqual(column);
  expect(shown.length).toBeLessThanOrEqual(202);
});

test('characters of two units stay whole at both ends', () => {
  const wide = '😀'.repeat(400);
  for (const column of [0, 299, 300, 301]) expect(shortLine(wide, column).isWellFormed()).toBe(true);
});
