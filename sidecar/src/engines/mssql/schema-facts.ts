import type { DriverValue } from '../values.ts';
import { rows, type TableFacts, text } from './catalog.ts';
import type { Database } from './database.ts';
import { typeText } from './wire/type-text.ts';

export interface ColumnFacts {
  readonly name: string;
  readonly type: string;
  readonly collation: string;
  readonly isNullable: boolean;
  /** Seed and step. */
  readonly identity: string;
  readonly computed: string;
  readonly isPersisted: boolean;
  readonly defaultName: string;
  readonly defaultText: string;
  readonly isRowGuid: boolean;
  readonly isSparse: boolean;
  /** Written by the server, as the period columns of a table with a history are. */
  readonly isGenerated: boolean;
}

export interface IndexFacts {
  readonly name: string;
  readonly kind: string;
  readonly isUnique: boolean;
  readonly isPrimaryKey: boolean;
  readonly isConstraint: boolean;
  readonly filter: string;
  /** Names, with DESC where descending. */
  readonly keys: readonly { readonly name: string; readonly isDescending: boolean }[];
  readonly included: readonly string[];
}

export interface ForeignKeyFacts {
  readonly name: string;
  readonly columns: readonly string[];
  readonly schema: string;
  readonly table: string;
  readonly referenced: readonly string[];
  readonly onDelete: string;
  readonly onUpdate: string;
}

export interface SchemaFacts {
  readonly columns: readonly ColumnFacts[];
  readonly checks: readonly { readonly name: string; readonly text: string }[];
  readonly indexes: readonly IndexFacts[];
  readonly foreignKeys: readonly ForeignKeyFacts[];
  /** Comments; those with an empty column are the table's. */
  readonly comments: readonly { readonly column: string; readonly text: string }[];
  /** Definitions of triggers, and of the view itself if it is one. */
  readonly modules: readonly string[];
}

const SCHEMA = `
SELECT c.name, COALESCE(b.name, y.name), c.max_length, c.precision, c.scale,
       CASE WHEN c.collation_name <> CAST(DATABASEPROPERTYEX(DB_NAME(), 'Collation') AS sysname) THEN c.collation_name END,
       c.is_nullable, CAST(i.seed_value AS nvarchar(40)) + N', ' + CAST(i.increment_value AS nvarchar(40)),
       m.definition, m.is_persisted, d.name, d.definition, c.is_rowguidcol, c.is_sparse,
       CASE WHEN c.generated_always_type > 0 THEN 1 ELSE 0 END
  FROM sys.columns c
  JOIN sys.types y ON y.user_type_id = c.user_type_id
  LEFT JOIN sys.types b ON y.is_user_defined = 1 AND b.user_type_id = c.system_type_id AND b.system_type_id = b.user_type_id
  LEFT JOIN sys.identity_columns i ON i.object_id = c.object_id AND i.column_id = c.column_id
  LEFT JOIN sys.computed_columns m ON m.object_id = c.object_id AND m.column_id = c.column_id
  LEFT JOIN sys.default_constraints d ON d.object_id = c.default_object_id
 WHERE c.object_id = @id ORDER BY c.column_id;
SELECT name, definition FROM sys.check_constraints WHERE parent_object_id = @id ORDER BY object_id;
SELECT i.name, i.type_desc, i.is_unique, i.is_primary_key, i.is_unique_constraint, i.filter_definition,
       c.name, k.is_descending_key, k.is_included_column
  FROM sys.indexes i
  JOIN sys.index_columns k ON k.object_id = i.object_id AND k.index_id = i.index_id
  JOIN sys.columns c ON c.object_id = k.object_id AND c.column_id = k.column_id
 WHERE i.object_id = @id AND i.type > 0 AND i.is_hypothetical = 0
 ORDER BY i.index_id, k.is_included_column, k.key_ordinal, k.index_column_id;
SELECT f.name, p.name, s.name, o.name, r.name, f.delete_referential_action_desc, f.update_referential_action_desc
  FROM sys.foreign_keys f
  JOIN sys.foreign_key_columns k ON k.constraint_object_id = f.object_id
  JOIN sys.columns p ON p.object_id = k.parent_object_id AND p.column_id = k.parent_column_id
  JOIN sys.columns r ON r.object_id = k.referenced_object_id AND r.column_id = k.referenced_column_id
  JOIN sys.objects o ON o.object_id = f.referenced_object_id
  JOIN sys.schemas s ON s.schema_id = o.schema_id
 WHERE f.parent_object_id = @id ORDER BY f.object_id, k.constraint_column_id;
SELECT c.name, CAST(e.value AS nvarchar(4000)) FROM sys.extended_properties e
  LEFT JOIN sys.columns c ON c.object_id = e.major_id AND c.column_id = e.minor_id
 WHERE e.class = 1 AND e.major_id = @id AND e.name = N'MS_Description' ORDER BY e.minor_id;
SELECT q.definition FROM sys.sql_modules q LEFT JOIN sys.triggers g ON g.object_id = q.object_id
 WHERE q.object_id = @id OR g.parent_id = @id ORDER BY CASE WHEN q.object_id = @id THEN 0 ELSE 1 END, g.name`;

