import type { ToolInput, ToolOutput } from '@devdb/shared/tools';
import { type Candidate, searched } from '../schema-search.ts';
import { allTables, type Db, type TableFacts } from './catalog.ts';
import { indexesOf } from './indexes.ts';
import { columnRows, declaredType, foreignKeysOf, isSchemaProblem } from './overview.ts';
import { readableName } from './quote.ts';

/** Tables, views, columns, indexes and keys that match, in this order. SQLite has no routines and no comments. */
export function searchSchema(
  db: Db,
  pattern: string,
  kind: ToolInput<'search-schema'>['kind'],
): ToolOutput<'search-schema'> {
  const tables = allTables(db);
  const indexes = tables.flatMap((table) => unlessBroken(() => candidatesOf(db, table)));
  const candidates = [
    ...tables.map(({ name, type }): Candidate => ({ kind: type === 'view' ? 'view' : 'table', name })),
    ...tables.flatMap((table) => unlessBroken(() => columnsOf(db, table))),
    ...indexes.filter((one) => one.kind === 'index'),
    ...indexes.filter((one) => one.kind === 'key'),
    ...tables.flatMap((table) => unlessBroken(() => foreignKeys(db, table))),
  ];
  return searched(candidates, pattern, kind);
}

/** A view whose tables are gone has nothing to find. */
function unlessBroken(find: () => Candidate[]): Candidate[] {
  try {
    return find();
  } catch (error) {
    if (isSchemaProblem(error)) return [];
    throw error;
  }
}

function columnsOf(db: Db, table: TableFacts): Candidate[] {
  return columnRows(db, table.name).map(({ name, type }) => {
    const declared = declaredType(type);
    const match = { kind: 'column', name, table: table.name } as const;
    return declared === '' ? match : { ...match, type: declared };
  });
}

/** An index that SQLite made for a key has no name of its own: the key's columns are its name. */
function candidatesOf(db: Db, table: TableFacts): Candidate[] {
  return indexesOf(db, table.name).map(({ name, isUnique, origin, columns }): Candidate => {
    const list = columns.join(', ');
    if (origin !== 'c') {
      return { kind: 'key', name: list, table: table.name, type: origin === 'pk' ? 'primary key' : 'unique' };
    }
    return { kind: 'index', name, table: table.name, type: `${isUnique ? 'unique ' : ''}(${list})` };
  });
}

/** `customer_id -> customers(id)`; SQLite does not tell the name of a foreign key. */
function foreignKeys(db: Db, { name: table, type }: TableFacts): Candidate[] {
  if (type !== 'table') return [];
  return foreignKeysOf(db, table).map((text): Candidate => {
    const name = text.slice(readableName(table).length);
    return { kind: 'key', name: name.replace(/^\((.*)\) -> /, '$1 -> '), table, type: 'foreign key' };
  });
}
