import fc from 'fast-check';
import { encodeCell, firstBytes } from './values.ts';

const cutLengths = (): { lengths: number[]; onCut: (length: number) => void } => {
  const lengths: number[] = [];
  return { lengths, onCut: (length) => lengths.push(length) };
};

const encode = (value: Parameters<typeof encodeCell>[0], maxBytes = 4096) =>
  encodeCell(value, maxBytes, () => undefined);

describe('encodeCell', () => {
  it('keeps integers that JSON numbers can carry, and writes the others as text', () => {
    expect(encode(42n)).toBe(42);
    expect(encode(9007199254740991n)).toBe(9007199254740991);
    expect(encode(9007199254740992n)).toBe('9007199254740992');
    expect(encode(-9223372036854775808n)).toBe('-9223372036854775808');
  });

  it('writes numbers that JSON lacks as text', () => {
    expect([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, -0, 1.5].map((n) => encode(n))).toEqual([
      'Infinity',
      '-Infinity',
      'NaN',
      '-0',
      1.5,
    ]);
  });

  it('keeps every integer without loss', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        expect(BigInt(JSON.parse(JSON.stringify(encode(value))))).toBe(value);
      }),
    );
  });

  it('writes binary as its length and hex, and cuts the hex like a cell', () => {
    expect(encode(new Uint8Array([0, 255, 16]))).toEqual({ bytes: 3, hex: '00ff10' });
    const { lengths, onCut } = cutLengths();
    expect(encodeCell(new Uint8Array(10), 8, onCut)).toEqual({ bytes: 10, hex: '00000000' });
    expect(lengths).toEqual([10]);
  });

  it('reads only its own part of a shared buffer', () => {
    expect(encode(new Uint8Array([1, 2, 3, 4]).subarray(1, 3))).toEqual({ bytes: 2, hex: '0203' });
  });

  it('does not report a cell as cut that is exactly as long as the cap', () => {
    const { lengths, onCut } = cutLengths();
    expect(encodeCell('€', 3, onCut)).toBe('€');
    expect(encodeCell(new Uint8Array(2), 4, onCut)).toEqual({ bytes: 2, hex: '0000' });
    expect(lengths).toEqual([]);
  });

  it('cuts text at a character boundary and reports its full length in bytes', () => {
    const { lengths, onCut } = cutLengths();
    expect(encodeCell('a😀b', 4, onCut)).toBe('a');
    expect(encodeCell('😀😀', 5, onCut)).toBe('😀');
    expect(encodeCell('abcd', 3, onCut)).toBe('abc');
    expect(lengths).toEqual([6, 8, 4]);
  });

  it('leaves a cut text that is the longest possible start', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, most) => {
        const cut = firstBytes(text, most);
        const next = [...text][[...cut].length];
        expect(text.startsWith(cut)).toBe(true);
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(most);
        if (next !== undefined) expect(Buffer.byteLength(cut + next)).toBeGreaterThan(most);
      }),
    );
  });
});
