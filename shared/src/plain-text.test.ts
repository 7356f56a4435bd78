import * as fc from 'fast-check';
import { processorMs } from '../../fixtures/labs/processor-time.ts';
import {
  isPlain,
  joined,
  nameText,
  pathText,
  plain,
  plainJson,
  quoted,
  sentenceText,
  valueText,
} from './plain-text.ts';

const MAKERS = { nameText, pathText, sentenceText };
const CAPS = { nameText: 64, pathText: 512, sentenceText: 4_000 } as const;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;
const EMOJI =
  /\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?(\u200d\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)*|[0-9#*]\ufe0f\u20e3/gu;

/** Hostile characters, and pieces that may combine into something hostile. */
const nasty = fc.constantFrom(
  ...['\n', '\r\n', '\u2028', '\u0085', '\u202e', '\u2066', '\u200e', '\u061c', '\u200b', '\u200d', '\ufe0f', '\ufeff'],
  ...['\u{e0041}', '\u{e007f}', '\u{e0100}', '\u3164', '\uffa0', '\u2800', '\u00ad', '\u034f', '\u001b[2K', '\u009b2J'],
  ...[
    '\ud83d',
    '\ude00',
    '\ue000',
    '\u{10ffff}',
    '\u0301',
    '\u0338',
    '\u20e3',
    '\u05d0',
    '\u0661',
    '\u0441\u043e\u0440',
  ],
  ...[
    '👩',
    '👩\u200d💻',
    '❤\ufe0f',
    '1\ufe0f\u20e3',
    '🏽',
    '🇩🇪',
    '한',
    '日本',
    'é',
    'e\u0301',
    ' [Cyrillic]',
    ' [',
    ']',
    '…',
    '        ',
  ],
  ...['$(sync)', '](command:x)', 'shop', ' ', '(9 characters)', 'ｓ', '𝐬', 'ɡ', '\u0e01\u0e38\u0e49', 'क\u094d\u0937'],
);
const anyText = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: nasty },
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.string({ unit: 'grapheme' }),
    ),
    {
      maxLength: 60,
    },
  )
  .map((parts) => parts.join(''));
const long = fc.tuple(anyText, fc.integer({ min: 1, max: 40 })).map(([text, times]) => text.repeat(times));

describe.each(Object.entries(MAKERS))('%s', (name, make) => {
  const cap = new Map(Object.entries(CAPS)).get(name) ?? 0;

  test('gives one short line in which nothing is hidden, for any input', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, long), (text) => {
        const shown = make(text);
        expect(shown.replace(EMOJI, ' ')).not.toMatch(UNSEEN);
        expect([...shown].length).toBeLessThanOrEqual(cap);
        expect(isPlain(shown)).toBe(true);
        expect(shown).not.toMatch(/^\p{M}|\p{M}{4}/u);
      }),
      { numRuns: 500 },
    );
  });

  test('leaves its own results unchanged', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, long), (text) => {
        const shown = make(text);
        expect(make(shown)).toBe(shown);
      }),
      { numRuns: 500 },
    );
  });

  test('leaves plain ASCII unchanged, as long as it is short', () => {
    const ascii = fc.stringMatching(/^[!-~]( ?[!-~])*$/, { maxLength: 60 });
    fc.assert(fc.property(ascii, (text) => expect(make(text)).toBe(text)));
  });

  test('is quick even for a text as long as a file', () => {
    for (const piece of [' [', '\u0301', '👩\u200d', ' ', '\u202e', 'a', '\ud83d', '日', '\u05d0']) {
      const began = processorMs();
      make(piece.repeat(256 * 1024));
      expect(processorMs() - began).toBeLessThan(1_000);
    }
  });
});

test.each([
  ['a line break', 'shop?\nDevDB: harmless', 'shop? DevDB: harmless'],
  ['a separator of lines', 'a\u2028b\u0085c\rd', 'a b c d'],
  ['a mark of direction', 'shop\u202egnp.exe', 'shop[U+202E]gnp.exe'],
  ['an isolate', '\u2067a\u2069', '[U+2067]a[U+2069]'],
  ['a letter without width', 'sh\u200bop', 'sh[U+200B]op'],
  ['tags that only a model reads', 'a\u{e0041}', 'a[U+E0041]'],
  ['letters that are blank', 'a\u3164\uffa0\u2800', 'a[U+3164][U+FFA0][U+2800]'],
  ['an order to a terminal', '\u001b[2K\u009b2Jx', '[U+001B][2K[U+009B]2Jx'],
  ['private use', '\ue001', '[U+E001]'],
  ['half a character', 'a\ud83d', 'a[U+D83D]'],
  ['selectors that carry data', 'a\ufe01\u{e0100}', 'a[U+FE01][U+E0100]'],
  ['a selector behind a letter', 'a\ufe0f', 'a[U+FE0F]'],
  ['a pile of marks', `a${'\u0301'.repeat(9)}`, 'á\u0301\u0301\u0301[5 marks]'],
  ['a mark that would sit on our words', '\u0338x', '[U+0338]x'],
  ['blanks that push the rest out of sight', `a${' '.repeat(30)}b`, 'a [30 blanks] b'],
  ['nothing', ' \n ', '(empty)'],
])('a name with %s is shown so that it is visible', (_what, name, shown) => {
  expect(nameText(name)).toBe(shown);
});

