import { namedTables } from '../named-tables.ts';
import { columnText, type Overview, type TableEntry, untilFull } from '../overview-text.ts';
import type { DriverValue } from '../values.ts';
import { findTable, readTables, rows, TABLES, type TableFacts, text } from './catalog.ts';
import type { Database } from './database.ts';
import { readableName, shownName } from './quote.ts';
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

/** The schema in one answer: all tables, or the named ones, until the answer is full. */
export async function overview(
  database: Database,
  names: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<Overview> {
  const results = await database.ask(ALL, {}, signal);
  const all = readTables(rows(results, 0));
  const named =
    names &&
    namedTables(
      names,
      (name) => findTable(all, name),
      ({ id }) => id,
    );
  const wanted = named?.tables ?? all;
  const columns = byTable(rows(results, 1), 0);
  const keys = byTable(rows(results, 2), 1);
  const counts = byTable(rows(results, 3), 0);
  const comments = byTable(rows(results, 4), 0);
  const read = (table: TableFacts) => ({
    entry: entryOf(
      table,
      columns.get(table.id) ?? [],
      counts.get(table.id)?.[0]?.[1],
      comments.get(table.id)?.[0]?.[1],
    ),
    foreignKeys: foreignKeys(table, keys.get(table.id) ?? []),
  });
  if (named === undefined) return untilFull(wanted, read);
  const shown = new Set(wanted.map((table) => table.shown));
  const pointsHere = (row: Row) => shown.has(shownName(text(row[3]), text(row[4])));
  const others = all.filter((table) => !wanted.includes(table));
  const referencedBy = others.flatMap((table) => foreignKeys(table, (keys.get(table.id) ?? []).filter(pointsHere)));
  return untilFull(wanted, read, { referencedBy, unknown: named.unknown });
}

function byTable(found: readonly Row[], column: number): Map<number, Row[]> {
  return Map.groupBy(found, (row) => Number(row[column]));
}

function entryOf(
  table: TableFacts,
  columns: readonly Row[],
  count: DriverValue | undefined,
  comment: DriverValue | undefined,
): TableEntry {
  const isCounted = table.kind === 'table' && count !== undefined && count !== null;
  return {
    name: table.shown,
    kind: table.kind,
    columns: columns.map(textOf),
    rows: isCounted ? Number(count) : null,
    ...(text(comment) === '' ? {} : { comment: text(comment) }),
  };
}

function textOf(row: Row): string {
  const [, name, type, length, precision, scale, nullable, computed, primary, unique] = row;
  const facts = { name: text(type), maxLength: Number(length), precision: Number(precision), scale: Number(scale) };
  return columnText({
    name: readableName(text(name)),
    type: typeText(facts),
    isKey: primary === 1,
    notNull: nullable === false,
    isUnique: unique === 1,
    isGenerated: computed === true,
  });
}

function foreignKeys(table: TableFacts, found: readonly Row[]): string[] {
  return [...Map.groupBy(found, ([id]) => Number(id)).values()].map((parts) => {
    const own = parts.map((part) => readableName(text(part[2]))).join(', ');
    const other = parts.map((part) => readableName(text(part[5]))).join(', ');
    return `${table.shown}(${own}) -> ${shownName(text(parts[0]?.[3]), text(parts[0]?.[4]))}(${other})`;
  });
}
