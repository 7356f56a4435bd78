import fc from 'fast-check';
import { allNames, queriedTables } from './named-objects.ts';
import { type Token, tokenize } from './tokenize.ts';

function tokensOf(sql: string): readonly Token[] {
  const read = tokenize(sql, { ansiQuotes: false, backslashEscapes: true });
  if (!read.ok) throw new Error(read.problem);
  return read.tokens;
}

const shown = (sql: string): string[] =>
  queriedTables(tokensOf(sql)).map(({ schema, name }) => (schema === undefined ? name : `${schema}.${name}`));

describe('queriedTables', () => {
  it.each([
    ['SELECT a, b FROM t', ['t']],
    ['SELECT a FROM T x, `S p`.`V``w` y WHERE f(a, b) = c', ['T', 'S p.V`w']],
    ['SELECT 1 FROM .V', ['V']],
    ['SELECT 1 FROM s . V', ['s.V']],
    [
      'SELECT 1 FROM (a, (b JOIN c ON b.x = c.x)) LEFT JOIN (d, e) ON a.x = f(d.x, e.x), g',
      ['a', 'b', 'c', 'd', 'e', 'g'],
    ],
    ['SELECT 1 FROM a JOIN b USING (x, y), c PARTITION (p, q) AS k, d', ['a', 'b', 'c', 'd']],
    [
      'SELECT (SELECT 1 FROM a) FROM (SELECT 1 FROM b, c) x, d WHERE EXISTS (TABLE e) ORDER BY f',
      ['a', 'b', 'c', 'd', 'e'],
    ],
    ['WITH x (i) AS (SELECT 1 FROM a) SELECT i FROM x UNION SELECT 1 FROM b, c', ['a', 'x', 'b', 'c']],
    ['SELECT EXTRACT(YEAR FROM a), TRIM(BOTH b FROM c), SUBSTRING(d FROM 2) FROM t', ['t']],
    ['SELECT next FROM V', ['V']],
    ["SELECT 1 FROM JSON_TABLE(a, '$' COLUMNS (b int PATH '$')) j, LATERAL (SELECT 1 FROM c) k, d", ['c', 'd']],
    ['SELECT 1 FROM a FOR SYSTEM_TIME ALL, b', ['a', 'b']],
    ['SELECT STRAIGHT_JOIN a, b FROM c STRAIGHT_JOIN d', ['c', 'd']],
    ['SELECT `from` FROM DUAL', []],
  ])('finds the tables of %s', (sql, tables) => {
    expect(shown(sql)).toEqual(tables);
  });

  it('misses no table, however queries are nested', () => {
    const table = fc.integer({ min: 0, max: 999 }).map((number) => `t${number}`);
    const { query } = fc.letrec<{ query: string; factor: string }>((tie) => ({
      query: fc
        .record({
          factors: fc.array(
            fc.tuple(fc.constantFrom(', ', ' JOIN ', ' CROSS JOIN ', ' STRAIGHT_JOIN '), tie('factor')),
            {
              minLength: 1,
              maxLength: 3,
            },
          ),
          tail: fc.constantFrom(
            '',
            ' WHERE f(a, b) IN (1, 2)',
            ' GROUP BY a, b HAVING count(*) > 1',
            ' ORDER BY a, b LIMIT 1, 2',
          ),
        })
        .map(
          ({ factors, tail }) =>
            `SELECT a, f(b, c) FROM ${factors.map(([by, one], at) => (at === 0 ? one : by + one)).join('')}${tail}`,
        ),
      factor: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        table,
        table.map((name) => `s.${name} AS x`),
        table.map((name) => `${name} PARTITION (p, q) y`),
        fc.tuple(table, table).map(([a, b]) => `(${a}, ${b} JOIN s.${a} ON f(x, y) = 1)`),
        tie('query').map((inner) => `(${inner}) z`),
      ),
    }));
    fc.assert(
      fc.property(query, (sql) => {
        const named = new Set(queriedTables(tokensOf(sql)).map(({ name }) => name));
        for (const [name] of sql.matchAll(/\bt\d+\b/g)) expect(named).toContain(name);
      }),
    );
  });

  it("distinguishes the text's own names from others", () => {
    const own = queriedTables(
      tokensOf('WITH x AS (SELECT 1), `Y z` (a) AS (SELECT 2) SELECT * FROM X, `y Z`, s.x, other'),
    );
    expect(own.map(({ isOwn }) => isOwn)).toEqual([true, true, false, false]);
  });
});

describe('allNames', () => {
  it('takes every name, alone and with the one before its point', () => {
    const names = allNames(tokensOf('DELETE u FROM `My U` AS u WHERE u.id IN (1)'));
    expect(names).toEqual(expect.arrayContaining([expect.objectContaining({ schema: undefined, name: 'My U' })]));
    expect(names).toEqual(expect.arrayContaining([expect.objectContaining({ schema: 'u', name: 'id' })]));
  });
});
