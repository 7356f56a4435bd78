import { AppError } from '@devdb/shared/errors';
import type { EditableTable, KeyLink } from '../row-editing.ts';
import { type Db, findTable, type TableFacts } from './catalog.ts';
import { columnRows, declaredType, foreignKeyRows, primaryKey } from './overview.ts';
import { quoteName, readableName } from './quote.ts';

/** A column's `hidden` for those that are computed. */
const FIRST_GENERATED = 2;

/** What is needed to change single rows of a table. */
export function editableTable(db: Db, [first = '', second]: readonly string[]): EditableTable {
  if (second !== undefined && first.toLowerCase() !== 'main') {
    throw new AppError('E_UNKNOWN_TABLE', `Tables of ${readableName(first)} are not changed here.`);
  }
  const table = findTable(db, quoteName(second ?? first));
  const columns = columnRows(db, table.name);
  return {
    name: readableName(table.name),
    from: `main.${quoteName(table.name)}`,
    columns: columns.map(({ name, type, notnull, hidden }) => ({
      name,
      type: declaredType(type),
      isNullable: Number(notnull) === 0,
      kind: Number(hidden) >= FIRST_GENERATED ? 'given' : /blob/i.test(type) ? 'binary' : 'plain',
    })),
    key: primaryKey(db, table.name),
    refusal: refusalOf(table),
    links: table.type === 'table' ? foreignKeyRows(db, table.name).map((key) => linkOf(db, key)) : [],
  };
}

function refusalOf({ type }: TableFacts): string | undefined {
  if (type === 'view') return 'It is a view; change the rows of its tables.';
  return type === 'virtual' ? 'It is a virtual table, whose module decides what its rows are.' : undefined;
}

function linkOf(db: Db, key: ReturnType<typeof foreignKeyRows>[number]): KeyLink {
  const parent = key[0]?.parent ?? '';
  const named = key.flatMap(({ parentColumn }) => parentColumn ?? []);
  return {
    columns: key.map(({ column }) => column),
    parent: `main.${quoteName(parent)}`,
    parentName: readableName(parent),
    // REFERENCES without columns means the parent's primary key.
    parentColumns: named.length === key.length ? named : primaryKey(db, parent),
  };
}
