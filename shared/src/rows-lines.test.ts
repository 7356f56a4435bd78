import fc from 'fast-check';
import { answersPieces, rowsPieces } from './rows-lines.ts';
import { withRowsText } from './rows-text.ts';

const rowsText = (data: unknown): string => rowsPieces(data).join('');
const answersText = (data: unknown): string => answersPieces(data).join('');
const columnsOf = (...names: string[]) => names.map((name) => ({ name, type: 'TEXT' }));
const whole = { rowCount: 0, truncated: false };

test('names once, a line for each row, and a text bare unless it could be something else', () => {
  const rows =
    '[["a b",1,null],["null","1",""],["-- x",1.50,true],["2024-03-10","007"," a"],["two\\nlines",{"bytes":1,"hex":"ff"},"[1"]]';
  expect(rowsText(withRowsText(columnsOf('a', 'count(*)', 'a: b'), rows, whole))).toBe(
    [
      'a\tcount(*)\t"a: b"',
      'a b\t1\tnull',
      '"null"\t"1"\t""',
      '"-- x"\t1.50\ttrue',
      '2024-03-10\t"007"\t" a"',
      '"two\\nlines"\t{"bytes":1,"hex":"ff"}\t[1',
    ].join('\n'),
  );
});

test('a text of JSON stands bare, unless it could be binary or holds a backslash', () => {
  const texts = ['{"id": 1, "to": "Ann"}', '["a"]', 'say "hi"', '"hi"', '{"bytes":1,"hex":"ff"}', '{"a": "\\n"}'];
  const data = { columns: columnsOf('payload'), rows: texts.map((text) => [text]), ...whole };
  expect(rowsText(data).split('\n').slice(1)).toEqual([
    '{"id": 1, "to": "Ann"}',
    '["a"]',
    'say "hi"',
    ...texts.slice(3).map((text) => JSON.stringify(text)),
  ]);
});

test('what the rows do not say follows below', () => {
  const cut = [
    { row: 0, column: 0, length: 9000 },
    { row: 2, column: 1, length: 5000 },
  ];
  const data = { columns: columnsOf('note', 'n', 'n'), rows: [['x', 1, 2]], rowCount: 1, truncated: true, cut };
  expect(rowsText(data).split('\n').slice(2)).toEqual([
    '-- cut: note of row 1 (9000 bytes), column 2 of row 3 (5000 bytes); substr(column, from, length) reads the rest',
    '-- truncated after 1 rows: raise limit, or use export-query for all',
  ]);
  expect(rowsText({ columns: columnsOf('id'), rows: [], ...whole })).toBe('id\n-- no rows');
});

test('a change reads as what it changed', () => {
  const none = { columns: [], rows: [], ...whole };
  expect(rowsText({ ...none, affectedRows: 3 })).toBe('-- affectedRows: 3');
  expect(rowsText({ ...none, affectedRows: 0, messages: ['a\nnote'] })).toBe(
    '-- affectedRows: 0\n-- messages: ["a\\nnote"]',
  );
  expect(rowsText(none)).toBe('-- no rows');
  expect(rowsText({ ...none, rows: [[], []] })).toBe('-- rows without columns: 2');
});

test('one row of a wide table has each name beside its value', () => {
  const names = ['id', 'a b', ': ', 'c', 'd', 'e', 'f', '"g"'];
  const row = [1, 'text', null, '5', '', true, 'a: b', 'x'];
  expect(rowsText({ columns: columnsOf(...names), rows: [row], ...whole })).toBe(
    ['id: 1', 'a b: text', '": ": null', 'c: "5"', 'd: ""', 'e: true', 'f: a: b', '"\\"g\\"": x'].join('\n'),
  );
});

test('several answers stand under their numbers, an error in the place of its rows', () => {
  const rows = { columns: columnsOf('n'), rows: [[1]], ...whole };
  const error = { code: 'E_SQL', message: 'near "x":\nsyntax error', hint: 'Mend it.' };
  expect(
    answersText({
      answers: [
        { query: 1, ...rows },
        { query: 2, error },
        { query: 3, ...rows, rows: [] },
      ],
    }),
  ).toBe('-- 1\nn\n1\n-- 2: ="[E_SQL] near \\"x\\":\\nsyntax error. Hint: Mend it."\n-- 3\nn\n-- no rows');
});

