import { allTables, findTable, type TableFacts } from './catalog.ts';
import type { Database } from './database.ts';
import { literal, quoteName, readableName } from './quote.ts';
import {
  type ColumnFacts,
  type ForeignKeyFacts,
  type IndexFacts,
  type SchemaFacts,
  schemaFacts,
} from './schema-facts.ts';

/** A table's declaration: running it creates the same table. Parts that need their own batch are separated by GO. */
export async function schemaText(database: Database, wanted: string, signal: AbortSignal): Promise<string> {
  const table = findTable(await allTables(database, signal), wanted);
  return declaration(table, await schemaFacts(database, table, signal));
}

/** The statements that declare a table or view. */
export function declaration(table: TableFacts, facts: SchemaFacts): string {
  const schema =
    table.schema === 'dbo'
      ? []
      : [
          `IF SCHEMA_ID(${literal(table.schema)}) IS NULL EXEC(${literal(`CREATE SCHEMA ${quoteName(table.schema)}`)});`,
        ];
  const comments = facts.comments.map((comment) => commentText(table, comment));
  const indexes = facts.indexes.filter((index) => !isInTable(index)).map((index) => indexText(table, index));
  const [view, ...viewTriggers] = table.kind === 'view' ? facts.modules : [];
  const triggers = table.kind === 'view' ? viewTriggers : facts.modules;
  const body =
    table.kind === 'view'
      ? [
          view === undefined
            ? `-- The definition of ${nameOf(table)} is encrypted, or this login may not see it.`
            : ended(view),
        ]
      : [tableText(table, facts), ...facts.foreignKeys.map((key) => foreignKeyText(table, key))];
  const batches = [
    ...(table.kind === 'view' && schema.length > 0
      ? [schema.join('\n'), body.join('\n')]
      : [[...schema, ...body].join('\n')]),
    ...(indexes.length + comments.length === 0 ? [] : [[...indexes, ...comments].join('\n')]),
    ...triggers.map(ended),
  ];
  // A view or trigger must be first in its batch; a table's indexes need no batch of their own.
  return table.kind === 'view' ? batches.join('\nGO\n') : joinTable(batches, triggers.length);
}

function joinTable(batches: readonly string[], triggers: number): string {
  const own = batches.slice(0, batches.length - triggers).join('\n');
  return [own, ...batches.slice(batches.length - triggers)].join('\nGO\n');
}

function ended(text: string): string {
  const trimmed = text.trim();
  return trimmed.endsWith(';') ? trimmed : `${trimmed};`;
}

