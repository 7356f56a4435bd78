// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the files that are read

import fc from 'fast-check';
import { processorMs } from '../../../../fixtures/labs/processor-time.ts';
import { type DotenvEntry, expand, readDotenv } from './dotenv.ts';

function values(text: string): Record<string, string> {
  const { entries } = readDotenv(text);
  const byName = new Map<string, DotenvEntry>(entries.map((entry) => [entry.name, entry]));
  const lookup = (name: string) => byName.get(name);
  return Object.fromEntries([...byName].map(([name, { segments }]) => [name, expand(segments, lookup, [name]).value]));
}

describe('readDotenv', () => {
  it.each([
    ['a plain value', 'A=1', '1'],
    ['blanks around the equals sign', '  A  =  1  ', '1'],
    ['export', 'export A=1', '1'],
    ['a colon instead of the equals sign', 'A: 1', '1'],
    ['an empty value', 'A=', ''],
    ['a comment behind an empty value', 'A= # nothing', ''],
    ['a comment after a blank', 'A=1 # one', '1'],
    ['a hash inside a word', 'A=p#ss', 'p#ss'],
    ['an equals sign in the value', 'A=a=b==', 'a=b=='],
    ['a hash between quotes', 'A="a # b" # c', 'a # b'],
    ['double quotes with escapes', 'A="a\\nb\\t\\"c\\" \\\\ \\$X"', 'a\nb\t"c" \\ $X'],
    ['an unknown escape as it is', 'A="a\\dc"', 'a\\dc'],
    ['single quotes as they are', "A='a\\n${X} $X'", 'a\\n${X} $X'],
    ['back quotes as they are', 'A=`it\'s "so"`', 'it\'s "so"'],
    ['several lines in double quotes', 'A="a\nb"', 'a\nb'],
    ['several lines in single quotes', "A='a\nb'", 'a\nb'],
    ['quotes inside a bare value', 'A=a"b"', 'a"b"'],
    ['unicode', 'A=grün 🌲', 'grün 🌲'],
    ['a dollar sign that names nothing', 'A=pa$word', 'pa$word'],
    ['the last of two definitions', 'A=1\nA=2', '2'],
  ])('reads %s', (_what, text, value) => {
    expect(values(text)['A']).toBe(value);
  });

  it('reads CRLF line breaks and a byte order mark', () => {
    expect(values('\uFEFFA=1\r\nB="x\r\ny"\r\n# c\r\nC=3')).toEqual({ A: '1', B: 'x\ny', C: '3' });
  });

  it('fills in other variables, with defaults, in any order and through each other', () => {
    const text = 'URL=${SCHEME:-pg}://$HOST:${PORT-5432}/${NAME:-${HOST}-db}\nHOST="${BASE}.local"\nBASE=db\nPORT=';
    expect(values(text)['URL']).toBe('pg://db.local:/db.local-db');
  });

  it('lists the references without a value', () => {
    const { entries } = readDotenv('A=${GONE}-${ALSO:?must be set}');
    expect(expand(entries[0]?.segments ?? [], () => undefined).missing).toEqual(['GONE', 'ALSO']);
  });

  it('treats circular references as missing', () => {
    const { entries } = readDotenv('A=${B}\nB=${A}');
    const lookup = (name: string) => entries.find((entry) => entry.name === name);
    expect(expand(entries[0]?.segments ?? [], lookup, ['A']).missing).toEqual(['A']);
  });

  it('gives up on references that multiply', () => {
    const doubling = Array.from({ length: 60 }, (_, i) => `V${i}="${`\${V${i + 1}}`.repeat(9)}"`).join('\n');
    const { entries } = readDotenv(`${doubling}\nV60=x`);
    const byName = new Map(entries.map((entry) => [entry.name, entry]));
    expect(expand(entries[0]?.segments ?? [], (name) => byName.get(name)).missing.length).toBeGreaterThan(0);
  });

  it('returns the line on which each variable starts', () => {
    const { entries } = readDotenv('# c\nA="x\ny\nz"\n\nB=1');
    expect(entries.map(({ name, line }) => [name, line])).toEqual([
      ['A', 2],
      ['B', 6],
    ]);
  });

  it('reports an unclosed quote and reads on', () => {
    expect(readDotenv('A="x\nB=1').problems).toEqual([{ line: 1, reason: 'the quote after A= is never closed' }]);
    expect(values('A="x\nB=1')).toEqual({ B: '1' });
  });

  it('returns any value that was written in double quotes', () => {
    const text = fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\r\n', '\n'));
    fc.assert(
      fc.property(text, fc.boolean(), (value, windows) => {
        const written = value
          .replace(/[\\"$`]/g, '\\$&')
          .replaceAll('\n', '\\n')
          .replaceAll('\r', '\\r');
        const file = `# c\nexport A="${written}" # c\nB=1\n`;
        const read = values(windows ? file.replaceAll('\n', '\r\n') : file);
        expect(read).toEqual({ A: value, B: '1' });
      }),
    );
  });

  it('returns any value without a single quote that was written in single quotes', () => {
    const text = fc.string({ unit: 'binary' }).filter((value) => !/['\r]/.test(value));
    fc.assert(fc.property(text, (value) => expect(values(`A='${value}'\nB=1`)).toEqual({ A: value, B: '1' })));
  });

  it('reads any text without failing, in linear time', () => {
    const soup = fc.string({
      unit: fc.constantFrom('A', '=', '"', "'", '`', '\\', '$', '{', '}', ':', '-', '#', '\n', '\r', ' '),
    });
    fc.assert(fc.property(soup, (text) => void values(text)));
    const began = processorMs();
    values(`D=${'${A:-'.repeat(1_000)}${'}'.repeat(1_000)}`);
    values(`A=${'${A:-'.repeat(20_000)}\nB="${'\\'.repeat(100_001)}`);
    expect(processorMs() - began).toBeLessThan(2_000);
  });
});
