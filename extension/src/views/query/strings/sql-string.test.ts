import * as fc from 'fast-check';
import { LANGUAGES, languageOf } from './languages.ts';
import { HOLE, literalsOf } from './literals.ts';
import { isWholeName, sqlStringAt } from './sql-string.ts';

/** A dollar before a brace in a plain text looks like a mistake. */
const dollars = (program: string) => program.replaceAll('§', '$');

/** The statement around `name` in a program, with what stands at the same place of both. */
function statement(languageId: string, written: string, name = 'orders') {
  const program = dollars(written);
  const offset = program.indexOf(name);
  const sql = sqlStringAt(languageId, program, offset);
  if (sql === undefined) return undefined;
  const at = offset - sql.start;
  expect(sql.text.slice(at, at + name.length)).toBe(name);
  return { ...sql, isWhole: isWholeName(sql, { start: at, end: at + name.length }) };
}

const textOf = (languageId: string, program: string) => statement(languageId, program)?.text;

test.each([
  ['typescript', 'const a = "SELECT * FROM orders";', 'SELECT * FROM orders'],
  ['javascript', "db.all('select 1 from orders where a = \\'x\\'')", "select 1 from orders where a =  'x '"],
  ['typescript', 'sql`SELECT * FROM orders WHERE id = §{id}`', `SELECT * FROM orders WHERE id = ${HOLE.repeat(5)}`],
  ['typescript', 'f(`a §{g(`SELECT 1 FROM orders`)} b`)', 'SELECT 1 FROM orders'],
  ['typescript', '`SELECT §{ {a: "}"} } FROM orders`', `SELECT ${HOLE.repeat(13)} FROM orders`],
  ['typescriptreact', "<p>Don't</p>;\nq('SELECT * FROM orders')", 'SELECT * FROM orders'],
  ['javascript', 'const r = /["\'`]/;\nq("SELECT * FROM orders")', 'SELECT * FROM orders'],
  ['javascript', 'const half = a / 2; q("SELECT 1 / 2 FROM orders")', 'SELECT 1 / 2 FROM orders'],
  ['typescript', 'q("SELECT * " +\n  "FROM orders")', 'SELECT *        FROM orders'],
  ['typescript', 'q("SELECT * FROM \\"orders\\" x")', 'SELECT * FROM  "orders"  x'],
  ['python', 'q("""\nSELECT *\nFROM orders\n""")', '\nSELECT *\nFROM orders\n'],
  ['python', "q('''SELECT \"a\" FROM orders''')", 'SELECT "a" FROM orders'],
  ['python', 'q(f\'SELECT {a["x"]} FROM orders\')', `SELECT ${HOLE.repeat(8)} FROM orders`],
  ['python', "q(rf'SELECT 1 FROM orders')", 'SELECT 1 FROM orders'],
  ['python', "# it's\nq('SELECT {a} FROM orders' 'x')", 'SELECT {a} FROM orders   x'],
  ['php', "<p>it's</p><?php $a = 'SELECT * FROM orders';", 'SELECT * FROM orders'],
  [
    'php',
    '<?php $a = "SELECT $b->c FROM orders WHERE id = {$d[\'e\']}";',
    `SELECT ${HOLE.repeat(5)} FROM orders WHERE id = ${HOLE.repeat(9)}`,
  ],
  ['php', '<?php $a = <<<SQL\n  SELECT 1\n  FROM orders\n  SQL;\n$b = 1;', '  SELECT 1\n  FROM orders\n'],
  ['php', "<?php $a = <<<'SQL'\nSELECT '$x' FROM orders\nSQL;", "SELECT '$x' FROM orders\n"],
  ['php', '<?php # it\'s ?>it\'s<?php q("SELECT " . "1 FROM orders");', 'SELECT      1 FROM orders'],
  ['ruby', 'q("SELECT #{a} FROM orders")', `SELECT ${HOLE.repeat(4)} FROM orders`],
  ['ruby', 'q(<<~SQL, 1)\n  SELECT 1\n  FROM orders\nSQL\nb = 2', '  SELECT 1\n  FROM orders\n'],
  ['ruby', 'q(%q(SELECT 1 FROM orders))', 'SELECT 1 FROM orders'],
  ['ruby', "a = 'it''s' # don't\nq('SELECT 1 FROM orders')", 'SELECT 1 FROM orders'],
  ['go', 'q(`SELECT "a"\nFROM orders`)', 'SELECT "a"\nFROM orders'],
  ['go', 'r := \'"\'\nq("SELECT 1 FROM orders")', 'SELECT 1 FROM orders'],
  ['csharp', 'q(@"SELECT ""a"" FROM orders")', 'SELECT  "a"  FROM orders'],
  ['csharp', 'q($"SELECT {a} FROM orders")', `SELECT ${HOLE.repeat(3)} FROM orders`],
  ['csharp', 'q("""\n  SELECT "a" FROM orders\n  """)', '\n  SELECT "a" FROM orders\n  '],
  ['java', 'q("""\n  SELECT 1\n  FROM orders""")', '\n  SELECT 1\n  FROM orders'],
  ['java', 'char c = \'"\'; q("SELECT 1 \\n FROM orders")', 'SELECT 1    FROM orders'],
] as const)('%s: %s', (languageId, program, text) => {
  expect(textOf(languageId, program)).toBe(text);
  expect(statement(languageId, program)?.isWhole).toBe(true);
});

