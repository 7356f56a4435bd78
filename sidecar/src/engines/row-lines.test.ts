import fc from 'fast-check';
import { csvLines, jsonLines, uniqueNames } from './row-lines.ts';

describe('csvLines', () => {
  it('writes a header and quotes what needs it', () => {
    const { head, line } = csvLines(['id', 'a,b', 'say "x"']);
    expect(head).toBe('id,"a,b","say ""x"""\r\n');
    expect(line([1n, 'a\nb', 'plain'])).toBe('1,"a\nb",plain\r\n');
  });

  it('tells NULL from empty text, and writes binary as hex', () => {
    const { line } = csvLines(['a', 'b', 'c', 'd', 'e']);
    expect(line([null, '', new Uint8Array([10, 255]), true, 9223372036854775807n])).toBe(
      ',"",0aff,true,9223372036854775807\r\n',
    );
  });

  it('can be read back, whatever the text is', () => {
    const { line } = csvLines(['a', 'b']);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (a, b) => {
        expect(parseCsvLine(line([a, b]))).toEqual([a, b]);
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
  it('writes one object a line with whole cells', () => {
    const { head, line } = jsonLines(['a', 'b', 'c', 'd', 'e']);
    expect(head).toBe('');
    expect(line([1n, 'x'.repeat(5_000), null, new Uint8Array([1]), Number.POSITIVE_INFINITY])).toBe(
      `{"a":1,"b":"${'x'.repeat(5_000)}","c":null,"d":{"bytes":1,"hex":"01"},"e":"Infinity"}\n`,
    );
  });

  it('writes integers that JSON numbers do not carry as text', () => {
    expect(jsonLines(['n']).line([9223372036854775807n])).toBe('{"n":"9223372036854775807"}\n');
  });

  it('numbers names that repeat and keeps all values', () => {
    expect(jsonLines(['a', 'a', 'a']).line([1n, 2n, 3n])).toBe('{"a":1,"a_2":2,"a_3":3}\n');
  });
});

describe('uniqueNames', () => {
  it('passes over a number that is a name itself', () => {
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
