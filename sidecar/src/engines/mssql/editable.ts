import { AppError } from '@devdb/shared/errors';
import type { EditableTable } from '../row-editing.ts';
import { allTables, noSuchTable, type TableFacts } from './catalog.ts';
import type { Database } from './database.ts';
import { quoteName, shownName } from './quote.ts';
import { isBinary } from './row-values.ts';
import { type ColumnFacts, schemaFacts } from './schema-facts.ts';

/** What is needed to change single rows of a table. */
export async function editableTable(
  database: Database,
  name: readonly string[],
  signal: AbortSignal,
): Promise<EditableTable> {
  const table = oneTableOf(await allTables(database, signal), name);
  const facts = await schemaFacts(database, table, signal);
  const key = facts.indexes.find(({ isPrimaryKey }) => isPrimaryKey);
  return {
    name: table.shown,
    from: quoted(table.schema, table.name),
    columns: facts.columns.map((column) => ({
      name: column.name,
      type: column.type,
      isNullable: column.isNullable,
      kind: kindOf(column),
    })),
    key: key?.keys.map((part) => part.name) ?? [],
    refusal: table.kind === 'table' ? undefined : `It is a ${table.kind}, whose rows come from elsewhere.`,
    links: facts.foreignKeys.map(({ columns, schema, table: parent, referenced }) => ({
      columns,
      parent: quoted(schema, parent),
      parentName: shownName(schema, parent),
      parentColumns: referenced,
    })),
  };
}

function kindOf({ identity, computed, isGenerated, type }: ColumnFacts): 'plain' | 'given' | 'binary' {
  if (identity !== '' || computed !== '' || isGenerated || type === 'rowversion') return 'given';
  return isBinary(type) ? 'binary' : 'plain';
}

/** Which of several tables a name without a schema means, only the login's default schema says. */
function oneTableOf(tables: readonly TableFacts[], name: readonly string[]): TableFacts {
  const [first = '', second] = name.map((part) => part.toLowerCase());
  const found = tables.filter((one) => {
    const [schema, table] = [one.schema.toLowerCase(), one.name.toLowerCase()];
    return second === undefined ? table === first : schema === first && table === second;
  });
  const [table, other] = found;
  if (table === undefined) throw noSuchTable(tables, name.join('.'));
  if (other === undefined) return table;
  throw new AppError('E_UNKNOWN_TABLE', `There is more than one table ${name.join('.')}.`, {
    hint: 'Write the schema in front of its name.',
  });
}

function quoted(schema: string, name: string): string {
  return `${quoteName(schema)}.${quoteName(name)}`;
}
