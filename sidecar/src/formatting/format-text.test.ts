import { ENGINE_KINDS, type EngineKind } from '@devdb/shared/engines';
import * as fc from 'fast-check';
import { readerOf } from '../engines/index.ts';
import { formatText } from './format-text.ts';
import { type Indent, layOut } from './lay-out.ts';
import { isSameText } from './same-text.ts';

const TWO: Indent = { size: 2, tabs: false };

/** The text after its edits. */
async function formatted(
  kind: EngineKind,
  text: string,
  { part = { start: 0, end: text.length }, indent = TWO } = {},
): Promise<string> {
  const laidOut = async (statements: readonly string[]) => layOut({ kind, statements, indent });
  const edits = await formatText(await readerOf(kind), text, part, laidOut);
  return edits.reduceRight((now, edit) => now.slice(0, edit.start) + edit.text + now.slice(edit.end), text);
}

test('each clause has its line, indented as the editor does it', async () => {
  const sql = "select a,b from t where a=1 and b = 'x  y'";
  expect(await formatted('sqlite', sql)).toBe("select\n  a,\n  b\nfrom\n  t\nwhere\n  a = 1\n  and b = 'x  y'");
  expect(await formatted('sqlite', 'select a from t', { indent: { size: 4, tabs: true } })).toBe(
    'select\n\ta\nfrom\n\tt',
  );
});

test('comments, semicolons and what stands between statements stay', async () => {
  const sql = '-- first\n  select 1; -- one\n\n\n/* second */ select a, -- note\nb from t ;select 3;\n-- end\n';
  expect(await formatted('postgres', sql)).toBe(
    '-- first\nselect\n  1; -- one\n\n\n/* second */ select\n  a, -- note\n  b\nfrom\n  t ;\nselect\n  3;\n-- end\n',
  );
});

test.each([
  ['sqlite', 'select a/b from t', 'a / b'],
  ['mysql2', 'select @a:=1', '@a := 1'],
  ['postgres', 'select a::int,b', 'a::int,\n  b'],
  ['mssql', 'select a+=1', 'a += 1'],
] as const)('%s: symbols stand apart in %s', async (kind, sql, expected) => {
  expect(await formatted(kind, sql)).toContain(expected);
});

test('only the statements that a selection touches are formatted', async () => {
  const sql = 'select  1;\nselect  2;\nselect  3;\n';
  expect(await formatted('mysql2', sql, { part: { start: 13, end: 14 } })).toBe(
    'select  1;\nselect\n  2;\nselect  3;\n',
  );
});

test('line ends are those of the text', async () => {
  expect(await formatted('sqlite', "select a,\r\n'x\r\ny' from t;\r\n")).toBe(
    "select\r\n  a,\r\n  'x\r\ny'\r\nfrom\r\n  t;\r\n",
  );
});

test('what is formatted stays as it is when it is formatted again', async () => {
  for (const kind of ENGINE_KINDS) {
    const once = await formatted(kind, SAMPLES[kind].join(';\n'));
    expect(await formatted(kind, once)).toBe(once);
  }
});

test.each([
  ['sqlite', "select 'a from t", 'line 1'],
  ['mysql2', 'select 1;\n\nselect `a from t', 'line 3'],
  ['postgres', 'select 1;\nselect $$a from t', 'a quote or a comment that is not closed'],
  ['mssql', 'select [a from t', 'line 1'],
  ['sqlite', 'select 1;\nselect (1 from t', 'line 2'],
  ['postgres', '\\connect shop\nselect  1', 'a command of psql'],
  ['mssql', 'select $(variable) from t', 'Nothing was formatted'],
  ['sqlite', `select ${'('.repeat(3_000)}1${')'.repeat(3_000)}`, 'Nothing was formatted'],
] as const)('what %s cannot read is left as it is, with a sentence (%#)', async (kind, sql, sentence) => {
  await expect(formatted(kind, sql)).rejects.toMatchObject({
    name: 'AppError',
    message: expect.stringContaining(sentence),
    hint: expect.any(String),
  });
});

