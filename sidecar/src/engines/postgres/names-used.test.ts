import { namesInText, namesUsed } from './names-used.ts';
import { loadGrammar, parseSql } from './sql-tree.ts';

beforeAll(loadGrammar);

function used(sql: string): ReturnType<typeof namesUsed> {
  const parsed = parseSql(sql);
  const [node] = parsed.ok ? parsed.statements : [];
  if (node === undefined) throw new Error(`${sql} cannot be read`);
  return namesUsed(node);
}

describe('namesUsed', () => {
  it.each([
    ['SELECT a BETWEEN 1 AND 2', ['>=', '<=', '<', '>']],
    ['SELECT CASE a WHEN 1 THEN 2 END', ['=']],
    ['SELECT a IN (1), nullif(a, 1), a IS DISTINCT FROM 2', ['=']],
    ['SELECT a NOT IN (1)', ['<>']],
    ['SELECT a IN (SELECT 1)', ['=']],
    ['SELECT a >= ALL (SELECT 1)', ['>=', '=']],
    ['SELECT 1 FROM t JOIN u USING (a)', ['=']],
    ['SELECT 1 FROM t NATURAL JOIN u', ['=']],
    ["SELECT a LIKE 'x', a NOT ILIKE 'x', a SIMILAR TO 'x'", ['~~', '!~~*', '~']],
    ['SELECT a FROM t ORDER BY a USING <#', ['<#']],
    ['SELECT a OPERATOR(s.===) b', ['===']],
  ])('finds the operators of %s', (sql, operators) => {
    expect(new Set(used(sql).operators.map(({ name }) => name))).toEqual(new Set(operators));
  });

  it('counts the values of a call as Postgres does', () => {
    const sql = 'SELECT a(), b(1, x => 2), c(VARIADIC d), e(1) WITHIN GROUP (ORDER BY f), (g).h, i(*)';
    expect(used(sql).calls).toEqual([
      { name: 'a', values: 0 },
      { name: 'b', values: 2 },
      { name: 'c', values: undefined },
      { name: 'e', values: 2 },
      { name: 'h', values: 1 },
      { name: 'i', values: 0 },
    ]);
  });

  it.each([
    ["SELECT 'x'::s.a", ['a']],
    ['SELECT CAST(x AS a[])', ['a']],
    ["SELECT a 'x'", ['a']],
    ["SELECT * FROM json_to_record('{}') AS t(b a)", ['a']],
    ["SELECT * FROM JSON_TABLE('{}', '$' COLUMNS (b a PATH '$'))", ['a']],
    ["SELECT json_value('{}', '$' RETURNING a)", ['a']],
    ["SELECT * FROM XMLTABLE('/a' PASSING x COLUMNS b a PATH '.')", ['a']],
  ])('finds the types of %s', (sql, types) => {
    expect(used(sql).types).toEqual(types);
  });

  it.each([
    ['SELECT * FROM s.a, ONLY b, LATERAL (SELECT * FROM c) d', ['a', 'b', 'c']],
    ['INSERT INTO a SELECT * FROM b', ['a', 'b']],
    ['UPDATE a SET x = 1 FROM b', ['a', 'b']],
    ['DELETE FROM a USING b', ['a', 'b']],
    ['MERGE INTO a USING b ON true WHEN MATCHED THEN DELETE', ['a', 'b']],
    ['SELECT * FROM a UNION SELECT * FROM b EXCEPT TABLE c', ['a', 'b', 'c']],
    ['EXPLAIN SELECT * FROM a', ['a']],
  ])('finds the relations of %s', (sql, relations) => {
    expect(new Set(used(sql).relations)).toEqual(new Set(relations));
  });

  it('distinguishes the cast of a constant, which only reads a text, from one of a value', () => {
    expect(used("SELECT '5'::integer").casts).toEqual([]);
    expect(used('SELECT spot::integer, CAST(x AS s.t)').casts).toEqual(['int4', 't']);
  });
});

it('takes every word of an unparsable text for a name', () => {
  const { calls, types, relations } = namesInText('SELEC F(x) FROM "A b"');
  expect(calls).toContainEqual({ name: 'f', values: undefined });
  expect(types).toContain('A b');
  expect(relations).toContain('A b');
});
