import { rowValues as mssql } from './mssql/row-values.ts';
import { rowValues as mysql } from './mysql/row-values.ts';
import { rowValues as postgres } from './postgres/row-values.ts';
import type { EditableColumn, RowValues, Value } from './row-editing.ts';
import { rowValues as sqlite } from './sqlite/row-values.ts';

const column = (type: string): EditableColumn => ({ name: 'c', type, isNullable: true, kind: 'plain' });
const written = (values: RowValues, type: string, text: string, before?: Value) =>
  values.write(column(type), text, before);

describe('SQL Server', () => {
  test.each<[string, string, string]>([
    ['int', '5', '5'],
    ['bigint', '9223372036854775807', '9223372036854775807'],
    ['decimal(38,10)', '-0.5000000000', '-0.5000000000'],
    ['money', '12.5', '12.5'],
    ['float', '1.5', '1.5E0'],
    ['real', '1e-7', 'CAST(1e-7 AS real)'],
    ['bit', 'true', '1'],
    ['nvarchar(50)', "it's", "N'it''s'"],
    ['datetime', '2024-03-10 02:30:00.123', "CONVERT(datetime, N'2024-03-10 02:30:00.123', 121)"],
    ['datetime2(7)', '2024-03-10 02:30:00.1234567', "N'2024-03-10 02:30:00.1234567'"],
    ['uniqueidentifier', '0E984725-C51C-4BF4-9960-E1C80E27ABA0', "N'0E984725-C51C-4BF4-9960-E1C80E27ABA0'"],
  ])('writes %s: %s', (type, text, expected) => {
    expect(written(mssql, type, text)).toBe(expected);
  });

  test.each<[string, Value, string | undefined]>([
    ['int', 5, '[c] = 5'],
    ['decimal(38,10)', '12345678901234567890.1', '[c] = 12345678901234567890.1'],
    ['real', 0.1, '[c] = CAST(0.1E0 AS real)'],
    ['bit', true, '[c] = 1'],
    ['varchar(10)', "a' ", "CAST(CAST([c] AS nvarchar(max)) AS varbinary(max)) = CAST(N'a'' ' AS varbinary(max))"],
    ['datetime', '2024-03-10 02:30:00.123', "[c] = CONVERT(datetime, N'2024-03-10 02:30:00.123', 121)"],
    ['varbinary(max)', { bytes: 2, hex: 'ff00' }, '[c] = 0xff00'],
    ['rowversion', { bytes: 8, hex: '00000000000007d1' }, '[c] = 0x00000000000007d1'],
    ['sql_variant', 'x', undefined],
    ['image', { bytes: 1, hex: '00' }, undefined],
  ])('compares %s: %s', (type, cell, expected) => {
    expect(mssql.same(column(type), cell)).toBe(expected);
  });

  test('finds a row by a text key as the index has it', () => {
    expect(mssql.key(column('nvarchar(20)'), 'a')).toBe("[c] = N'a'");
  });
});

describe('a text that is no value of its column', () => {
  test.each<[string, RowValues, string, string]>([
    ['mysql', mysql, 'int unsigned', '12abc'],
    ['mysql', mysql, 'int', '1.5'],
    ['mysql', mysql, 'decimal(10,2)', ''],
    ['mysql', mysql, 'double', '1; DROP TABLE t'],
    ['mysql', mysql, 'bit(9)', "b'1'"],
    ['mssql', mssql, 'int', '1 OR 1=1'],
    ['mssql', mssql, 'money', '$5'],
    ['mssql', mssql, 'bit', '2'],
    ['mssql', mssql, 'float', 'NaN'],
  ])('is refused on %s', (_name, values, type, text) => {
    expect(() => written(values, type, text)).toThrow(expect.objectContaining({ code: 'E_INVALID_PARAMS' }));
  });
});

test('SQLite gets what a column’s affinity keeps: numbers as numbers, digits of a text column as text', () => {
  expect(written(sqlite, 'TEXT', '007')).toBe("'007'");
  expect(written(sqlite, 'INTEGER', '9007199254740993')).toBe('9007199254740993');
  expect(written(sqlite, 'INTEGER', '007')).toBe("'007'");
  expect(written(sqlite, 'BOOLEAN', 'true')).toBe('1');
  expect(written(sqlite, '', '5', 4)).toBe('5');
  expect(written(sqlite, '', '5', 'four')).toBe("'5'");
  expect(written(sqlite, 'INTEGER', '1); DROP TABLE t --')).toBe("'1); DROP TABLE t --'");
});

