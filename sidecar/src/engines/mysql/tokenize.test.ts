import fc from 'fast-check';
import { type QuoteMode, tokenize } from './tokenize.ts';

const USUAL: QuoteMode = { ansiQuotes: false, backslashEscapes: true };
const STANDARD: QuoteMode = { ansiQuotes: true, backslashEscapes: false };

function texts(sql: string, mode: QuoteMode = USUAL): string[] {
  const read = tokenize(sql, mode);
  return read.ok
    ? read.tokens.map(({ kind, text }) => `${kind}:${text}`)
    : [`${read.byServer ? 'server' : 'us'}:${read.problem}`];
}

describe('tokenize', () => {
  it.each([
    ['SELECT 1', ['word:SELECT', 'number:1']],
    ["'it''s' 'a\\'b'", ["string:'it''s'", "string:'a\\'b'"]],
    ['`a``b`', ['quoted:`a``b`']],
    ['t.into.2nd', ['word:t', 'operator:.', 'word:into', 'operator:.', 'word:2nd']],
    ['1.5e-3 .5 1. 0x1f 1e5', ['number:1.5e-3', 'number:.5', 'number:1.', 'number:0x1f', 'number:1e5']],
    ['1abc größe $x', ['word:1abc', 'word:größe', 'word:$x']],
    ["@a @`b c` @@global.x @'q'", ['variable:@a', 'variable:@`b c`', 'variable:@@global.x', "variable:@'q'"]],
    ['a:=b<=>c->>d', ['word:a', 'operator::=', 'word:b', 'operator:<=>', 'word:c', 'operator:->>', 'word:d']],
    ['1 -- x\n2 # y\n3 /* z */ 4', ['number:1', 'number:2', 'number:3', 'number:4']],
    ['1 --2', ['number:1', 'operator:-', 'operator:-', 'number:2']],
    ['/*!50000 a */ /*! b */ /*M! c */', ['word:a', 'word:b', 'word:c']],
    ['?', ['parameter:?']],
  ])('reads %s', (sql, expected) => {
    expect(texts(sql)).toEqual(expected);
  });

  it.each([
    ["'a\\' b", USUAL, 'server:a string that is never closed'],
    ['`a', USUAL, 'server:a quoted name that is never closed'],
    ['a /* b', USUAL, 'us:a comment that is never closed'],
    ['/* a /* b */ c */', USUAL, 'us:a comment inside a comment'],
    ['/*! a -- b */ c', USUAL, 'us:a comment inside an executable comment'],
    ["/*! 'a */ b'", USUAL, 'us:a piece that runs out of its comment'],
    ['/*!1234 a */', USUAL, 'us:an executable comment with a version that is not clear'],
    ['1.5FROM', USUAL, 'us:a number that runs into a name'],
    ['1e5INTO', USUAL, 'us:a number that runs into a name'],
    ['{d x}', USUAL, 'us:the character {'],
    ['a \u0001', USUAL, 'us:the character U+0001'],
    ['a \\ b', USUAL, 'server:a backslash outside of quotes'],
  ])('refuses %s', (sql, mode, problem) => {
    expect(texts(sql, mode)).toEqual([problem]);
  });

  it('ends quotes according to the sql_mode', () => {
    expect(texts('"a\\"b"', USUAL)).toEqual(['string:"a\\"b"']);
    expect(texts('"a\\" b', STANDARD)).toEqual(['quoted:"a\\"', 'word:b']);
    expect(texts("'a\\' b", STANDARD)).toEqual(["string:'a\\'", 'word:b']);
  });

  it('numbers executable comments, and marks names after a point', () => {
    const read = tokenize('a /*! b */ . c', USUAL);
    const shown = read.ok ? read.tokens.map(({ comment, afterPoint }) => [comment, afterPoint]) : [];
    expect(shown).toEqual([
      [undefined, false],
      [0, false],
      [undefined, false],
      [undefined, false],
    ]);
  });

  it('covers any text except whitespace and comments, or says where it stops', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (sql) => {
        for (const mode of [USUAL, STANDARD]) {
          const read = tokenize(sql, mode);
          if (!read.ok) {
            expect(read.at).toBeLessThanOrEqual(sql.length);
            continue;
          }
          let at = 0;
          for (const token of read.tokens) {
            expect(sql.slice(token.start, token.end)).toBe(token.text);
            expect(token.start).toBeGreaterThanOrEqual(at);
            at = token.end;
          }
        }
      }),
    );
  });
});
