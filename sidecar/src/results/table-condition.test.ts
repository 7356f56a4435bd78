import { literals } from '../engines/mysql/literals.ts';
import { rowValues as values } from '../engines/mysql/row-values.ts';
import { tableCondition } from './table-condition.ts';

const column = (name: string, type: string) => ({ name, type, isNullable: true, kind: 'plain' as const });
const columns = [column('id', 'int'), column('name', 'varchar(40)'), column('place', 'point')];
const table = { name: 'shops', from: 'shops', columns, key: ['id'], links: [] };
const conditionOf = (...filters: Parameters<typeof tableCondition>[0]) =>
  tableCondition(filters, { table, columns }, { literals, values });

test('a column is compared with a value of its type, and every filter has to hold', () => {
  expect(conditionOf({ column: 0, is: 'greater', value: '5' }, { column: 1, is: 'not-null', value: '' })).toBe(
    '`id` > 5 AND `name` IS NOT NULL',
  );
});

test('any column stands for those that can be looked in', () => {
  expect(conditionOf({ is: 'contains', value: '7' })).toBe(
    "(INSTR(LOWER(CONVERT(`id` USING utf8mb4)), LOWER('7')) > 0 OR INSTR(LOWER(CONVERT(`name` USING utf8mb4)), LOWER('7')) > 0)",
  );
  expect(conditionOf({ is: 'null', value: '' })).toBe('(`id` IS NULL OR `name` IS NULL OR `place` IS NULL)');
});

test.each([
  ['what is no value of the column', { column: 0, is: 'equals', value: '1 OR 1=1' }, 'E_INVALID_PARAMS'],
  ['a comparison of any column', { is: 'less', value: '5' }, 'E_INVALID_PARAMS'],
  ['a column that is not there', { column: 3, is: 'null', value: '' }, 'E_INVALID_PARAMS'],
  ['a type that cannot be compared', { column: 2, is: 'equals', value: 'x' }, 'E_NOT_SUPPORTED'],
] as const)('refuses %s', (_what, filter, code) => {
  expect(() => conditionOf(filter)).toThrow(expect.objectContaining({ code }));
});