test('SQLite compares texts by their bytes, and digits that JSON cannot carry as what they are', () => {
  expect(sqlite.same(column('TEXT'), 'Ann')).toBe(`"c" IS ('Ann') COLLATE BINARY`);
  expect(sqlite.same(column(''), '9007199254740993')).toBe(`CAST("c" AS TEXT) IS ('9007199254740993') COLLATE BINARY`);
  expect(sqlite.same(column('REAL'), '-Infinity')).toBe(`("c" IS -9e999 OR "c" IS ('-Infinity') COLLATE BINARY)`);
});

test('Postgres gets quoted literals, which take the column’s type; exact numbers stand alone', () => {
  expect(written(postgres, 'integer', '5')).toBe('5');
  expect(written(postgres, 'integer', "5'")).toBe("'5'''");
  expect(written(postgres, 'integer[]', '5')).toBe("'5'");
  expect(postgres.same(column('real'), 0.1)).toBe(`"c" = '0.1'`);
  expect(postgres.same(column('citext'), 'a')).toBe(`"c"::text COLLATE "C" = 'a'`);
  expect(postgres.same(column('json'), '{}')).toBe(`"c"::text COLLATE "C" = '{}'`);
  expect(postgres.same(column('character(4)'), 'ab  ')).toBe(`"c" = 'ab  '`);
  expect(postgres.same(column('timestamp with time zone[]'), '{}')).toBe(`"c"::text COLLATE "C" = '{}'`);
});

test('MySQL compares texts by their bytes, a float as it is shown, and spatial values not at all', () => {
  expect(mysql.same(column('varchar(9)'), 'a')).toBe(
    "CAST(CONVERT(`c` USING utf8mb4) AS BINARY) = CAST('a' AS BINARY)",
  );
  expect(mysql.same(column('float'), 0.1)).toBe('CONCAT(`c`) + 0E0 = 0.1E0');
  expect(mysql.same(column('point'), { bytes: 1, hex: '00' })).toBeUndefined();
  expect(mysql.key(column('varchar(9)'), 'a')).toBe("`c` = 'a'");
});

describe('a part of a text in any case', () => {
  test.each<[string, RowValues, string, string, string | undefined]>([
    ['postgres', postgres, 'text', "it's", `position(lower('it''s'::text) in lower("c"::text)) > 0`],
    ['mysql', mysql, 'varchar(9)', "it's", "INSTR(LOWER(CONVERT(`c` USING utf8mb4)), LOWER('it''s')) > 0"],
    ['mysql', mysql, 'bit(9)', '5', "INSTR(LOWER(CONVERT(CAST(`c` + 0 AS CHAR) USING utf8mb4)), LOWER('5')) > 0"],
    ['mysql', mysql, 'blob', 'x', undefined],
    [
      'sqlite',
      sqlite,
      '',
      "Ö'",
      `(typeof("c") <> 'blob' AND (instr(lower("c"), 'ö''') > 0 OR instr(upper("c"), 'Ö''') > 0))`,
    ],
    ['mssql', mssql, 'int', "1'", "CHARINDEX(LOWER(N'1'''), LOWER(CONVERT(nvarchar(max), [c]))) > 0"],
    ['mssql', mssql, 'datetime', '2024', "CHARINDEX(LOWER(N'2024'), LOWER(CONVERT(nvarchar(max), [c], 121))) > 0"],
    ['mssql', mssql, 'geography', 'x', undefined],
  ])('on %s in %s', (_name, values, type, text, expected) => {
    expect(values.contains(column(type), text)).toBe(expected);
  });
});

test('a column is compared by what its type holds, and one that cannot be is not', () => {
  expect(mysql.compared(column('float'))).toBe('CONCAT(`c`) + 0E0');
  expect(mysql.compared(column('geometry'))).toBeUndefined();
  expect(mssql.compared(column('ntext'))).toBe('CONVERT(nvarchar(max), [c])');
  expect(mssql.compared(column('image'))).toBeUndefined();
});
