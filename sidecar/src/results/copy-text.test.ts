import type { CopyForm } from '@devdb/shared/protocol/result-methods';
import { literals as mysql } from '../engines/mysql/literals.ts';
import { literals as sqlite } from '../engines/sqlite/literals.ts';
import { COPY_WRITERS } from './copy-text.ts';

const COLUMNS = [{ name: 'id' }, { name: 'no|te' }];
const ROWS = [
  [1, null],
  [2, ''],
  [3, 'a\t"b"\nc|d'],
  ['9223372036854775807', { bytes: 2, hex: '00ff' }],
];

function copied(form: CopyForm, heads = true, literals = sqlite): string {
  const { head, row, between, end } = COPY_WRITERS[form]({ columns: COLUMNS, heads, literals });
  return head + ROWS.map(row).join(between) + end;
}

test('TSV and CSV tell NULL from an empty text', () => {
  expect(copied('tsv')).toBe('id\tno|te\n1\t\n2\t""\n3\t"a\t""b""\nc|d"\n9223372036854775807\t00ff');
  expect(copied('csv', false)).toBe('1,\n2,""\n3,"a\t""b""\nc|d"\n9223372036854775807,00ff');
});

test('JSON is JSON, with every value as a query gives it', () => {
  expect(JSON.parse(copied('json'))).toEqual(ROWS.map(([id, note]) => ({ id, 'no|te': note })));
});

test('INSERT has the names and values in the words of the dialect', () => {
  expect(copied('insert').split(';\n')[3]).toBe(
    `INSERT INTO "table_name" ("id", "no|te") VALUES ('9223372036854775807', x'00ff')`,
  );
  const { row } = COPY_WRITERS.insert({ columns: [{ name: 'a`b' }], heads: true, literals: mysql });
  expect(row(["it's"])).toBe("INSERT INTO `table_name` (`a``b`) VALUES ('it''s');");
  // The same whatever NO_BACKSLASH_ESCAPES says.
  expect(row(["\\'; --"])).toBe("INSERT INTO `table_name` (`a``b`) VALUES (CONVERT(x'5c273b202d2d' USING utf8mb4));");
});

test('Markdown is one line a row', () => {
  expect(copied('markdown').split('\n').slice(0, 5)).toEqual([
    '| id | no\\|te |',
    '| --- | --- |',
    '| 1 | NULL |',
    '| 2 |  |',
    '| 3 | a\t"b"<br>c\\|d |',
  ]);
});

test('a single cell is copied as its text alone', () => {
  const { head, row } = COPY_WRITERS.tsv({ columns: [{ name: 'a' }], heads: false, literals: sqlite });
  expect(head + row(['a\t"b"'])).toBe('a\t"b"');
});