function nameOf({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return schema === 'dbo' ? readable(name) : `${readable(schema)}.${readable(name)}`;
}

/** There are many reserved words, so anything that is not plainly a name is put in brackets. */
function readable(name: string): string {
  return RESERVED.has(name.toUpperCase()) ? quoteName(name) : readableName(name);
}

function tableText(table: TableFacts, { columns, checks, indexes }: SchemaFacts): string {
  const lines = [
    ...columns.map(columnText),
    ...indexes.filter(isInTable).map(keyText),
    ...checks.map(({ name, text }) => `CONSTRAINT ${readable(name)} CHECK ${text}`),
  ];
  return `CREATE TABLE ${nameOf(table)} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n);`;
}

function columnText(column: ColumnFacts): string {
  const name = readable(column.name);
  if (column.computed !== '') {
    const persisted = column.isPersisted ? ` PERSISTED${column.isNullable ? '' : ' NOT NULL'}` : '';
    return `${name} AS ${column.computed}${persisted}`;
  }
  const parts = [
    name,
    column.type,
    column.collation === '' ? '' : `COLLATE ${column.collation}`,
    column.isSparse ? 'SPARSE' : '',
    column.identity === '' ? '' : `IDENTITY(${column.identity})`,
    column.isRowGuid ? 'ROWGUIDCOL' : '',
    column.isNullable ? 'NULL' : 'NOT NULL',
    column.defaultText === '' ? '' : `CONSTRAINT ${readable(column.defaultName)} DEFAULT ${column.defaultText}`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** Keys are declared inside the table, other indexes after it. */
function isInTable({ isPrimaryKey, isConstraint }: IndexFacts): boolean {
  return isPrimaryKey || isConstraint;
}

function keyText(index: IndexFacts): string {
  const kind = index.isPrimaryKey ? 'PRIMARY KEY' : 'UNIQUE';
  const clustered = index.kind === 'CLUSTERED' ? 'CLUSTERED' : 'NONCLUSTERED';
  return `CONSTRAINT ${readable(index.name)} ${kind} ${clustered} (${keys(index)})`;
}

function keys(index: IndexFacts): string {
  return index.keys.map(({ name, isDescending }) => `${readable(name)}${isDescending ? ' DESC' : ''}`).join(', ');
}

function indexText(table: TableFacts, index: IndexFacts): string {
  const name = `${readable(index.name)} ON ${nameOf(table)}`;
  const filter = index.filter === '' ? '' : ` WHERE ${index.filter}`;
  switch (index.kind) {
    case 'CLUSTERED COLUMNSTORE':
      return `CREATE CLUSTERED COLUMNSTORE INDEX ${name};`;
    case 'NONCLUSTERED COLUMNSTORE':
      return `CREATE NONCLUSTERED COLUMNSTORE INDEX ${name} (${index.included.map(readable).join(', ')})${filter};`;
    case 'CLUSTERED':
    case 'NONCLUSTERED': {
      const unique = index.isUnique ? 'UNIQUE ' : '';
      const include = index.included.length === 0 ? '' : ` INCLUDE (${index.included.map(readable).join(', ')})`;
      return `CREATE ${unique}${index.kind} INDEX ${name} (${keys(index)})${include}${filter};`;
    }
    default:
      return `-- The ${index.kind} index ${name} (${[...index.keys.map((key) => key.name), ...index.included].join(', ')}) needs options that are not shown here.`;
  }
}

function foreignKeyText(table: TableFacts, key: ForeignKeyFacts): string {
  const action = (when: string, what: string): string =>
    what === 'NO_ACTION' || what === '' ? '' : ` ON ${when} ${what.replaceAll('_', ' ')}`;
  const own = key.columns.map(readable).join(', ');
  const referenced = key.referenced.map(readable).join(', ');
  return `ALTER TABLE ${nameOf(table)} ADD CONSTRAINT ${readable(key.name)} FOREIGN KEY (${own}) REFERENCES ${nameOf({ schema: key.schema, name: key.table })} (${referenced})${action('DELETE', key.onDelete)}${action('UPDATE', key.onUpdate)};`;
}

function commentText(table: TableFacts, { column, text }: { readonly column: string; readonly text: string }): string {
  const kind = table.kind === 'view' ? 'VIEW' : 'TABLE';
  const place = [
    `@level0type = N'SCHEMA', @level0name = ${literal(table.schema)}`,
    `@level1type = N'${kind}', @level1name = ${literal(table.name)}`,
    ...(column === '' ? [] : [`@level2type = N'COLUMN', @level2name = ${literal(column)}`]),
  ];
  return `EXEC sys.sp_addextendedproperty @name = N'MS_Description', @value = ${literal(text)}, ${place.join(', ')};`;
}

const RESERVED: ReadonlySet<string> = new Set(
  'ADD ALL ALTER AND ANY AS ASC AUTHORIZATION BACKUP BEGIN BETWEEN BREAK BROWSE BULK BY CASCADE CASE CHECK CHECKPOINT CLOSE CLUSTERED COALESCE COLLATE COLUMN COMMIT COMPUTE CONSTRAINT CONTAINS CONTAINSTABLE CONTINUE CONVERT CREATE CROSS CURRENT CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER CURSOR DATABASE DBCC DEALLOCATE DECLARE DEFAULT DELETE DENY DESC DISK DISTINCT DISTRIBUTED DOUBLE DROP DUMP ELSE END ERRLVL ESCAPE EXCEPT EXEC EXECUTE EXISTS EXIT EXTERNAL FETCH FILE FILLFACTOR FOR FOREIGN FREETEXT FREETEXTTABLE FROM FULL FUNCTION GOTO GRANT GROUP HAVING HOLDLOCK IDENTITY IDENTITYCOL IDENTITY_INSERT IF IN INDEX INNER INSERT INTERSECT INTO IS JOIN KEY KILL LEFT LIKE LINENO LOAD MERGE NATIONAL NOCHECK NONCLUSTERED NOT NULL NULLIF OF OFF OFFSETS ON OPEN OPENDATASOURCE OPENQUERY OPENROWSET OPENXML OPTION OR ORDER OUTER OVER PERCENT PIVOT PLAN PRECISION PRIMARY PRINT PROC PROCEDURE PUBLIC RAISERROR READ READTEXT RECONFIGURE REFERENCES REPLICATION RESTORE RESTRICT RETURN REVERT REVOKE RIGHT ROLLBACK ROWCOUNT ROWGUIDCOL RULE SAVE SCHEMA SECURITYAUDIT SELECT SESSION_USER SET SETUSER SHUTDOWN SOME STATISTICS SYSTEM_USER TABLE TABLESAMPLE TEXTSIZE THEN TO TOP TRAN TRANSACTION TRIGGER TRUNCATE TRY_CONVERT TSEQUAL UNION UNIQUE UNPIVOT UPDATE UPDATETEXT USE USER VALUES VARYING VIEW WAITFOR WHEN WHERE WHILE WITH WITHIN WRITETEXT'.split(
    ' ',
  ),
);
