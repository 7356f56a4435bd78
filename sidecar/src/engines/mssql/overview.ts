import { namedTables } from '../named-tables.ts';
import { type Included, indexText, type KeyFacts, type OverviewTable } from '../overview-facts.ts';
import { type Outline, outline } from '../overview-outline.ts';
import type { OverviewColumn } from '../overview-text.ts';
import type { DriverValue } from '../values.ts';
import { findTable, readTables, rows, TABLES, type TableFacts, text } from './catalog.ts';
import type { Database } from './database.ts';
import { quoteName, readableName, shownName } from './quote.ts';
import { typeText } from './wire/type-text.ts';

type Row = readonly DriverValue[];

const ALL = `${TABLES};
SELECT c.object_id, c.name, COALESCE(b.name, y.name), c.max_length, c.precision, c.scale, c.is_nullable, c.is_computed,
       MAX(CASE WHEN i.is_primary_key = 1 THEN 1 ELSE 0 END),
       MAX(CASE WHEN i.is_unique = 1 AND i.is_primary_key = 0 AND i.has_filter = 0 AND n.keys = 1 THEN 1 ELSE 0 END)
  FROM sys.columns c
  JOIN sys.objects o ON o.object_id = c.object_id AND o.type IN ('U', 'V') AND o.is_ms_shipped = 0
  JOIN sys.types y ON y.user_type_id = c.user_type_id
  LEFT JOIN sys.types b ON y.is_user_defined = 1 AND b.user_type_id = c.system_type_id AND b.system_type_id = b.user_type_id
  LEFT JOIN sys.index_columns k ON k.object_id = c.object_id AND k.column_id = c.column_id AND k.is_included_column = 0
  LEFT JOIN sys.indexes i ON i.object_id = k.object_id AND i.index_id = k.index_id
  OUTER APPLY (SELECT COUNT(*) AS keys FROM sys.index_columns x
                WHERE x.object_id = i.object_id AND x.index_id = i.index_id AND x.is_included_column = 0) n
 GROUP BY c.object_id, c.column_id, c.name, b.name, y.name, c.max_length, c.precision, c.scale, c.is_nullable, c.is_computed
 ORDER BY c.object_id, c.column_id;
SELECT f.object_id, f.parent_object_id, p.name, s.name, o.name, r.name
  FROM sys.foreign_keys f
  JOIN sys.foreign_key_columns k ON k.constraint_object_id = f.object_id
  JOIN sys.columns p ON p.object_id = k.parent_object_id AND p.column_id = k.parent_column_id
  JOIN sys.columns r ON r.object_id = k.referenced_object_id AND r.column_id = k.referenced_column_id
  JOIN sys.objects o ON o.object_id = f.referenced_object_id
  JOIN sys.schemas s ON s.schema_id = o.schema_id
 ORDER BY f.object_id, k.constraint_column_id;
SELECT object_id, SUM(rows) FROM sys.partitions WHERE index_id IN (0, 1) GROUP BY object_id;
SELECT major_id, CAST(value AS nvarchar(400)) FROM sys.extended_properties
 WHERE class = 1 AND minor_id = 0 AND name = N'MS_Description'`;

/** Asked for in addition, where the call includes them. */
const INDEXES = `
SELECT i.object_id, i.name, i.is_unique, i.is_primary_key, c.name, i.filter_definition
  FROM sys.indexes i
  JOIN sys.objects o ON o.object_id = i.object_id AND o.type IN ('U', 'V') AND o.is_ms_shipped = 0
  JOIN sys.index_columns k ON k.object_id = i.object_id AND k.index_id = i.index_id AND k.is_included_column = 0
  JOIN sys.columns c ON c.object_id = k.object_id AND c.column_id = k.column_id
 WHERE i.name IS NOT NULL
 ORDER BY i.object_id, i.name, k.key_ordinal`;
const DEFINITIONS = `
SELECT m.object_id, m.definition
  FROM sys.sql_modules m JOIN sys.objects o ON o.object_id = m.object_id AND o.type = 'V' AND o.is_ms_shipped = 0`;

