import fc from 'fast-check';
import { cellSpans, shortText } from './rows-cells.ts';

const text = fc
  .array(fc.constantFrom('a', 'é', '😀', '"', '\\', '\n', '\u2028', '\u0001', ','), { maxLength: 40 })
  .map((parts) => parts.join(''));
const cell = fc.oneof(text, fc.constantFrom(null, true, 1.5, '1'), fc.record({ bytes: fc.nat(), hex: text }));

test('finds every cell of the rows', () => {
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 4 }), (rows) => {
      const json = JSON.stringify(rows);
      const found = cellSpans(json).map((spans) => spans.map(([from, end]) => JSON.parse(json.slice(from, end))));
      expect(found).toEqual(rows);
    }),
  );
});

test('a shortened text is a start of it in whole characters, as JSON', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 6, max: 40 }), (whole, most) => {
      const json = JSON.stringify(whole);
      const short: unknown = JSON.parse(shortText(json, [0, json.length], most));
      if (json.length - 2 <= most) return expect(short).toBe(whole);
      const start = String(short).slice(0, -1);
      expect([String(short).at(-1), whole.startsWith(start), start.isWellFormed()]).toEqual(['…', true, true]);
      return expect(JSON.stringify(start).length - 2).toBeLessThanOrEqual(most);
    }),
  );
});

test('what is no text stays whole', () => {
  const json = JSON.stringify({ bytes: 100, hex: 'ff'.repeat(100) });
  expect(shortText(json, [0, json.length], 10)).toBe(json);
});