test('data without rows is JSON', () => {
  expect(rowsText({ a: 1 })).toBe('{"a":1}');
  expect(answersText({ a: 1 })).toBe('{"a":1}');
});

test('a value that many rows have alike is written once, with the rest in lines', () => {
  const rows = Array.from({ length: 8 }, (_, at) => [at, null, 'a: b', '7']);
  const columns = columnsOf('id', 'gone', 'note', 'n');
  const lines = ['id', ...rows.map(([id]) => String(id)), '-- in every row: {"gone":null,"note":"a: b","n":"7"}'];
  expect(rowsText({ columns, rows, ...whole, rowCount: 8 })).toBe(lines.join('\n'));
});

test('it stands in each row where rows are few, missing or cut, and where its name is not its own', () => {
  const rows = Array.from({ length: 8 }, (_, at) => [at, null]);
  const columns = columnsOf('id', 'gone');
  const inRows = expect.not.stringContaining('every row');
  expect(rowsText({ columns, rows: rows.slice(1), ...whole, rowCount: 7 })).toEqual(inRows);
  expect(rowsText({ columns, rows, rowCount: 8, truncated: true })).toEqual(inRows);
  expect(rowsText({ columns, rows, ...whole, rowCount: 8, cut: [{ row: 0, column: 1, length: 9 }] })).toEqual(inRows);
  const twice = columnsOf('gone', 'gone');
  expect(rowsText({ columns: twice, rows, ...whole, rowCount: 8 })).toEqual(inRows);
});

test('one column stays in the rows where all of them are alike: it shows how many there are', () => {
  const rows = Array.from({ length: 9 }, () => [1, 'x']);
  const text = rowsText({ columns: columnsOf('a', 'b'), rows, ...whole, rowCount: 9 });
  expect(text).toBe(['a', ...Array(9).fill('1'), '-- in every row: {"b":"x"}'].join('\n'));
});

/** Reads the lines back. */
function decoded(text: string): { readonly columns: readonly string[]; readonly rows: readonly unknown[][] } {
  const lines = text.split('\n').filter((line) => !line.startsWith('-- '));
  const counted = /^-- rows without columns: (\d+)$/m.exec(text)?.[1];
  if (counted !== undefined) return { columns: [], rows: Array.from({ length: Number(counted) }, () => []) };
  const pairs = lines.map((line) => /^("(?:[^"\\]|\\.)*"|[^"\t]*?): (.*)$/s.exec(line));
  if (pairs[0]) {
    const cells = pairs.map((pair) => [readName(pair?.[1] ?? ''), readCell(pair?.[2] ?? '')] as const);
    return { columns: cells.map(([name]) => name), rows: [cells.map(([, cell]) => cell)] };
  }
  const [head, ...rows] = lines;
  return {
    columns: head?.split('\t').map(readName) ?? [],
    rows: rows.map((line) => line.split('\t').map(readCell)),
  };
}

function readName(text: string): string {
  return text.startsWith('"') ? String(JSON.parse(text)) : text;
}

function readCell(text: string): unknown {
  const isJson = /^(?:"|\{"bytes":|(?:null|true|false)$|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$)/.test(text);
  return isJson ? JSON.parse(text) : text;
}

const awkward = fc.constantFrom(
  '',
  ' ',
  '\t',
  '\n',
  '"',
  '\\',
  '\\"',
  '-- ',
  ': ',
  ',',
  '],[',
  '{"bytes":',
  '{"a":',
  'null',
  '-1',
  '1e5',
  '\u2028',
  'é',
);
const someText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.array(awkward, { maxLength: 4 }).map((parts) => parts.join('')),
);
const cell = fc.oneof(
  fc.constantFrom(
    null,
    '',
    'null',
    '1',
    1,
    0,
    -1.5,
    1e21,
    true,
    false,
    '9007199254740993',
    'NaN',
    '[]',
    '{}',
    '{"bytes":1}',
  ),
  someText,
  fc.record({ bytes: fc.nat(), hex: someText }),
);

test('more rows than a model is shown stay the JSON that they are', () => {
  const rows = Array.from({ length: 5_000 }, (_, at) => [at, `text é ${at}`]);
  const facts = { rowCount: 5_000, truncated: true };
  expect(JSON.parse(rowsText({ columns: columnsOf('{a', 'b'), rows, ...facts }))).toEqual({
    columns: ['{a', 'b'],
    rows,
    ...facts,
  });
  expect(rowsText({ columns: columnsOf('{a'), rows: [[1]], ...whole })).toBe('"{a"\n1');
});

