import fc from 'fast-check';
import { briefPieces, encodeData, withoutRowsText, withRowsText } from './rows-text.ts';

const columns = [{ name: 'id', type: 'INTEGER' }];

test('data with rows as text looks like any other', () => {
  const data = withRowsText(columns, '[[1],["2"]]', { rowCount: 2, truncated: false });
  expect(data).toEqual({ columns, rows: [[1], ['2']], rowCount: 2, truncated: false });
  expect({ ...data, truncated: true }).toEqual({ columns, rows: [[1], ['2']], rowCount: 2, truncated: true });
  expect(JSON.stringify(data)).toBe(
    '{"columns":[{"name":"id","type":"INTEGER"}],"rows":[[1],["2"]],"rowCount":2,"truncated":false}',
  );
  expect(data.rows).toBe(data.rows);
});

test('the text goes into the JSON unchanged', () => {
  const data = withRowsText(columns, '[[1.50]]', { rowCount: 1 });
  expect(encodeData(data)).toBe('{"columns":[{"name":"id","type":"INTEGER"}],"rows":[[1.50]],"rowCount":1}');
  expect(encodeData(withRowsText([], '[]', {}))).toBe('{"columns":[],"rows":[]}');
});

test('the rest is available without the rows, but only where they are text', () => {
  expect(withoutRowsText(withRowsText(columns, '[]', { rowCount: 0 }))).toEqual({ columns, rowCount: 0 });
  expect(withoutRowsText({ columns, rows: [], rowCount: 0 })).toBeUndefined();
  expect(withoutRowsText('rows')).toBeUndefined();
});

test('a changed copy is encoded in its current state', () => {
  const data = withRowsText(columns, '[[1]]', { rowCount: 1 });
  expect(JSON.parse(encodeData({ ...data, rowCount: 7 }))).toEqual({ columns, rows: [[1]], rowCount: 7 });
});

test('text that is not an array is an error for its reader', () => {
  expect(() => withRowsText([], '{}', {}).rows).toThrow('not a JSON array');
});

const brief = (data: unknown): string => briefPieces(data).join('');

test('rows read briefly: names once, no types, and what is missing only when rows are', () => {
  const rows = '[[1,null,""],["1",0,"null"]]';
  const abc = ['a', 'a', 'b'].map((name) => ({ name, type: 'TEXT' }));
  expect(brief(withRowsText(abc, rows, { rowCount: 2, truncated: false }))).toBe(
    `{"columns":["a","a","b"],"rows":${rows}}`,
  );
  const cut = [{ row: 0, column: 2, length: 9000 }];
  expect(brief(withRowsText(columns, '[[1]]', { rowCount: 1, truncated: true, cut }))).toBe(
    '{"columns":["id"],"rows":[[1]],"rowCount":1,"truncated":true,"cut":[{"row":0,"column":2,"length":9000}]}',
  );
  expect(brief(withRowsText(columns, '[]', { rowCount: 0, truncated: false }))).toBe('{"columns":["id"],"rows":[]}');
});

test('a change reads as what it changed', () => {
  const none = { columns: [], rows: [], rowCount: 0, truncated: false };
  expect(brief({ ...none, affectedRows: 3 })).toBe('{"affectedRows":3}');
  expect(brief({ ...none, affectedRows: 0, messages: ['a note'] })).toBe('{"affectedRows":0,"messages":["a note"]}');
  expect(brief(none)).toBe('{"columns":[],"rows":[]}');
});

test('rows that read briefly can be read back, but for the types', () => {
  const cell = fc.oneof(
    fc.constantFrom(null, '', 'null', '1', 1, 0, -1.5, true, false, '9007199254740993'),
    fc.string(),
    fc.record({ bytes: fc.nat(), hex: fc.string() }),
  );
  const table = fc
    .integer({ min: 1, max: 4 })
    .chain((width) =>
      fc.tuple(
        fc.array(fc.string(), { minLength: width, maxLength: width }),
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 5 }),
        fc.boolean(),
      ),
    );
  fc.assert(
    fc.property(table, fc.boolean(), ([names, rows, truncated], asText) => {
      const typed = names.map((name) => ({ name, type: 'any' }));
      const facts = { rowCount: rows.length, truncated };
      const data = asText ? withRowsText(typed, JSON.stringify(rows), facts) : { columns: typed, rows, ...facts };
      const read = JSON.parse(brief(data));
      const whole = { rowCount: read.rows.length, truncated: false, ...read };
      expect(whole).toEqual({ columns: names, rows, ...facts });
    }),
  );
});