test.each([
  [
    'mysql2',
    'a routine between DELIMITER lines',
    'DELIMITER $$\nCREATE PROCEDURE p() BEGIN select  1; select  2; END$$\nselect  3 $$\nDELIMITER ;',
  ],
  ['mysql2', 'the same with a doubled semicolon', 'DELIMITER ;;\nselect  1;;\nselect  2;;\nDELIMITER ;'],
  ['mysql2', 'what its shell reads', 'source other.sql\nselect  1'],
  ['sqlite', 'a command of its shell', '.mode  column\nselect  1'],
  ['sqlite', 'a trigger', 'create trigger r after insert on t begin select  1; select  2; end'],
  ['sqlite', 'a line with a slash alone', 'select 1\n/\nselect  2'],
  ['postgres', 'a function', 'create function f() returns int language sql as $$ select  1 $$'],
  ['postgres', 'a block', 'do $$ begin  perform 1; end $$'],
  ['mssql', 'a batch that is run several times', 'select  1\nGO 5\nselect  2'],
  ['mssql', 'a command of sqlcmd', 'select  1\n:r other.sql\nselect  2'],
  ['mssql', 'a block', 'select  1\nbegin\n  select  2\nend'],
] as const)('%s: %s is left as it is', async (kind, _what, sql) => {
  expect(await formatted(kind, sql)).toBe(sql);
});

test('after the last DELIMITER line of a script statements are formatted again', async () => {
  const script = 'DELIMITER //\nselect  1 //\nDELIMITER ;\n';
  expect(await formatted('mysql2', `${script}select  2;`)).toBe(`${script}select\n  2;`);
});

test.each([
  ['mssql', 'select go from t', /select\s+go from\s+t|select go\nfrom\n {2}t/],
  ['sqlite', 'select go from t', /select go\nfrom/],
  ['mysql2', 'select delimiter from t', /select delimiter\nfrom/],
] as const)('%s: no word gets a line of its own that a client would obey: %s', async (kind, sql, expected) => {
  expect(await formatted(kind, sql)).toMatch(expected);
});

test.each([
  ['mysql2', 'create table count (a int)', 'count ('],
  ['mysql2', 'select count (*) from t', 'count ('],
  ['mysql2', 'select count(*) from t', 'count('],
  ['mysql2', "select x '41' from t", "x '41'"],
  ['mysql2', "select x'41' from t", "x'41'"],
  ['mysql2', 'select a.b, a . c from t', 'a.b'],
  ['postgres', "select :name, a::int, b[1:2], E'a\\'b' from t", "E'a\\'b'"],
  ['mssql', "select N'x', @p, [a ]] b] from t", "N'x'"],
  ['sqlite', '\uFEFFselect 1', '\uFEFFselect\n'],
] as const)('%s: blanks that mean something stay: %s', async (kind, sql, kept) => {
  expect(await formatted(kind, sql)).toContain(kept);
});

test('a proposal with other words, or other comments, is not taken', async () => {
  const reader = await readerOf('sqlite');
  for (const text of ['select b', 'select a, b', "select 'a'", 'select /* x */ a', 'select A']) {
    const part = { start: 0, end: 8 };
    await expect(formatText(reader, 'select a', part, async () => [{ ok: true, text }])).rejects.toMatchObject({
      code: 'E_NOT_SUPPORTED',
    });
  }
});

test.each([
  ['mssql', 'select 1 go', 'select 1\ngo'],
  ['mysql2', 'select a /*! b */', 'select a /* ! b */'],
  ['mysql2', "select 'a  b'", "select 'a b'"],
  ['postgres', 'select $$a  b$$', 'select $$a b$$'],
  ['postgres', 'select a @> b', 'select a @ > b'],
  ['mysql2', 'select 1 -- a\n+ 2', 'select 1 -- a + 2'],
] as const)('%s: two texts are not the same: %s', async (kind, before, after) => {
  expect(await isSameText(await readerOf(kind), before, after)).toBe(false);
});

