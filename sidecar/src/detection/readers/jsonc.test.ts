import fc from 'fast-check';
import { readJsonc } from './jsonc.ts';
import { lineAt, plain } from './located.ts';

function read(text: string): unknown {
  const { value, problems } = readJsonc(text);
  expect(problems).toEqual([]);
  return value && plain(value);
}

describe('readJsonc', () => {
  it('reads everything JSON can express', () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 0, max: 3 }), (json, indent) => {
        const value: unknown = JSON.parse(json);
        // A repeated name keeps its last value on both sides; __proto__ is an ordinary name.
        expect(JSON.stringify(read(JSON.stringify(value, null, indent)))).toBe(JSON.stringify(value));
      }),
    );
  });

  it('skips comments of both kinds and trailing commas', () => {
    expect(read('// a\n[ /* b\n */ {"x": 1, /* , */ "y": "// no comment", }, // c\n]\n/* end */')).toEqual([
      { x: 1, y: '// no comment' },
    ]);
  });

  it('knows the line of every value', () => {
    const { value } = readJsonc('[\n {\n  "a": 1,\n  "b":\n   [true]\n }\n]');
    expect(value && [lineAt(value, [0]), lineAt(value, [0, 'a']), lineAt(value, [0, 'b', 0])]).toEqual([2, 3, 5]);
  });

  it.each([
    ['an element', '[1, oops, 3]', [1, 3], 1],
    ['an object', '[{"a":1},\n{"a":2, b},\n{"a":3}]', [{ a: 1 }, { a: 3 }], 2],
    ['a nested list', '[[1],\n[2,,],\n[3]]', [[1], [3]], 2],
    ['a string that is not closed', '[{"a":"x},\n{"a":2}]', [], 1],
    ['a missing comma between objects', '[{"a":1}\n{"a":2},\n{"a":3}]', [{ a: 1 }, { a: 3 }], 2],
  ])('reports the line of a mistake in %s and keeps the other elements', (_what, text, kept, line) => {
    const { value, problems } = readJsonc(text);
    expect(problems[0]?.line).toBe(line);
    expect(value && plain(value)).toEqual(expect.arrayContaining<unknown>(kept));
  });

  it.each(['[1', '{"a"', '[1] x', '/* c', '"\\x"', '"\\u12"', '01', '', '[{"a":1'])(
    'says what is wrong with %s',
    (text) => {
      expect(readJsonc(text).problems).toHaveLength(1);
    },
  );

  it('never quotes the text, which may hold a password', () => {
    const { problems } = readJsonc('[{"password": hunter2}]');
    expect(JSON.stringify(problems)).not.toContain('hunter2');
  });

  it('reads any text without failing', () => {
    const soup = fc.string({
      unit: fc.constantFrom('[', ']', '{', '}', '"', ',', ':', '/', '*', '\\', '1', 'a', '\n', ' '),
    });
    fc.assert(fc.property(soup, (text) => void readJsonc(text)));
  });

  it('reads up to 64 levels and reports any further level as too deep', () => {
    const nested = (levels: number) => readJsonc(`${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`).problems;
    expect(nested(64)).toEqual([]);
    for (const levels of [66, 1_000_000]) expect(nested(levels)[0]?.reason).toContain('more than 64 deep');
    for (const open of ['[', '{"a":', '[[{', '{"a":['])
      expect(readJsonc(open.repeat(100_000)).problems).toHaveLength(1);
  });

  it.each([
    '[',
    ']',
    '[,',
    '[1 ',
    '[}',
    '{"a" ',
    '{"a":1 "b" ',
    ',',
    '"',
    '\\"',
    '/*',
    '// a\n',
    '[1,oops,',
    '\n',
    ' ',
  ])('reads 512 KiB of %j in linear time', (part) => {
    const text = `[${part.repeat((512 * 1024) / part.length)}`;
    const before = process.cpuUsage();
    readJsonc(text);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(3_000);
  });
});