/** The schema in one answer, but for the rows of lookup tables: all tables, or the named ones, until it is full. */
export async function overview(
  database: Database,
  names: readonly string[] | undefined,
  include: readonly Included[],
  signal: AbortSignal,
): Promise<Outline> {
  const asked = [
    { sql: ALL, isAsked: true },
    { sql: INDEXES, isAsked: include.includes('indexes') },
    { sql: DEFINITIONS, isAsked: include.includes('views') },
  ];
  const sql = asked.flatMap((one) => (one.isAsked ? one.sql : [])).join(';');
  const results = await database.ask(sql, {}, signal);
  const tables = readTables(rows(results, 0));
  const parts = {
    columns: byTable(rows(results, 1), 0),
    keys: byTable(rows(results, 2), 1),
    counts: byTable(rows(results, 3), 0),
    comments: byTable(rows(results, 4), 0),
    indexes: include.includes('indexes') ? byTable(rows(results, 5), 0) : undefined,
    definitions: include.includes('views') ? byTable(rows(results, include.includes('indexes') ? 6 : 5), 0) : undefined,
  };
  const named =
    names &&
    namedTables(
      names,
      (name) => findTable(tables, name),
      ({ id }) => id,
    );
  const all = new Map(tables.map((table) => [table.id, tableOf(table, parts)]));
  const wanted = named && { ...named, tables: named.tables.flatMap(({ id }) => all.get(id) ?? []) };
  return outline([...all.values()], wanted, include);
}

/** The rows about each table, by its id. */
interface Parts {
  readonly columns: ReadonlyMap<number, readonly Row[]>;
  readonly keys: ReadonlyMap<number, readonly Row[]>;
  readonly counts: ReadonlyMap<number, readonly Row[]>;
  readonly comments: ReadonlyMap<number, readonly Row[]>;
  readonly indexes: ReadonlyMap<number, readonly Row[]> | undefined;
  readonly definitions: ReadonlyMap<number, readonly Row[]> | undefined;
}

function byTable(found: readonly Row[], column: number): Map<number, Row[]> {
  return Map.groupBy(found, (row) => Number(row[column]));
}

function tableOf({ id, schema, name, kind, shown }: TableFacts, parts: Parts): OverviewTable {
  const count = parts.counts.get(id)?.[0]?.[1];
  const isCounted = kind === 'table' && count !== undefined && count !== null;
  const comment = text(parts.comments.get(id)?.[0]?.[1]);
  const view = text(parts.definitions?.get(id)?.[0]?.[1]);
  return {
    name: shown,
    written: writtenTable(schema, name),
    from: `${quoteName(schema)}.${quoteName(name)}`,
    kind,
    columns: (parts.columns.get(id) ?? []).map(columnOf),
    rows: isCounted ? Number(count) : null,
    comment: comment === '' ? undefined : comment,
    keys: keysOf(parts.keys.get(id) ?? []),
    indexes: parts.indexes && indexTexts(parts.indexes.get(id) ?? []),
    definition: view === '' ? undefined : view,
  };
}

function writtenTable(schema: string, name: string): string {
  return shownName(schema === 'dbo' ? schema : readableName(schema), readableName(name));
}

function columnOf(row: Row): OverviewColumn {
  const [, name, type, length, precision, scale, nullable, computed, primary, unique] = row;
  const facts = { name: text(type), maxLength: Number(length), precision: Number(precision), scale: Number(scale) };
  return {
    name: readableName(text(name)),
    type: typeText(facts),
    isKey: primary === 1,
    notNull: nullable === false,
    isUnique: unique === 1,
    isGenerated: computed === true,
  };
}

function keysOf(found: readonly Row[]): KeyFacts[] {
  return [...Map.groupBy(found, ([id]) => Number(id)).values()].map((parts) => {
    const [, , , schema, name] = parts[0] ?? [];
    return {
      columns: parts.map((part) => readableName(text(part[2]))),
      parent: writtenTable(text(schema), text(name)),
      parentName: shownName(text(schema), text(name)),
      parentColumns: parts.map((part) => readableName(text(part[5]))),
    };
  });
}

/** The index of a primary key of one column is its PK. */
function indexTexts(found: readonly Row[]): string[] {
  return [...Map.groupBy(found, ([, name]) => text(name))].flatMap(([name, parts]) => {
    const [, , unique, primary, , filter] = parts[0] ?? [];
    const columns = parts.map((part) => readableName(text(part[4])));
    if (primary === true) return columns.length === 1 ? [] : [indexText('primary key', false, columns)];
    const only = text(filter) === '' ? '' : ` WHERE ${text(filter)}`;
    return [`${indexText(readableName(name), unique === true, columns)}${only}`];
  });
}
