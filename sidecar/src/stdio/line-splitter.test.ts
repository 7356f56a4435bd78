import fc from 'fast-check';
import { LineSplitter } from './line-splitter.ts';

function split(chunks: readonly Buffer[], maxBytes: number): { lines: string[]; tooLong: number } {
  const out = { lines: [] as string[], tooLong: 0 };
  const splitter = new LineSplitter(maxBytes, {
    line: (text) => out.lines.push(text),
    notText: (text) => out.lines.push(`not text: ${text}`),
    tooLong: () => {
      out.tooLong += 1;
    },
  });
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return out;
}

it('gives the same lines however the bytes are split', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 200 });
  fc.assert(
    fc.property(fc.array(text), fc.array(fc.nat(400)), (parts, cuts) => {
      const bytes = Buffer.from(parts.join('\n'));
      const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
      const chunks = edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
      const expected = bytes
        .toString()
        .split('\n')
        .filter((line) => line.trim() !== '');
      expect(split(chunks, 1_000_000)).toEqual({ lines: expected, tooLong: 0 });
    }),
  );
});

it('reports a too long line once, holds none of it, and continues after it', () => {
  const long = Array.from({ length: 10 }, () => Buffer.from('x'.repeat(60)));
  expect(split([...long, Buffer.from('\nnext\n')], 100)).toEqual({ lines: ['next'], tooLong: 1 });
});

it('accepts a line of exactly the limit', () => {
  expect(split([Buffer.from('12345\n123456\n')], 5)).toEqual({ lines: ['12345'], tooLong: 1 });
});

it('distinguishes a line that is not UTF-8 from one that contains a replacement character', () => {
  const pieces = [Buffer.from('caf'), Buffer.from([0xe9]), Buffer.from(' x\n\ufffd\n')];
  expect(split(pieces, 100)).toEqual({ lines: ['not text: caf\ufffd x', '\ufffd'], tooLong: 0 });
});
