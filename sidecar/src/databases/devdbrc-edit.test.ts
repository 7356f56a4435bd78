import * as fc from 'fast-check';
import { listIn, readDevdbrc } from '../detection/detectors/devdbrc.ts';
import { plain } from '../detection/readers/located.ts';
import { addEntry, removeEntry } from './devdbrc-edit.ts';

const SHOP = { type: 'sqlite', name: 'shop', path: 'data/shop.db' };

function added(text: string, entry: Record<string, unknown> = SHOP): string {
  const edit = addEntry(text, entry);
  if (!edit.ok) throw new Error(edit.reason);
  return edit.text;
}

function itemsOf(text: string): unknown[] {
  const { value: written, problems } = readDevdbrc(text);
  const value = listIn(written);
  if (problems.length > 0 || value?.kind !== 'array') throw new Error(JSON.stringify(problems));
  return value.items.map(plain);
}

describe('an entry is added', () => {
  test('to a file that does not exist yet', () => {
    const text = '[\n  {\n    "type": "sqlite",\n    "name": "shop",\n    "path": "data/shop.db"\n  }\n]\n';
    expect(added('')).toBe(text);
  });

  test('after the last one, with every comment in place', () => {
    const text = '// mine\n[\n  { "type": "sqlite", "path": "a.db" } // the first\n  /* nothing more */\n]\n';
    expect(added(text)).toBe(
      '// mine\n[\n  { "type": "sqlite", "path": "a.db" }, // the first\n  {\n    "type": "sqlite",\n    "name": "shop",\n    "path": "data/shop.db"\n  }\n  /* nothing more */\n]\n',
    );
  });

  test.each([
    ['one line', '[{"type":"sqlite","path":"a.db"}]'],
    ['a comma at the end', '[\n\t{"type":"sqlite","path":"a.db"},\n]'],
    ['line ends of Windows', '[\r\n  {"type":"sqlite","path":"a.db"}\r\n]\r\n'],
    ['a byte order mark', '\ufeff[{"type":"sqlite","path":"a.db"}]'],
    ['brackets and slashes in strings', '[{"type":"sqlite","path":"]},//\\"/*.db"} /* ] */ ]'],
    ['YAML', '- type: sqlite\n  path: a.db\n'],
    [
      'a name in JSON',
      '{\n  // mine\n  "connections": [\n    {"type":"sqlite","path":"a.db"}\n  ],\n  "other": [1]\n}\n',
    ],
    ['a name in YAML', 'connections:\n  - type: sqlite\n    path: a.db\n'],
    ['a name in YAML, not indented', 'connections:\n- type: sqlite\n  path: a.db\n'],
    ['YAML that is indented', '# mine\n  - type: sqlite\n    path: a.db'],
  ])('to a list with %s', (_what, text) => {
    const before = itemsOf(text.replace('\ufeff', ''));
    const after = added(text);
    expect(itemsOf(after.replace('\ufeff', ''))).toEqual([...before, SHOP]);
    expect(after.startsWith('\ufeff')).toBe(text.startsWith('\ufeff'));
    expect(/(?<!\r)\n/.test(after)).toBe(!text.includes('\r\n') && after.includes('\n'));
  });

  test.each([
    ['[\n\t{"a":1}\n]', '[\n\t{"a":1},\n\t{\n\t\t"b": 2\n\t}\n]'],
    ['[{"a":1},]', '[{"a":1}, {"b":2},]'],
    ['[\n    {"a":1}, // ,\n]', '[\n    {"a":1}, // ,\n    {\n        "b": 2\n    },\n]'],
  ])('to %j in its own style', (text, after) => {
    expect(added(text, { b: 2 })).toBe(after);
  });

  test('to an empty list, and its comments stay', () => {
    expect(itemsOf(added('[]'))).toEqual([SHOP]);
    expect(added('[\n  // none yet\n]\n')).toContain('// none yet');
  });

  test.each([
    ['is no list', '{"type":"sqlite","path":"a.db"}', 1],
    ['cannot be read', '[\n  {"type":"sqlite",,}\n]', 2],
  ])('not to a file that %s', (_what, text, line) => {
    expect(addEntry(text, SHOP)).toMatchObject({ ok: false, line });
  });
});

