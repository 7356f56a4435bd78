import * as fc from 'fast-check';
import { NulRecords } from './nul-records.ts';

function recordsOf(chunks: readonly Uint8Array[]): string[] {
  const found: string[] = [];
  const records = new NulRecords((record) => found.push(record));
  for (const chunk of chunks) records.take(Buffer.from(chunk));
  return found;
}

test('names come out whole wherever the bytes are cut, with line feeds in them', () => {
  const name = fc.string({ unit: fc.constantFrom('a', '/', '\n', 'ü', '😀', ' '), maxLength: 20 });
  fc.assert(
    fc.property(fc.array(name, { maxLength: 8 }), fc.nat(), fc.nat(), (names, one, other) => {
      const bytes = Buffer.from(names.map((text) => `${text}\0`).join(''));
      const cuts = [one % (bytes.length + 1), other % (bytes.length + 1)].sort((a, b) => a - b);
      const [first = 0, second = 0] = cuts;
      expect(recordsOf([bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)])).toEqual(
        names,
      );
    }),
  );
});

test('what never ends is not kept', () => {
  const endless = Array.from({ length: 100 }, () => Buffer.alloc(10_000, 'x'));
  expect(recordsOf([...endless, Buffer.from('\0a\0')]).at(-1)).toBe('a');
});
