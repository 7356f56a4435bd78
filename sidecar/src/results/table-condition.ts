import { AppError } from '@devdb/shared/errors';
import type { RowFilter } from '@devdb/shared/protocol/result-methods';
import type { EditableColumn } from '../engines/row-editing.ts';
import type { Dialect, ShownRows } from './change-statements.ts';

const OPERATORS = { equals: '=', less: '<', greater: '>' } as const;

/** The condition by which the database finds the rows that pass all filters. */
export function tableCondition(filters: readonly RowFilter[], { columns }: ShownRows, dialect: Dialect): string {
  return filters
    .map((filter) => {
      if (filter.column === undefined) return anyColumn(filter, columns, dialect);
      const column = columns[filter.column];
      if (column === undefined) {
        throw new AppError('E_INVALID_PARAMS', `The result has no column ${filter.column + 1}.`);
      }
      const condition = conditionOf(filter, column, dialect);
      if (condition !== undefined) return condition;
      throw new AppError('E_NOT_SUPPORTED', `${column.name} is ${column.type}: its values are not filtered.`);
    })
    .join(' AND ');
}

function anyColumn(filter: RowFilter, columns: readonly EditableColumn[], dialect: Dialect): string {
  if (filter.is in OPERATORS) {
    throw new AppError('E_INVALID_PARAMS', 'Choose the column to compare: the database compares one column at a time.');
  }
  const conditions = columns.flatMap((column) => conditionOf(filter, column, dialect) ?? []);
  if (conditions.length > 0) return `(${conditions.join(' OR ')})`;
  throw new AppError('E_NOT_SUPPORTED', 'None of these columns holds text to look in.');
}

function conditionOf({ is, value }: RowFilter, column: EditableColumn, dialect: Dialect): string | undefined {
  const { literals, values } = dialect;
  switch (is) {
    case 'null':
      return `${literals.name(column.name)} IS NULL`;
    case 'not-null':
      return `${literals.name(column.name)} IS NOT NULL`;
    case 'contains':
      return values.contains(column, value);
    default: {
      const compared = values.compared(column);
      return compared && `${compared} ${OPERATORS[is]} ${values.write(column, value, undefined)}`;
    }
  }
}
