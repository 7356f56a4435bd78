import * as fc from 'fast-check';
import { type TokenKind, tokenize, unterminatedComment } from './tokenize.ts';

function kinds(sql: string): [TokenKind, string][] | string {
  const read = tokenize(sql);
  return read.ok ? read.tokens.map(({ kind, value }) => [kind, value]) : read.problem;
}

describe('tokenize', () => {
  test.each<[string, [TokenKind, string][]]>([
    ["'it''s'", [['string', "it's"]]],
    [
      '"a""b" `c``d` [e"f]',
      [
        ['quoted', 'a"b'],
        ['quoted', 'c`d'],
        ['quoted', 'e"f'],
      ],
    ],
    [
      "x'0aFF' X''",
      [
        ['blob', "x'0aFF'"],
        ['blob', "X''"],
      ],
    ],
    [
      '1 1.5 .5 1. 1e3 1.e-3 0xFF 1_000',
      ['1', '1.5', '.5', '1.', '1e3', '1.e-3', '0xFF', '1_000'].map((n) => ['number', n]),
    ],
    [
      '?, ?12 :a @b $c $c::d(e)',
      [
        ['parameter', '?'],
        ['operator', ','],
        ...['?12', ':a', '@b', '$c', '$c::d(e)'].map((p): [TokenKind, string] => ['parameter', p]),
      ],
    ],
    [
      'a->>b->c||d<>e!=f==g',
      [
        ['word', 'a'],
        ['operator', '->>'],
        ['word', 'b'],
        ['operator', '->'],
        ['word', 'c'],
        ['operator', '||'],
        ['word', 'd'],
        ['operator', '<>'],
        ['word', 'e'],
        ['operator', '!='],
        ['word', 'f'],
        ['operator', '=='],
        ['word', 'g'],
      ],
    ],
    [
      'größe 日本語 a$1 _b',
      [
        ['word', 'größe'],
        ['word', '日本語'],
        ['word', 'a$1'],
        ['word', '_b'],
      ],
    ],
    [
      'a -- b\n c /* d */ e /* f',
      [
        ['word', 'a'],
        ['word', 'c'],
        ['word', 'e'],
      ],
    ],
    ['/*/ a */ b --', [['word', 'b']]],
    [
      '\uFEFFa\uFEFF b',
      [
        ['word', 'a\uFEFF'],
        ['word', 'b'],
      ],
    ],
    ['1-- 2', [['number', '1']]],
    ['', []],
  ])('reads %s', (sql, expected) => {
    expect(kinds(sql)).toEqual(expected);
  });

  test.each([
    ["'a", 'a string that is never closed'],
    ['"a', 'a quoted name that is never closed'],
    ['[a', 'a quoted name that is never closed'],
    ['`a``', 'a quoted name that is never closed'],
    ["x'0'", 'the piece "x\'0\'"'],
    ['1a', 'the piece "1a"'],
    ['0x', 'the piece "0x"'],
    ['a ^ b', 'the piece "^ b"'],
    ['a \\', 'the piece "\\\\"'],
    ['!', 'the piece "!"'],
    [':', 'the piece ":"'],
    ['a\0', 'a NUL character'],
    ['\u0001', 'the character U+0001'],
  ])('does not guess at %j', (sql, problem) => {
    expect(kinds(sql)).toBe(problem);
  });

  test('gives pieces that are in order and contain everything but whitespace and comments', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab1\'"`[]x?:$-/*\n .,;()<=>|!é\uFEFF') }), (sql) => {
        const read = tokenize(sql);
        if (!read.ok) return;
        let at = 0;
        for (const { start, end, text } of read.tokens) {
          expect(sql.slice(start, end)).toBe(text);
          expect(sql.slice(at, start)).toMatch(/^(?:[ \n\uFEFF]|--[^\n]*|\/\*.*?\*\/)*$/s);
          at = end;
        }
        expect(sql.slice(at)).toMatch(/^(?:[ \n\uFEFF]|--[^\n]*|\/\*.*?(?:\*\/|$))*$/s);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('unterminatedComment', () => {
  test.each([
    ['/* a', true],
    ['/* a */ -- /* b', false],
    ['-- a\n/* b', true],
    ['', false],
  ])('judges %j', (text, expected) => {
    expect(unterminatedComment(text, 0)).toBe(expected);
  });
});
