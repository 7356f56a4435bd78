// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are expressions of the files that are read

import fc from 'fast-check';
import { processorMs } from '../../../../../fixtures/labs/processor-time.ts';
import { Evaluator } from './evaluate.ts';
import { type Expr, nameOf } from './expression.ts';
import type { Language } from './languages.ts';
import { parseExpression } from './parser.ts';
import { bindingsOf, callsOf, exported, readProgram } from './program.ts';

const ENV: Readonly<Record<string, string>> = { HOST: 'h', EMPTY: '' };

function evaluator(bindings: ReadonlyMap<string, Expr> = new Map()): Evaluator {
  return new Evaluator({
    bindings,
    env: (name) => (Object.hasOwn(ENV, name) ? { text: ENV[name] ?? '' } : { missing: [name] }),
    file: '/app/config/settings',
    root: '/app',
  });
}

function worthOf(source: string, language: Language): unknown {
  const value = evaluator().value(parseExpression(source, language));
  return value.ok ? value.value : value.reason;
}

/** The plain value of an expression made of literals. */
function plain(expr: Expr): unknown {
  if (expr.kind === 'value') return expr.value;
  if (expr.kind === 'list') return expr.items.map(plain);
  if (expr.kind === 'object') return Object.fromEntries([...expr.entries].map(([key, value]) => [key, plain(value)]));
  return `${expr.kind}!`;
}

const NOT_RUN = 'is computed and cannot be determined without running code';

const text = fc.string({ unit: 'binary', maxLength: 20 }).filter((value) => !value.includes('\0'));
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.boolean(),
    fc.constant(null),
    fc.nat(),
    text,
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .dictionary(text, tie('value'), { maxKeys: 4, noNullPrototype: true })
      .filter((one) => !Object.hasOwn(one, '__proto__')),
  ),
})).value;

const quoteSingle = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function written(value: unknown, language: 'python' | 'php'): string {
  if (value === null) return language === 'python' ? 'None' : 'null';
  if (typeof value === 'boolean') return language === 'python' ? (value ? 'True' : 'False') : String(value);
  if (typeof value === 'string') {
    return language === 'python'
      ? quoteSingle(value).replaceAll('\n', '\\n').replaceAll('\r', '\\r')
      : quoteSingle(value);
  }
  if (Array.isArray(value)) return `[${value.map((item) => written(item, language)).join(', ')}]`;
  if (typeof value !== 'object') return String(value);
  const sign = language === 'python' ? ': ' : ' => ';
  const pairs = Object.entries(value).map(([key, item]) => written(key, language) + sign + written(item, language));
  return language === 'python' ? `{${pairs.join(', ')}}` : `array(${pairs.map((pair) => `${pair},`).join(' ')})`;
}

/** PHP has one type for lists and maps. */
function asPhp(value: unknown): unknown {
  if (Array.isArray(value)) return Object.fromEntries(value.map((item, index) => [String(index), asPhp(item)]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asPhp(item)]));
}

describe('literals', () => {
  it('reads everything JSON can express as JavaScript', () => {
    fc.assert(
      fc.property(json, fc.nat(3), (value, indent) => {
        expect(plain(parseExpression(`(${JSON.stringify(value, null, indent)})`, 'javascript'))).toEqual(value);
      }),
    );
  });

  it('reads dictionaries as Python writes them', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(plain(parseExpression(written(value, 'python'), 'python'))).toEqual(value);
      }),
    );
  });

  it('reads arrays as PHP writes them', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(plain(parseExpression(written(value, 'php').replace(/^/, ''), 'php'))).toEqual(asPhp(value));
      }),
    );
  });
});

