import * as fc from 'fast-check';
import { processorMs } from '../../../fixtures/labs/processor-time.ts';
import { nameMatcher } from './name-matcher.ts';

describe('nameMatcher', () => {
  test('agrees with the same pattern as a regular expression', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8 });
    const name = fc.string({ unit: fc.constantFrom('a', 'b', 'A'), maxLength: 8 });
    fc.assert(
      fc.property(text, name, (pattern, candidate) => {
        const wild = /[*?]/.test(pattern);
        const source = pattern.replaceAll('*', '.*').replaceAll('?', '.');
        const expected = new RegExp(wild ? `^${source}$` : source, 'i').test(candidate);
        expect(nameMatcher(pattern)(candidate)).toBe(expected);
      }),
      { numRuns: 3_000 },
    );
  });

  test('is not slowed down by many stars', () => {
    const matches = nameMatcher(`${'*a'.repeat(90)}*b`);
    const started = processorMs();
    expect(matches('a'.repeat(5_000))).toBe(false);
    expect(processorMs() - started).toBeLessThan(5_000);
  });
});