test.each([
  ['Cyrillic among Latin', 'sh\u043ep', 'sh\u043ep [Latin + Cyrillic]'],
  ['nothing but Cyrillic that reads as Latin', '\u0441\u043e\u0440', '\u0441\u043e\u0440 [Cyrillic]'],
  ['Greek', '\u03c1ay', '\u03c1ay [Latin + Greek]'],
  ['Hebrew, which turns the order of digits behind it', 'אב', 'אב [Hebrew]'],
  ['wide letters', 'ｓhop', 'ｓhop [look-alikes]'],
  ['bold letters of mathematics', '𝐬𝐡𝐨𝐩', '𝐬𝐡𝐨𝐩 [look-alikes]'],
  ['a letter of phonetics', 'lo\u0261s', 'lo\u0261s [look-alikes]'],
  ['digits of another script', 'shop\u0661', 'shop\u0661 [Latin + Arabic + other digits]'],
  ['many scripts', 'a\u0441\u03c1א', 'a\u0441\u03c1א [4 kinds of letters]'],
  ['a mark of its own that is not true', '\u0441\u043e\u0440 [Latin]', '\u0441\u043e\u0440 [Latin] [Latin + Cyrillic]'],
])('a name of %s is marked', (_what, name, shown) => {
  expect(nameText(name)).toBe(shown);
});

test.each([
  '注文データベース',
  '東京タワーdb',
  '주문',
  'café',
  'Größe',
  'Tiếng Việt',
  'naïve',
  'm²',
  '👩‍💻 shop',
  '❤️',
  '🇩🇪 orders',
  'Łódź',
])('the name %s stays unchanged', (name) => expect(nameText(name)).toBe(name.normalize('NFC')));

test.each(['قاعدة بيانات', 'מסד נתונים', 'база', 'ฐานข้อมูล', 'हिन्दी'])(
  'the name %s is readable, with its script',
  (name) => {
    expect(nameText(name)).toMatch(new RegExp(`^${name} \\[\\w+\\]$`));
  },
);

test('a name is cut at its end, between characters, and a path in its middle', () => {
  expect(nameText('x'.repeat(100))).toBe(`${'x'.repeat(63)}…`);
  expect(nameText('👩‍💻'.repeat(40))).toBe(`${'👩‍💻'.repeat(21)}…`);
  const path = pathText(`/begin/${'x/'.repeat(400)}end.db`);
  expect(path).toMatch(/^\/begin\/.*….*\/end\.db$/);
});

test('a name that reads like part of our sentence is put in quotes', () => {
  const shown = (name: string) => quoted(nameText(name));
  expect(['app.db', 'env:DATABASE_URL', 'größe'].map(shown)).toEqual(['app.db', 'env:DATABASE_URL', 'größe']);
  expect(shown('shop? "Nothing" is changed. Run')).toBe(`"shop? 'Nothing' is changed. Run"`);
});

test('a value is JSON with both ends', () => {
  expect(valueText('a\nb\u202e')).toBe('"a\\nb[U+202E]"');
  expect(valueText(`a${'x'.repeat(1_000)}z`)).toMatch(/^"ax+ \[\.\.\. \d+ characters are not shown \.\.\.\] x+z"$/);
  expect(valueText(5)).toBe('5');
});

test("a server's sentence may be in any language, and its length is stated when it is cut", () => {
  expect(sentenceText('ошибка\n  LINE 1: x\r\n')).toBe('ошибка   LINE 1: x');
  expect(sentenceText('x'.repeat(9_000))).toMatch(/^x+… \(9000 characters\)$/);
});

test('sentences combine our words with plain parts', () => {
  const ask = plain`Run this on ${nameText('a\nb')} (${5})?`;
  expect(ask).toBe('Run this on a b (5)?');
  expect(joined([ask, plain`x`])).toBe('Run this on a b (5)?, x');
  expect(() => plain`two\nlines`).toThrow('Not plain');
});

test('JSON keeps its meaning and stays on one line in a terminal', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const json = plainJson(JSON.stringify({ text }));
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ text })));
      expect(json.replace(EMOJI, ' ')).not.toMatch(UNSEEN);
    }),
  );
});
