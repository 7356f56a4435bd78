import { encodeData, withoutRowsText, withRowsText } from './rows-text.ts';

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
