import * as fc from 'fast-check';
import { Ring } from './ring.ts';

const sizes = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 400 });

test('keeps the last items, as many as fit in number and bytes, and counts the others', () => {
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 500 }), (all, items, bytes) => {
      const ring = new Ring<number>({ items, bytes });
      for (const [at, size] of all.entries()) ring.push(at, size);
      const kept = [...ring];
      expect(kept).toEqual(all.map((_, at) => at).slice(all.length - kept.length));
      expect(ring.length).toBe(kept.length);
      expect(ring.dropped).toBe(all.length - kept.length);
      expect(kept.length).toBeLessThanOrEqual(items);
      const sum = kept.reduce((total, at) => total + (all[at] ?? 0), 0);
      if (kept.length > 1) expect(sum).toBeLessThanOrEqual(bytes);
      // One more would not have fitted.
      const before = all.at(all.length - kept.length - 1) ?? 0;
      if (ring.dropped > 0 && kept.length < items && kept.length > 1) expect(sum + before).toBeGreaterThan(bytes);
    }),
  );
});
