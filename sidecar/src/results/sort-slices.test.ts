import fc from 'fast-check';
import { SortSlices } from './sort-slices.ts';

test('items come out in order, equal ones as they were added, however many slices they fill, and again after that', () => {
  const items = fc.array(fc.tuple(fc.nat(9), fc.nat()), { maxLength: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), items, items, (sliceLength, first, second) => {
      const slices = new SortSlices<readonly [value: number, at: number]>(
        sliceLength,
        ([a, at], [b, other]) => a - b || at - other,
      );
      for (const all of [first, second]) {
        const numbered = all.map(([value], at) => [value, at] as const);
        for (const item of numbered) slices.add(item);
        expect([...slices.take()]).toEqual(numbered.toSorted(([a, at], [b, other]) => a - b || at - other));
      }
    }),
  );
});

test('no more than a slice is compared while one is added', () => {
  let compared = 0;
  const slices = new SortSlices<number>(64, (one, other) => {
    compared += 1;
    return one - other;
  });
  let most = 0;
  for (let at = 0; at < 10_000; at += 1) {
    compared = 0;
    slices.add((at * 7919) % 10_007);
    most = Math.max(most, compared);
  }
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThan(64 * 12);
});
