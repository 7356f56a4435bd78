import fc from 'fast-check';
import { LineBuffer } from './line-buffer.ts';
import { csvLines, jsonLines, type LineFormat, uniqueNames } from './row-lines.ts';
import type { DriverValue } from './values.ts';

function lineOf({ write }: LineFormat, values: readonly DriverValue[]): string {
  const target = new LineBuffer();
  write(target, values);
  return target.take().toString('utf8');
}

describe('csvLines', () => {
  it('writes a header and quotes what needs it', () => {
    const format = csvLines(['id', 'a,b', 'say "x"']);
    expect(format.head).toBe('id,"a,b","say ""x"""\r\n');
    expect(lineOf(format, [1n, 'a\nb', 'plain'])).toBe('1,"a\nb",plain\r\n');
  });

  it('distinguishes NULL from empty text, and writes binary as hex', () => {
    const format = csvLines(['a', 'b', 'c', 'd', 'e']);
    expect(lineOf(format, [null, '', new Uint8Array([10, 255]), true, 9223372036854775807n])).toBe(
      ',"",0aff,true,9223372036854775807\r\n',
    );
  });

  it('distinguishes NULL from empty binary', () => {
    expect(lineOf(csvLines(['a', 'b']), [new Uint8Array(), null])).toBe('"",\r\n');
  });

  it('can be read back, whatever the text is', () => {
    const format = csvLines(['a', 'b']);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (a, b) => {
        expect(parseCsvLine(lineOf(format, [a, b]))).toEqual([a, b]);
      }),
    );
  });
});

function parseCsvLine(line: string): string[] {
  const cells: string[] = [];
  for (const [, quoted, plain] of line.slice(0, -2).matchAll(/(?:"((?:[^"]|"")*)"|([^",]*))(?:,|$)/gs)) {
    if (cells.length < 2) cells.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
  }
  return cells;
}

describe('jsonLines', () => {
  it('writes one object per line with whole cells', () => {
    const format = jsonLines(['a', 'b', 'c', 'd', 'e']);
    expect(format.head).toBe('');
    expect(lineOf(format, [1n, 'x'.repeat(5_000), null, new Uint8Array([1]), Number.POSITIVE_INFINITY])).toBe(
      `{"a":1,"b":"${'x'.repeat(5_000)}","c":null,"d":{"bytes":1,"hex":"01"},"e":"Infinity"}\n`,
    );
  });

  it('writes integers that JSON numbers cannot carry as text', () => {
    expect(lineOf(jsonLines(['n']), [9223372036854775807n])).toBe('{"n":"9223372036854775807"}\n');
  });

  it('numbers repeated names and keeps all values', () => {
    expect(lineOf(jsonLines(['a', 'a', 'a']), [1n, 2n, 3n])).toBe('{"a":1,"a_2":2,"a_3":3}\n');
  });
});

describe('numbers in both formats', () => {
  it('are written as JSON writes them', () => {
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: -(10 ** 9), max: 10 ** 9 }).map((cents) => cents / 100),
      fc.integer().map((n) => n / 8),
    );
    fc.assert(
      fc.property(number, (value) => {
        const expected = Object.is(value, -0) ? '-0' : JSON.stringify(value);
        expect(lineOf(csvLines(['n']), [value])).toBe(`${expected}\r\n`);
        expect(JSON.parse(lineOf(jsonLines(['n']), [value]))).toEqual({ n: Object.is(value, -0) ? '-0' : value });
      }),
    );
  });

  it('are written whole when they are integers', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.integer().map(BigInt)),
        (value) => {
          expect(lineOf(csvLines(['n']), [value])).toBe(`${value}\r\n`);
          expect(BigInt(JSON.parse(lineOf(jsonLines(['n']), [value])).n)).toBe(value);
        },
      ),
    );
  });
});

describe('texts in JSON lines', () => {
  it('are read back as they were', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ minLength: 90, maxLength: 300 })), (text) => {
        expect(JSON.parse(lineOf(jsonLines(['t']), [text]))).toEqual({ t: text });
      }),
    );
  });

  it('may be larger than the initial buffer for lines', () => {
    const text = 'é'.repeat(300_000);
    expect(JSON.parse(lineOf(jsonLines(['t']), [text]))).toEqual({ t: text });
  });
});

describe('uniqueNames', () => {
  it('skips a number that would give an existing name', () => {
    expect(uniqueNames(['a', 'a', 'a_2'])).toEqual(['a', 'a_3', 'a_2']);
  });

  it('makes all names different and changes no first one', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'a_2', 'a_2_2', 'b', 'a_3')), (names) => {
        const unique = uniqueNames(names);
        expect(new Set(unique).size).toBe(names.length);
        for (const name of new Set(names)) expect(unique).toContain(name);
      }),
    );
  });
});