it.each<[Language, string, unknown]>([
  ['javascript', "'a\\'b' + \"c\\n\" + `d${1}`", "a'bc\nd1"],
  ['javascript', 'process.env.HOST!', 'h'],
  ['javascript', "process.env['NOPE'] ?? process.env.HOST", 'h'],
  ['javascript', "process.env.EMPTY || 'x'", 'x'],
  ['javascript', "process.env.EMPTY ?? 'x'", ''],
  ['javascript', 'Number(process.env.NOPE || 5432)', 5432],
  ['javascript', '`${process.env.HOST}:${String(1 + 2)}`', 'h:3'],
  ['javascript', "path.join(__dirname, '..', 'a.db')", '/app/a.db'],
  ['javascript', 'x as unknown as string', NOT_RUN],
  ['javascript', "('a' as string) satisfies string", 'a'],
  ['javascript', '<const>"a"', NOT_RUN],
  ['javascript', 'a ? "b" : "c"', NOT_RUN],
  ['javascript', '() => "a"', NOT_RUN],
  ['javascript', 'await load()', NOT_RUN],
  ['javascript', '"a", "b"', NOT_RUN],
  ['javascript', 'process.env.NOPE', 'refers to NOPE, which the .env files do not set'],
  ['python', "'a' \"b\" f'{1}c{{}}' r'\\d'", 'ab1c{}\\d'],
  ['python', "os.environ['HOST']", 'h'],
  ['python', "os.environ.get('NOPE', 'x')", 'x'],
  ['python', "config('NOPE', default=5, cast=int)", 5],
  ['python', "b'bytes'", NOT_RUN],
  ['python', "'a' if x else 'b'", NOT_RUN],
  ['python', "'sqlite:///%s/%s' % ('a', \"b\")", 'sqlite:///a/b'],
  ['python', "'%s' % 'a'", 'a'],
  ['python', "'%(name)s' % {'name': 'a'}", NOT_RUN],
  ['python', "'%s %s' % 'a'", NOT_RUN],
  ['python', '7 % 4', NOT_RUN],
  ['javascript', "options?.inMemory ? ':memory:' : 'shop.db'", 'shop.db'],
  ['javascript', "asked() ? 'shop.db' : ':memory:'", 'shop.db'],
  ['javascript', "asked() ? 'sqlite::memory:' : 'sqlite:shop.db'", 'sqlite:shop.db'],
  ['javascript', "asked() ? 'shop.db' : 'other.db'", NOT_RUN],
  ['javascript', "asked() ? path() : ':memory:'", NOT_RUN],
  ['javascript', "isProduction() ? 'shop.db' : ':memory:'", NOT_RUN],
  ['javascript', "mode(x) === 'development' ? ':memory:' : 'shop.db'", NOT_RUN],
  ['python', "Path('/a/b/c.py').resolve().parent.parent / 'd.db'", '/a/d.db'],
  ['python', "Path('/a/b/c.py').parents[1]", '/a'],
  ['python', "environ.Path('/a/b/c.py') - 2", '/a'],
  ['python', '"Ab".lower() + "Ab".upper()', 'abAB'],
  ['python', '(lambda x: x)', NOT_RUN],
  ['php', '\'a\' . "b{$x}"', NOT_RUN],
  ['php', "env('NOPE', 'x') . '_y'", 'x_y'],
  ['php', "getenv('NOPE') ?: 'z'", 'z'],
  ['php', "getenv('NOPE', true) ?: 'z'", 'z'],
  ['php', "(int) '12'", '12'],
  ['php', "__DIR__ . '/a'", '/app/config/a'],
  ['php', "'it\\'s \\n'", "it's \\n"],
  ['ruby', 'ENV.fetch("NOPE") { "d" }', 'd'],
  ['ruby', 'ENV.fetch("NOPE") { }', null],
  ['ruby', "ENV['EMPTY'].presence || 'x'", 'x'],
  ['ruby', '"#{ENV["HOST"]}_x"', 'h_x'],
  ['ruby', 'Rails.root.join("a", "b")', '/app/a/b'],
  ['ruby', 'ENV.fetch "HOST"', NOT_RUN],
])('evaluates %s: %s', (language, source, expected) => {
  expect(worthOf(source, language)).toBe(expected);
});

