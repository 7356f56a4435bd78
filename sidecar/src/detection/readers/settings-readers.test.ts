// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the files that are read

import fc from 'fast-check';
import { processorMs } from '../../../../fixtures/labs/processor-time.ts';
import { readConnectionString } from './ado-net.ts';
import { readCommandWords } from './command-words.ts';
import { readErb } from './erb.ts';
import { readJdbc } from './jdbc.ts';
import { at, textOf } from './located.ts';
import { readDatasources } from './prisma-schema.ts';
import { readProperties } from './properties.ts';
import { readToml } from './toml.ts';
import { readYaml, readYamlDocuments } from './yaml.ts';

const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/);

describe('readToml', () => {
  it('reads tables of texts, numbers and booleans', () => {
    const value = fc.oneof(fc.string(), fc.boolean(), fc.integer());
    const tables = fc.dictionary(word, fc.dictionary(word, value), { maxKeys: 4 });
    fc.assert(
      fc.property(tables, (wanted) => {
        const text = Object.entries(wanted)
          .map(([table, values]) =>
            [
              `[${table}] # x`,
              ...Object.entries(values).map(([key, one]) => `${key} = ${JSON.stringify(one)} # y`),
            ].join('\n'),
          )
          .join('\n\n');
        const { values, problems } = readToml(text);
        expect(problems).toEqual([]);
        const flat = Object.entries(wanted).flatMap(([table, inner]) =>
          Object.entries(inner).map(([key, one]) => [`${table}.${key}`, one]),
        );
        expect([...values].map(([key, one]) => [key, one.value])).toEqual(flat);
      }),
    );
  });

  it('skips lists, inline tables and multi-line texts, and continues after them', () => {
    const text =
      'a = [\n  "]", # ]\n  1,\n]\nb = { x = 1 }\nc = """\n[not]\nx = 1\n"""\n[[list]]\ny = 1\n["q.x"]\nd = 0x10\ne = \'raw\\n\'\n';
    const { values, problems } = readToml(text);
    expect(problems).toEqual([]);
    expect([...values]).toEqual([['q.x.e', { line: 14, value: 'raw\\n' }]]);
  });
});

describe('readProperties', () => {
  it('reads separators, escapes, comments and continued lines', () => {
    const [first, second] = readProperties('# x\n! y\na=1\nb : 2\nc 3\nd\\:e=\\u0041\\\n   f\n\n#---\na=4\n');
    expect([...(first ?? [])].map(([key, { value, line }]) => [key, value, line])).toEqual([
      ['a', '1', 3],
      ['b', '2', 4],
      ['c', '3', 5],
      ['d:e', 'Af', 6],
    ]);
    expect(second?.get('a')).toEqual({ line: 10, value: '4' });
  });
});

describe('readConnectionString', () => {
  it('returns whatever is put into quotes', () => {
    fc.assert(
      fc.property(fc.dictionary(word, fc.string(), { minKeys: 1, maxKeys: 4 }), (wanted) => {
        const text = Object.entries(wanted)
          .map(([key, value]) => `${key} = "${value.replaceAll('"', '""')}"`)
          .join(' ; ');
        expect(readConnectionString(text)).toEqual(new Map(Object.entries(wanted)));
      }),
    );
  });

  it.each(['', '  ;; ', 'words', 'a="x', '=1'])('does not accept %j', (text) => {
    expect(readConnectionString(text)?.get('a') ?? undefined).not.toBe('x');
  });
});

it.each([
  ['jdbc:postgresql://h:1/d?user=u&ssl=x&sslmode=require', { url: 'postgresql://h:1/d?user=u&sslmode=require' }],
  ['jdbc:mysql:loadbalance://a,b/d', { reason: 'names no host' }],
  ['jdbc:sqlite::memory:', { path: ':memory:' }],
  ['jdbc:sqlserver://h:1;databaseName=d;integratedSecurity=true', { url: 'sqlserver://h:1;database=d' }],
  ['postgres://h/d', { reason: 'is not a URL of the form jdbc:...' }],
])('readJdbc turns %s', (text, expected) => {
  expect(readJdbc(text)).toEqual(expected);
});

describe('readErb', () => {
  it('keeps the lines of a template, and removes comments and expressions', () => {
    const { text, problems, split } = readErb('a: 1 <%# two\nlines %>\nb: "x<%= ENV["Y"] %>z" # c\n');
    expect(problems).toEqual([]);
    expect(text.split('\n')).toHaveLength(4);
    const value = textOf(at(readYaml(text).value, 'b')) ?? '';
    expect(split(value).map((part) => (typeof part === 'string' ? part : `${part.kind} ${part.line}`))).toEqual([
      'x',
      'member 3',
      'z',
    ]);
  });

  it('does not run code', () => {
    expect(readErb('a: 1\n<% if x %>\nb: 2\n<% end %>').problems.map(({ line }) => line)).toEqual([2]);
    expect(readErb('a: 1\n<% if x %>\nb: <%= y %>\n<% end %>\nc: 3').text).toBe('a: 1\n\n\n\nc: 3');
    expect(readErb('erb_hole_0_end').problems).toHaveLength(1);
  });

  it('reads a file of nothing but tags quickly', () => {
    const began = processorMs();
    readErb('<%=1%>\n'.repeat(37_000));
    expect(processorMs() - began).toBeLessThan(4_000);
  });
});

it('readDatasources reads blocks beside comments and slashes in texts', () => {
  const text =
    '// datasource no {\ndatasource db { // x\n  provider = "mysql" // y\n  url = "mysql://h/d" // z\n}\nmodel A {\n  url String\n}\n';
  expect(readDatasources(text)).toEqual([
    { name: 'db', line: 2, provider: 'mysql', url: { kind: 'value', line: 4, value: 'mysql://h/d' } },
  ]);
});

it.each([
  ["a \"b c\" 'd\"' e'f'", { words: ['a', 'b c', 'd"', 'ef'] }],
  ['C:\\bin\\x.exe ""', { words: ['C:\\bin\\x.exe', ''] }],
  ['a $(b)', { reason: expect.stringContaining('without a shell') }],
])('readCommandWords reads %j', (text, expected) => {
  expect(readCommandWords(text)).toEqual(expected);
});

describe('readYaml', () => {
  it("includes what a merge key names; the map's own entries win", () => {
    const { value } = readYaml('x: &x {a: 1, b: 1}\ny: &y {b: 2, c: 2}\nz:\n  c: 3\n  <<: [*x, *y]\n');
    expect(['a', 'b', 'c'].map((name) => textOf(at(value, 'z', name)))).toEqual(['1', '1', '3']);
    expect(at(value, 'z')?.line).toBe(3);
  });

  it('reads several documents, each with its mistakes', () => {
    const readings = readYamlDocuments('a: 1\n---\nb: [\n---\nc: 3\n');
    expect(readings.map(({ value }) => textOf(at(value, 'a') ?? at(value, 'c')))).toEqual(['1', undefined, '3']);
    expect(readings.flatMap(({ problems }) => problems).length).toBeGreaterThan(0);
  });
});