test.each([
  ['typescript', '// "SELECT * FROM orders"'],
  ['typescript', '/* `SELECT * FROM orders` */'],
  ['typescript', 'const orders = 1;'],
  ['typescript', '"Choose from orders"'],
  ['typescript', '"the SELECT FROM orders"'],
  ['typescript', '"SELECT * FROM orders'],
  ['typescript', '`§{orders}`'],
  ['python', '# "SELECT * FROM orders"'],
  ['php', '<p>"SELECT * FROM orders"</p>'],
  ['ruby', '# "SELECT * FROM orders"'],
  ['plaintext', '"SELECT * FROM orders"'],
] as const)('%s: no statement is in %s', (languageId, program) => {
  expect(statement(languageId, program)).toBeUndefined();
});

test.each([
  ['typescript', '"SELECT * FROM orders" + suffix'],
  ['typescript', '`SELECT * FROM orders`\n  + suffix'],
  ['php', '<?php "SELECT * FROM orders" . $suffix'],
  ['python', '"SELECT * FROM orders" + suffix'],
] as const)('%s: a name that goes on is not known: %s', (languageId, program) => {
  expect(statement(languageId, program)?.isWhole).toBe(false);
});

test('a name around a hole is not known', () => {
  const sql = sqlStringAt('typescript', dollars('`SELECT * FROM orders_§{year}`'), 18);
  if (sql === undefined) throw new Error('No statement was found.');
  expect(isWholeName(sql, { start: 14, end: 28 })).toBe(false);
  expect(isWholeName(sql, { start: 0, end: 6 })).toBe(true);
});

test('every string has its text at its place, whatever the program is', () => {
  const piece = fc.constantFrom(
    ...[
      '"',
      "'",
      '`',
      '"""',
      '\\',
      '${',
      '{',
      '}',
      '\n',
      '<<~SQL',
      'SQL',
      '<?php ',
      '?>',
      '/',
      '//',
      '/*',
      '*/',
      '#',
      '%(',
      ')',
      '$a',
      '@"',
      'f',
      'a ',
      '+',
    ],
  );
  for (const id of Object.keys(LANGUAGES)) {
    const language = languageOf(id);
    if (language === undefined) throw new Error(`${id} is not known.`);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const program = pieces.join('');
        for (const { from, start, end, to, text } of literalsOf(program, language)) {
          expect(text).toHaveLength(end - start);
          expect(from <= start && start <= end && end <= to && to <= program.length).toBe(true);
        }
      }),
      { numRuns: 300, seed: 8 },
    );
  }
});

test('strings in strings that are nested too deep are not read', () => {
  const nested = (depth: number) => `${dollars('`§{').repeat(depth)}"SELECT 1 FROM orders"`;
  const found = (depth: number) => sqlStringAt('typescript', nested(depth), 3 * depth + 8)?.text;
  expect(found(20)).toBe('SELECT 1 FROM orders');
  expect(found(20_000)).toBeUndefined();
});