const COMMON = [
  'select a, b as c from t join u on t.id = u.id where a in (1, 2) and (b = 3 or c is null) order by 1 desc',
  "insert into t (a, b) values (1, 'it''s'), (-2, '--'), (null, '/* */')",
  "update t set a = a + 1, b = 'x;y' where id = 1",
  'delete from t where a between 1 and 2',
  'with x as (select 1 as a) select * from x union all select 2',
  "create table n (id integer primary key, name varchar(20) not null default 'x', check (id > 0))",
  "select case when a = 1 then 'one' else 'other' end from t -- why\ngroup by a having count(*) > 1",
  'alter table t add column z int',
];

const SAMPLES: Readonly<Record<EngineKind, readonly string[]>> = {
  sqlite: [...COMMON, "select ?1, :a, @b, $c, [a b], `q`, \"r\", x'00ff' from t where d ->> '$.x' = 1 returning *"],
  mysql2: [
    ...COMMON,
    "select /*+ MAX_EXECUTION_TIME(5) */ `a b`, 'a\\'b', \"c\", @v, @@x, x'41', _utf8'y' /*! STRAIGHT_JOIN */ from t # hi\nwhere j->'$.x' = ? and k->>'$.y' <=> :name",
    'insert into t (a) values (1) on duplicate key update a = values(a)',
  ],
  postgres: [
    ...COMMON,
    "select a::int, b ->> 'x', E'a\\'b', $$do  x$$, $t$ $$ ; $t$, $1, a[1:2], U&'d' from \"T t\" where z @> '{}' and y ?| array['a'] and w #>> '{a,b}' ~* 'q' /* a /* nested */ b */ for update",
  ],
  mssql: [
    ...COMMON,
    "select top (10) [a]]b], N'x', @p, @@rowcount, 0x1F from dbo.t with (nolock) where a <> :id option (recompile)",
  ],
};

const BLANKS = [' ', '  ', '\n', '\t', ' \n ', '\r\n', '/* c */', ' -- l\n', '\n\n'] as const;

test.each(ENGINE_KINDS)(
  '%s: whatever is formatted has the same tokens, comments and statements as before',
  async (kind) => {
    const reader = await readerOf(kind);
    const tokens = await Promise.all(
      SAMPLES[kind].map(async (sql) => {
        const [first] = await reader.readings(sql);
        if (first?.ok !== true) throw new Error(`A sample cannot be read: ${sql}`);
        return first.tokens.map(({ text }) => text);
      }),
    );
    const statement = fc
      .constantFrom(...tokens)
      .chain((words) =>
        fc
          .array(fc.constantFrom(...BLANKS), { minLength: words.length, maxLength: words.length })
          .map((blanks) => words.map((word, at) => `${blanks[at] ?? ''}${word}`).join('')),
      );
    // Words in any order: most of it is no SQL, and has to be refused or stay the same.
    const anything = fc
      .array(fc.tuple(fc.constantFrom(...tokens.flat()), fc.constantFrom('', ...BLANKS)), { maxLength: 12 })
      .map((pieces) => `select ${pieces.flat().join('')}`);
    const text = fc.array(fc.oneof(statement, anything), { minLength: 1, maxLength: 3 });
    let done = 0;
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom(';', ';\n', ' ;  '), async (parts, separator) => {
        const sql = parts.join(separator);
        const result = await formatted(kind, sql).catch((error: unknown) => {
          expect(error).toMatchObject({ name: 'AppError', hint: expect.any(String) });
          return undefined;
        });
        if (result === undefined) return;
        done += 1;
        expect(result.replace(/\s+/g, '')).toBe(sql.replace(/\s+/g, ''));
        expect(await isSameText(reader, sql, result)).toBe(true);
      }),
      { numRuns: 60, seed: 8 },
    );
    expect(done).toBeGreaterThan(10);
  },
);