describe('a program', () => {
  it('binds names that are assigned one value, and no others', () => {
    const program = readProgram(
      `const a = 'x', ignored = 1;
let b = 'y';
if (process.env.CI) { b = 'z' }
const re = /["']\\/'/g, c = \`t\`;
function f() { const a2 = 1; return a2 }
const { HOST, NOPE: other } = process.env;
export default { a, b };
`,
      'javascript',
    );
    const names = bindingsOf(program);
    const scope = evaluator(names);
    const of = (name: string): unknown => {
      const value = scope.value({ kind: 'name', line: 1, name });
      return value.ok ? value.value : value.reason;
    };
    expect([of('a'), of('b'), of('HOST')]).toEqual(['x', NOT_RUN, 'h']);
    expect(of('other')).toContain('NOPE');
    expect(exported(program)?.kind).toBe('object');
  });

  it("calls its own functions that only give back a value, and knows no other's", () => {
    const program = readProgram(
      `MARK = '-'
def both(a, b):
    return a + MARK + b
def all_of(*parts): return both(*parts)
def twice(x): return x + x
def endless(x): return endless(x)
def with_default(x='y'): return x
def longer(x):
    y = x
    return y
quoted = lambda MARK: both(MARK, MARK)
`,
      'python',
    );
    const scope = evaluator(bindingsOf(program));
    const worth = (source: string): unknown => {
      const value = scope.value(parseExpression(source, 'python'));
      return value.ok ? value.value : value.reason;
    };
    expect(['both("a", "b")', 'all_of("a", "b")', 'quoted("a")'].map(worth)).toEqual(['a-b', 'a-b', 'a-a']);
    const unknown = [
      'both("a")',
      'both(a="a", b="b")',
      'all_of("a")',
      'endless("a")',
      'with_default("a")',
      'longer("a")',
      `${'twice('.repeat(20)}"${'x'.repeat(100)}"${')'.repeat(20)}`,
    ];
    expect(unknown.map(worth)).toEqual(unknown.map(() => NOT_RUN));
    expect(worth('both("a", os.environ["NOPE"])')).toContain('refers to NOPE');
  });

  it.each([
    ['development', 'dev'],
    ['test', 'tests'],
    ['staging', 'other'],
    [undefined, 'dev'],
  ])('binds the name that a switch sets as the case of %s has it', (mode, value) => {
    const program = readProgram(
      "let db;\nswitch (process.env.MODE) {\n  case 'test': db = 'tests'; break;\n  case 'local':\n  case 'development':\n    db = 'dev';\n    break;\n  default:\n    db = 'other';\n}\n",
      'javascript',
    );
    const env = (name: string) => (mode === undefined ? { missing: [name] } : { text: mode });
    const scope = new Evaluator({ bindings: bindingsOf(program), env, file: '/p/a.js', root: '/p' });
    expect(scope.value({ kind: 'name', line: 1, name: 'db' })).toEqual({ ok: true, value });
  });

  it('finds calls with type arguments, and their depth', () => {
    const program = readProgram('const s = new Source<A<B>>({ x: 1 });\nfunction g() { Source(2) }', 'javascript');
    expect(callsOf(program, 'Source').map(({ call, depth }) => [call.args.length, call.line, depth])).toEqual([
      [1, 1, 0],
      [1, 2, 1],
    ]);
  });

  it('reads an entry overridden by a later spread as the spread has it', () => {
    const program = readProgram('const o = { b: 2 };\nexport default { a: 1, b: 1, ...o };', 'javascript');
    const config = exported(program);
    const scope = evaluator(bindingsOf(program));
    const b = config && scope.field(config, 'b');
    expect(b && scope.value(b)).toEqual({ ok: true, value: 2 });
    const unknown = exported(readProgram('export default { a: 1, ...load() };', 'javascript'));
    expect(unknown && scope.field(unknown, 'a')?.kind).toBe('unreadable');
  });

  it('does not evaluate a name that stands for itself', () => {
    const program = readProgram('const a = b;\nconst b = a;\nconst o = { ...o };\nexport default o;', 'javascript');
    const scope = evaluator(bindingsOf(program));
    expect(scope.value({ kind: 'name', line: 1, name: 'a' }).ok).toBe(false);
    const config = exported(program);
    expect(config && scope.field(config, 'x')?.kind).not.toBe('value');
  });

  it('names only plain names', () => {
    expect(nameOf(parseExpression('a.b["c"].d', 'javascript'))).toBe('a.b.c.d');
    expect(nameOf(parseExpression('f().d', 'javascript'))).toBeUndefined();
  });
});

describe('any text', () => {
  const languages: readonly Language[] = ['javascript', 'python', 'php', 'ruby'];
  const pieces = [
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '"',
    "'",
    '`',
    '${',
    '#{',
    '\\',
    '=',
    '=>',
    ':',
    ',',
    '.',
    '<',
    '>',
    '/',
    '*',
    '#',
    '\n',
    ' ',
    'a',
    'if',
    'function',
    'lambda',
    'export default',
    'const',
    'return',
    '<?php',
    '?>',
    '1',
    '...',
    '?',
    '!',
    '|',
    '||',
    'as',
    'f"',
    'async',
  ];
  const soup = fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join(''));

  it('is read without failing and in finite time', () => {
    fc.assert(
      fc.property(soup, fc.constantFrom(...languages), (source, language) => {
        const program = readProgram(language === 'php' ? `<?php ${source}` : source, language);
        const scope = evaluator(bindingsOf(program));
        for (const { value } of program.assignments) scope.value(scope.resolve(value));
        callsOf(program, 'a');
        parseExpression(source, language);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    '(',
    '[',
    '{',
    '({',
    'a(',
    '[{',
    '"${',
    '`${',
    '/*',
    "'",
    '\\',
    'a=',
    'a=b\n',
    'const a=[',
    '-',
    '!',
    'a?',
    'a=>',
    'fn ',
    '...',
    '<',
    'a<',
    '{a:',
    'f"{',
    '"#{"',
    'from . import *\n',
    'as ',
    'class ',
    '\n',
  ])('is read quickly when %j is repeated', (piece) => {
    const source = piece.repeat(Math.floor((256 * 1024) / piece.length));
    const began = processorMs();
    for (const language of languages) {
      const program = readProgram(language === 'php' ? `<?php ${source}` : source, language);
      bindingsOf(program);
      callsOf(program, 'a');
    }
    expect(processorMs() - began).toBeLessThan(4_000);
  });
});
