import * as fc from 'fast-check';
import { crowdFactor } from './crowd.ts';

test.each([
  [0, 2, 1],
  [2, 2, 1],
  [8, 2, 4],
  [200, 2, 10],
])('a load of %d on %d processors stretches a limit %d times', (load, processors, factor) => {
  expect(crowdFactor(load, processors)).toBe(factor);
});

test('a limit is never shorter than it says, and never without end', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, noNaN: true }), fc.integer({ min: 1, max: 1_024 }), (load, processors) => {
      const factor = crowdFactor(load, processors);
      expect(factor).toBeGreaterThanOrEqual(1);
      expect(factor).toBeLessThanOrEqual(10);
    }),
  );
});