describe('more long texts than a model is shown', () => {
  const text = (at: number) => `Dear "Ann" ${at},\n${'we sent it. '.repeat(150)}`;
  const rows = Array.from({ length: 50 }, (_, at) => [at, `mail ${at}`, at === 7 ? 'short' : text(at)]);
  const answer = rowsText({ columns: columnsOf('id', 'subject', 'body'), rows, rowCount: 50, truncated: true });

  test('are shortened alike, so that every row is there', () => {
    expect(answer.length).toBeLessThan(33 * 1024);
    const read = decoded(answer).rows;
    expect(read.map(([id, subject]) => [id, subject])).toEqual(rows.map(([id, subject]) => [id, subject]));
    expect(read[7]?.[2]).toBe('short');
    for (const [at, row] of read.entries()) {
      if (at !== 7) expect(text(at).startsWith(String(row[2]).slice(0, -1))).toBe(true);
    }
  });

  test('say which, and how to read one whole', () => {
    expect(answer.split('\n').slice(-2)).toEqual([
      '-- shortened to 500 characters: body of 49 rows; query one row alone to read it whole, or use export-query for all',
      '-- truncated after 50 rows: raise limit, or use export-query for all',
    ]);
  });

  test('stay whole where they are fewer', () => {
    const few = rows.slice(0, 20);
    const whole = rowsText({ columns: columnsOf('id', 'subject', 'body'), rows: few, rowCount: 20, truncated: false });
    expect(decoded(whole).rows).toEqual(few);
  });
});

test('every answer can be read back, but for the types', () => {
  const table = fc
    .integer({ min: 0, max: 10 })
    .chain((width) =>
      fc.tuple(
        fc.array(someText, { minLength: width, maxLength: width }),
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 4 }),
      ),
    );
  fc.assert(
    fc.property(table, fc.boolean(), fc.boolean(), ([names, rows], truncated, asText) => {
      const columns = columnsOf(...names);
      const facts = { rowCount: rows.length, truncated };
      const data = asText ? withRowsText(columns, JSON.stringify(rows), facts) : { columns, rows, ...facts };
      const text = rowsText(data);
      expect(decoded(text)).toEqual({ columns: names, rows });
      expect(/^-- truncated after (\d+) rows/m.exec(text)?.[1]).toBe(truncated ? String(rows.length) : undefined);
    }),
    { numRuns: 500 },
  );
});

test('nothing is lost where columns are the same in many rows', () => {
  const columnsAlike = fc
    .uniqueArray(someText, { minLength: 1, maxLength: 5 })
    .chain((names) =>
      fc.tuple(
        fc.constant(names),
        fc.array(fc.oneof(cell, fc.constant(undefined)), { minLength: names.length, maxLength: names.length }),
        fc.integer({ min: 6, max: 12 }),
      ),
    );
  fc.assert(
    fc.property(columnsAlike, ([names, alike, count]) => {
      // Undefined stands for a column that differs from row to row.
      const rows = Array.from({ length: count }, (_, at) => alike.map((value) => (value === undefined ? at : value)));
      const text = rowsText({ columns: columnsOf(...names), rows, rowCount: count, truncated: false });
      const note = text.split('\n').find((line) => line.startsWith(IN_EVERY_ROW));
      const read = decoded(text);
      const left = names.flatMap((name, at): [string, unknown][] =>
        read.columns.includes(name) ? [] : [[name, rows[0]?.[at]]],
      );
      // By its text: once Node 24 has read a backslash in a name, its JSON.parse takes some other names for that one.
      const pairs = left.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
      expect(note?.slice(IN_EVERY_ROW.length) ?? '{}').toBe(`{${pairs.join(',')}}`);
      const same = Object.fromEntries(left);
      const found = read.rows.map((row) => ({ ...named(read.columns, row), ...same }));
      expect(found).toEqual(rows.map((row) => named(names, row)));
    }),
    { numRuns: 300 },
  );
});

const IN_EVERY_ROW = '-- in every row: ';

function named(names: readonly string[], row: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name, at) => [name, row[at]]));
}
