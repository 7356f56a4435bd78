import * as fc from 'fast-check';
import { processorMs } from '../../../../fixtures/labs/processor-time.ts';
import { tokenize } from './tokenize.ts';

function texts(sql: string): string[] | string {
  const read = tokenize(sql);
  return read.ok ? read.tokens.map(({ text }) => text) : read.problem;
}

/** Texts that are one token each. */
const WORDS = [
  'SELECT',
  'delete',
  '#temp',
  '[a]]b]',
  '"x""y"',
  "'it''s'",
  "N'ü'",
  '1.5e-3',
  '0xfF',
  '$1.50',
  '@@ROWCOUNT',
  '<=',
  '::',
  '(',
];
/** Texts allowed between two tokens. */
const BLANKS = [' ', '\n', '\r\n', '\t', '/* a /* b */ c */', '-- DELETE\n', '\u00A0'];

describe('tokenize', () => {
  it('splits names, strings, numbers and operators', () => {
    expect(texts("SELECT t.[a]]b],'it''s'+N'x' FROM dbo.t WHERE x>=.5e1")).toEqual([
      'SELECT',
      't',
      '.',
      '[a]]b]',
      ',',
      "'it''s'",
      '+',
      "N'x'",
      'FROM',
      'dbo',
      '.',
      't',
      'WHERE',
      'x',
      '>=',
      '.5e1',
    ]);
  });

  it('returns the name inside brackets and quotes', () => {
    const read = tokenize('[a]]b] "c""d" N\'e\'\'f\'');
    expect(read.ok && read.tokens.map(({ kind, value }) => [kind, value])).toEqual([
      ['quoted', 'a]b'],
      ['quoted', 'c"d'],
      ['string', "e'f"],
    ]);
  });

  it('nests comments', () => {
    expect(texts('1 /* a /* b */ DELETE */ + 2')).toEqual(['1', '+', '2']);
  });

  it.each([
    ["SELECT 'a", 'a string that is not closed'],
    ['SELECT [a', 'a quoted name that is not closed'],
    ['SELECT "a', 'a quoted name that is not closed'],
    ['SELECT /* /* */', 'a comment that is not closed'],
    ['SELECT 1DELETE', 'a number that runs into a word'],
    ['SELECT 1 -- a\rDELETE', 'a line comment that holds an unusual line break'],
    ['SELECT `a`', 'the character "`"'],
    ['SELECT ?', 'the character "?"'],
    ['SELECT {fn now()}', 'the character "{"'],
    ['SELECT\u2003DELETE', 'the character "\u2003"'],
    ['SELECT \u0001', 'the character "\\u0001"'],
  ])('does not guess at %j', (sql, problem) => {
    expect(texts(sql)).toBe(problem);
  });

  it('reads the same tokens whatever is between them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...BLANKS)), { maxLength: 20 }),
        (parts) => {
          expect(texts(parts.map(([word, blank]) => word + blank).join(''))).toEqual(parts.map(([word]) => word));
        },
      ),
    );
  });

  it('leaves nothing of any text out: only whitespace and comments are between the tokens', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'aZ_@#$ 1.x\'"[]()/*-\n\r;,=éN'), maxLength: 40 }), (sql) => {
        const read = tokenize(sql);
        if (!read.ok) return;
        let at = 0;
        for (const { start, end } of read.tokens) {
          expect(sql.slice(at, start)).toMatch(/^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*\*\/)*$/);
          expect(end).toBeGreaterThan(start);
          at = end;
        }
      }),
    );
  });

  it('takes linear time', () => {
    const sql = `SELECT ${'/*'.repeat(50_000)}${"'".repeat(100_001)}`;
    const start = processorMs();
    tokenize(sql);
    tokenize(`SELECT ${'('.repeat(100_000)}`);
    expect(processorMs() - start).toBeLessThan(2_000);
  });
});
