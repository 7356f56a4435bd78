import { statementAt } from './statement-choice.ts';

const SPANS = [
  { start: 2, end: 10 },
  { start: 12, end: 20 },
];

test.each([
  [0, 2],
  [2, 2],
  [10, 2],
  [11, 2],
  [12, 12],
  [20, 12],
  [99, 12],
])('a cursor at %s means the statement that begins at %s', (offset, start) => {
  expect(statementAt(SPANS, offset)?.start).toBe(start);
});

test('a text without a statement has none to mean', () => {
  expect(statementAt([], 3)).toBeUndefined();
});
