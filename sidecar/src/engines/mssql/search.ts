import type { ToolInput, ToolOutput } from '@devdb/shared/tools';
import { type Candidate, searched } from '../schema-search.ts';
import type { Results } from './ask.ts';
import { readTables, rows, TABLES, text } from './catalog.ts';
import type { Database } from './database.ts';
import { shownName } from './quote.ts';
import { typeText } from './wire/type-text.ts';

const ALL = `${TABLES};
SELECT c.name, s.name, o.name, COALESCE(b.name, y.name), c.max_length, c.precision, c.scale,
       CAST(d.value AS nvarchar(400))
  FROM sys.columns c
  JOIN sys.objects o ON o.object_id = c.object_id AND o.type IN ('U', 'V') AND o.is_ms_shipped = 0
  JOIN sys.schemas s ON s.schema_id = o.schema_id
  JOIN sys.types y ON y.user_type_id = c.user_type_id
  LEFT JOIN sys.types b ON y.is_user_defined = 1 AND b.user_type_id = c.system_type_id AND b.system_type_id = b.user_type_id
  LEFT JOIN sys.extended_properties d ON d.class = 1 AND d.major_id = c.object_id AND d.minor_id = c.column_id AND d.name = N'MS_Description'
 ORDER BY s.name, o.name, c.column_id;
SELECT s.name, o.name, LOWER(REPLACE(o.type_desc, N'_', N' '))
  FROM sys.objects o JOIN sys.schemas s ON s.schema_id = o.schema_id
 WHERE o.type IN ('P', 'PC', 'FN', 'IF', 'TF', 'FS', 'FT', 'AF') AND o.is_ms_shipped = 0
 ORDER BY s.name, o.name;
SELECT s.name, o.name, i.name, i.is_unique, i.is_primary_key, i.is_unique_constraint, c.name
  FROM sys.indexes i
  JOIN sys.objects o ON o.object_id = i.object_id AND o.type IN ('U', 'V') AND o.is_ms_shipped = 0
  JOIN sys.schemas s ON s.schema_id = o.schema_id
  JOIN sys.index_columns k ON k.object_id = i.object_id AND k.index_id = i.index_id AND k.is_included_column = 0
  JOIN sys.columns c ON c.object_id = k.object_id AND c.column_id = k.column_id
 WHERE i.name IS NOT NULL
 ORDER BY s.name, o.name, i.name, k.key_ordinal;
SELECT s.name, o.name, f.name, c.name, ts.name, t.name, tc.name
  FROM sys.foreign_keys f
  JOIN sys.objects o ON o.object_id = f.parent_object_id JOIN sys.schemas s ON s.schema_id = o.schema_id
  JOIN sys.objects t ON t.object_id = f.referenced_object_id JOIN sys.schemas ts ON ts.schema_id = t.schema_id
  JOIN sys.foreign_key_columns k ON k.constraint_object_id = f.object_id
  JOIN sys.columns c ON c.object_id = k.parent_object_id AND c.column_id = k.parent_column_id
  JOIN sys.columns tc ON tc.object_id = k.referenced_object_id AND tc.column_id = k.referenced_column_id
 ORDER BY s.name, o.name, f.name, k.constraint_column_id;
SELECT s.name, o.name, CAST(d.value AS nvarchar(400))
  FROM sys.extended_properties d
  JOIN sys.objects o ON o.object_id = d.major_id JOIN sys.schemas s ON s.schema_id = o.schema_id
 WHERE d.class = 1 AND d.minor_id = 0 AND d.name = N'MS_Description'`;

/** Tables, views, columns, routines, indexes and keys that match by name or comment, in this order. */
export async function searchSchema(
  database: Database,
  pattern: string,
  kind: ToolInput<'search-schema'>['kind'],
  signal: AbortSignal,
): Promise<ToolOutput<'search-schema'>> {
  return searched(candidates(await database.ask(ALL, {}, signal)), pattern, kind);
}

function candidates(results: Results): Candidate[] {
  const about = new Map(
    rows(results, 5).map(([schema, name, comment]) => [shownName(text(schema), text(name)), text(comment)]),
  );
  const tables = readTables(rows(results, 0)).map(
    ({ kind, shown }): Candidate => ({ kind: kind === 'view' ? 'view' : 'table', name: shown }),
  );
  const columns = rows(results, 1).map(([name, schema, table, type, length, precision, scale, comment]): Candidate => {
    const facts = { name: text(type), maxLength: Number(length), precision: Number(precision), scale: Number(scale) };
    return {
      kind: 'column',
      name: text(name),
      table: shownName(text(schema), text(table)),
      type: typeText(facts),
      comment: text(comment),
    };
  });
  const routines = rows(results, 2).map(
    ([schema, name, type]): Candidate => ({
      kind: 'routine',
      name: shownName(text(schema), text(name)),
      type: text(type),
    }),
  );
  const described = [...tables, ...routines].map((one) => ({ ...one, comment: about.get(one.name) }));
  return [
    ...described.slice(0, tables.length),
    ...columns,
    ...described.slice(tables.length),
    ...grouped(rows(results, 3)).map(indexOf),
    ...grouped(rows(results, 4)).map(foreignKeyOf),
  ];
}

type Row = Results[number][number];

/** The rows of one index or key, by its schema, table and name. */
function grouped(found: Results[number]): (readonly Row[])[] {
  return [...Map.groupBy(found, ([schema, table, name]) => JSON.stringify([schema, table, name])).values()];
}

function indexOf(parts: readonly Row[]): Candidate {
  const [schema, table, name, unique, primary, constraint] = parts[0] ?? [];
  const list = `(${parts.map((part) => text(part[6])).join(', ')})`;
  const of = { name: text(name), table: shownName(text(schema), text(table)) };
  if (primary === true) return { kind: 'key', ...of, type: `primary key ${list}` };
  const type = unique === true ? `unique ${list}` : list;
  return { kind: constraint === true ? 'key' : 'index', ...of, type };
}

function foreignKeyOf(parts: readonly Row[]): Candidate {
  const [schema, table, name, , toSchema, toTable] = parts[0] ?? [];
  const own = parts.map((part) => text(part[3])).join(', ');
  const theirs = parts.map((part) => text(part[6])).join(', ');
  const to = shownName(text(toSchema), text(toTable));
  const type = `foreign key (${own}) -> ${to}(${theirs})`;
  return { kind: 'key', name: text(name), table: shownName(text(schema), text(table)), type };
}