describe('an entry is removed', () => {
  test('with its line, its comma and the comment after it', () => {
    const text = '[\n  { "a": 1 }, // one\n  { "b": 2 }, // two\n  { "c": 3 } // three\n]\n';
    expect(removeEntry(text, 3)).toEqual({ ok: true, text: '[\n  { "a": 1 }, // one\n  { "c": 3 } // three\n]\n' });
    expect(removeEntry(text, 4)).toEqual({ ok: true, text: '[\n  { "a": 1 }, // one\n  { "b": 2 } // two\n]\n' });
  });

  test.each([
    ['[\n  {"a":1} /* the only one */\n]\n', 2, '[]\n'],
    ['[{"a":1}, // about a\n  {"b":2}]', 1, '[// about a\n  {"b":2}]'],
    ['[\r\n  {"a":1},\r\n  // keep\r\n  {"b":2}, // b\r\n]', 4, '[\r\n  {"a":1},\r\n  // keep\r\n]'],
  ])('from %j, line %d, and no other comment is removed', (text, line, after) => {
    expect(removeEntry(text, line)).toEqual({ ok: true, text: after });
  });

  test('not when two begin on its line, nor where none begins, nor from YAML', () => {
    expect(removeEntry('[{ "a": 1 }, { "b": 2 }]', 1)).toMatchObject({ ok: false });
    expect(removeEntry('[\n  { "a": 1 }\n]', 1)).toMatchObject({ ok: false });
    expect(removeEntry('- type: sqlite\n  path: a.db\n', 1)).toMatchObject({ ok: false });
  });
});

const blank = fc.constantFrom('', ' ', '\n', '\n  ', ' // a ] remark\n', ' /* { , */ ', '\t');
const value = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.integer(), { maxLength: 2 }),
);
const item = fc.dictionary(
  fc.string({ maxLength: 5 }).filter((key) => key !== '__proto__'),
  value,
  { maxKeys: 3 },
);

test('everything else in the file stays, and adding then removing leaves the same entries', () => {
  const file = fc.tuple(fc.array(fc.tuple(blank, item, blank), { maxLength: 4 }), blank, fc.boolean());
  fc.assert(
    fc.property(file, ([items, end, comma]) => {
      const body = items.map(([before, one, after]) => before + JSON.stringify(one) + after).join(',');
      const text = `${end.trimStart()}[${body}${comma && items.length > 0 ? ',' : ''}${end}]`;
      const before = itemsOf(text);
      const after = added(text);
      expect(itemsOf(after)).toEqual([...before, SHOP]);
      for (const [, , remark] of items) expect(after).toContain(remark.trim());
      const { value: list } = readDevdbrc(after);
      const lines = list?.kind === 'array' ? list.items.map(({ line }) => line) : [];
      const line = lines.at(-1) ?? 0;
      const gone = removeEntry(after, line);
      if (lines.filter((other) => other === line).length > 1) expect(gone.ok).toBe(false);
      else expect(gone.ok && itemsOf(gone.text)).toEqual(before);
    }),
    { numRuns: 2_000 },
  );
});

describe('a list under the name "connections"', () => {
  const text = '{"connections": [{"type":"sqlite","path":"a.db"}, {"type":"sqlite","path":"b.db"}], "other": [1]}\n';

  test('loses the entry of its line, and nothing else', () => {
    const lines = text.replaceAll('}, {', '},\n{');
    const edit = removeEntry(lines, 2);
    expect(edit).toEqual({ ok: true, text: '{"connections": [{"type":"sqlite","path":"a.db"}\n], "other": [1]}\n' });
  });

  test('gains an entry, and what stands beside it stays', () => {
    expect(added(text, { b: 2 })).toBe(text.replace('"b.db"}]', '"b.db"}, {"b":2}]'));
  });

  test('is left to a person where something follows it in YAML', () => {
    expect(addEntry('connections:\n  - path: a.db\nothers:\n  - 1\n', SHOP)).toMatchObject({ ok: false });
  });

  test.each(['{}', '{"connections": {}}', '{"others": []}'])('is missing in %s, which is not edited', (written) => {
    expect(addEntry(written, SHOP)).toEqual({ ok: false, line: 1, reason: 'it is not a list of connections' });
  });
});