/** Everything in a table's declaration, in one exchange. */
export async function schemaFacts(database: Database, table: TableFacts, signal: AbortSignal): Promise<SchemaFacts> {
  const results = await database.ask(SCHEMA, { id: String(table.id) }, signal);
  return {
    columns: rows(results, 0).map(readColumn),
    checks: rows(results, 1).map(([name, definition]) => ({ name: text(name), text: text(definition) })),
    indexes: readIndexes(rows(results, 2)),
    foreignKeys: readForeignKeys(rows(results, 3)),
    comments: rows(results, 4).map(([column, comment]) => ({ column: text(column), text: text(comment) })),
    modules: rows(results, 5).map(([definition]) => text(definition)),
  };
}

function readColumn(row: readonly DriverValue[]): ColumnFacts {
  const [name, type, length, precision, scale, collation, nullable, identity, computed, persisted] = row;
  const [defaultName, defaultText, rowGuid, sparse, generated] = row.slice(10);
  return {
    name: text(name),
    type: typeText({
      name: text(type),
      maxLength: Number(length),
      precision: Number(precision),
      scale: Number(scale),
    }),
    collation: text(collation),
    isNullable: nullable === true,
    identity: text(identity),
    computed: text(computed),
    isPersisted: persisted === true,
    defaultName: text(defaultName),
    defaultText: text(defaultText),
    isRowGuid: rowGuid === true,
    isSparse: sparse === true,
    isGenerated: generated === 1,
  };
}

function readIndexes(found: readonly (readonly DriverValue[])[]): IndexFacts[] {
  const byName = Map.groupBy(found, ([name]) => text(name));
  return [...byName].map(([name, parts]) => {
    const [, kind, unique, primaryKey, constraint, filter] = parts[0] ?? [];
    const column = (part: readonly DriverValue[]): string => text(part[6]);
    return {
      name,
      kind: text(kind),
      isUnique: unique === true,
      isPrimaryKey: primaryKey === true,
      isConstraint: constraint === true,
      filter: text(filter),
      keys: parts
        .filter((part) => part[8] !== true)
        .map((part) => ({ name: column(part), isDescending: part[7] === true })),
      included: parts.filter((part) => part[8] === true).map(column),
    };
  });
}

function readForeignKeys(found: readonly (readonly DriverValue[])[]): ForeignKeyFacts[] {
  const byName = Map.groupBy(found, ([name]) => text(name));
  return [...byName].map(([name, parts]) => {
    const [, , schema, table, , onDelete, onUpdate] = parts[0] ?? [];
    return {
      name,
      columns: parts.map((part) => text(part[1])),
      schema: text(schema),
      table: text(table),
      referenced: parts.map((part) => text(part[4])),
      onDelete: text(onDelete),
      onUpdate: text(onUpdate),
    };
  });
}
