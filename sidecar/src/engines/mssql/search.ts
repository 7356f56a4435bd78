import type { ToolInput, ToolOutput } from '@devdb/shared/tools';
import { nameMatcher } from '../name-matcher.ts';
import { searchAnswer } from '../search-answer.ts';
import type { Results } from './ask.ts';
import { readTables, rows, TABLES, text } from './catalog.ts';
import type { Database } from './database.ts';
import { shownName } from './quote.ts';
import { typeText } from './wire/type-text.ts';

type Match = ToolOutput<'search-schema'>['matches'][number];
type Kind = ToolInput<'search-schema'>['kind'];

const ALL = `${TABLES};
SELECT c.name, s.name, o.name, COALESCE(b.name, y.name), c.max_length, c.precision, c.scale
  FROM sys.columns c
  JOIN sys.objects o ON o.object_id = c.object_id AND o.type IN ('U', 'V') AND o.is_ms_shipped = 0
  JOIN sys.schemas s ON s.schema_id = o.schema_id
  JOIN sys.types y ON y.user_type_id = c.user_type_id
  LEFT JOIN sys.types b ON y.is_user_defined = 1 AND b.user_type_id = c.system_type_id AND b.system_type_id = b.user_type_id
 ORDER BY s.name, o.name, c.column_id;
SELECT s.name, o.name, LOWER(REPLACE(o.type_desc, N'_', N' '))
  FROM sys.objects o JOIN sys.schemas s ON s.schema_id = o.schema_id
 WHERE o.type IN ('P', 'PC', 'FN', 'IF', 'TF', 'FS', 'FT', 'AF') AND o.is_ms_shipped = 0
 ORDER BY s.name, o.name`;

/** Tables, views, columns and routines whose names match; tables first. */
export async function searchSchema(
  database: Database,
  pattern: string,
  kind: Kind,
  signal: AbortSignal,
): Promise<ToolOutput<'search-schema'>> {
  const matches = nameMatcher(pattern);
  const found = candidates(await database.ask(ALL, {}, signal)).filter(
    (match) => (kind === undefined || kind === match.kind) && matches(match.name),
  );
  return searchAnswer(found);
}

function candidates(results: Results): Match[] {
  const tables = readTables(rows(results, 0)).map(
    ({ kind, shown }): Match => ({ kind: kind === 'view' ? 'view' : 'table', name: shown }),
  );
  const columns = rows(results, 1).map(([name, schema, table, type, length, precision, scale]): Match => {
    const facts = { name: text(type), maxLength: Number(length), precision: Number(precision), scale: Number(scale) };
    return { kind: 'column', name: text(name), table: shownName(text(schema), text(table)), type: typeText(facts) };
  });
  const routines = rows(results, 2).map(
    ([schema, name, type]): Match => ({
      kind: 'routine',
      name: shownName(text(schema), text(name)),
      type: text(type),
    }),
  );
  return [...tables, ...columns, ...routines];
}
