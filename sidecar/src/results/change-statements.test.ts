import type { RowChange } from '@devdb/shared/protocol/edit-methods';
import type { Cell } from '@devdb/shared/tools/database/fields';
import { literals } from '../engines/mssql/literals.ts';
import { rowValues } from '../engines/mssql/row-values.ts';
import type { EditableColumn, EditableTable } from '../engines/row-editing.ts';
import { ChangeStatements } from './change-statements.ts';

const column = (name: string, type: string, kind: EditableColumn['kind'] = 'plain'): EditableColumn => ({
  name,
  type,
  isNullable: true,
  kind,
});
const COLUMNS = [
  column('id', 'bigint', 'given'),
  column('part', 'int'),
  column('name', 'nvarchar(9)'),
  column('place', 'hierarchyid'),
];
const TABLE: EditableTable = {
  name: 'parts',
  from: '[dbo].[parts]',
  columns: COLUMNS,
  key: ['id', 'part'],
  links: [{ columns: ['part'], parent: '[dbo].[kinds]', parentName: 'kinds', parentColumns: ['nr'] }],
};
const CELLS: readonly Cell[] = ['9007199254740993', 2, null, { bytes: 1, hex: '58' }];

const statements = (table = TABLE, columns = COLUMNS) =>
  new ChangeStatements({ table, columns }, { literals, values: rowValues });

async function sqlOf(...changes: RowChange[]): Promise<string[]> {
  return (await statements().of(changes, async () => CELLS)).map(({ sql }) => sql);
}

test('an UPDATE names the whole key and the old values of what it changes', async () => {
  expect(await sqlOf({ kind: 'update', row: 0, cells: [{ column: 2, value: 'Ann' }] })).toEqual([
    "UPDATE [dbo].[parts] SET [name] = N'Ann' WHERE [id] = 9007199254740993 AND [part] = 2 AND [name] IS NULL",
  ]);
});

test('a DELETE names every old value that can be compared', async () => {
  expect(await sqlOf({ kind: 'delete', row: 0 })).toEqual([
    'DELETE FROM [dbo].[parts] WHERE [id] = 9007199254740993 AND [part] = 2 AND [name] IS NULL',
  ]);
});

test('an INSERT names what was typed, and leaves the rest to the defaults', async () => {
  expect(
    await sqlOf({
      kind: 'insert',
      cells: [
        { column: 1, value: '3' },
        { column: 2, value: null },
      ],
    }),
  ).toEqual(['INSERT INTO [dbo].[parts] ([part], [name]) VALUES (3, NULL)']);
  expect(await sqlOf({ kind: 'insert', cells: [] })).toEqual(['INSERT INTO [dbo].[parts] DEFAULT VALUES']);
});

test('what the database gives, what is binary and what is no column is refused', async () => {
  for (const place of [0, 3])
    await expect(sqlOf({ kind: 'update', row: 0, cells: [{ column: place, value: '1' }] })).rejects.toMatchObject({
      code: 'E_NOT_SUPPORTED',
    });
  await expect(sqlOf({ kind: 'insert', cells: [{ column: 4, value: '1' }] })).rejects.toMatchObject({
    code: 'E_INVALID_PARAMS',
  });
});

test('a result without the whole key, or a table without one, says so', async () => {
  expect(statements(TABLE, COLUMNS.slice(1)).refusal).toMatch(/lacks id/);
  expect(statements({ ...TABLE, key: [] }).refusal).toMatch(/no primary key/);
  await expect(statements({ ...TABLE, key: [] }).of([{ kind: 'delete', row: 0 }], async () => CELLS)).rejects.toThrow(
    /no primary key/,
  );
});

test('all rows with the value of a cell are read by the database, NULL as NULL', () => {
  expect(statements().withSameValue(CELLS, 1)).toBe('SELECT * FROM [dbo].[parts] WHERE [part] = 2');
  expect(statements().withSameValue(CELLS, 2)).toBe('SELECT * FROM [dbo].[parts] WHERE [name] IS NULL');
  expect(() => statements().withSameValue(CELLS, 3)).toThrow(/cannot be compared/);
  expect(() => statements().withSameValue(CELLS, 9)).toThrow(/no column 10/);
});

test('a foreign key leads to a row of its table; NULL and other columns lead nowhere', () => {
  expect(statements().referenced(CELLS, 1)).toBe('SELECT * FROM [dbo].[kinds] WHERE [nr] = 2');
  expect(() => statements().referenced(['1', null, null, null], 1)).toThrow(/NULL/);
  expect(() => statements().referenced(CELLS, 2)).toThrow(/no other table/);
});
