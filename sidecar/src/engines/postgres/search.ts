import type { ToolInput, ToolOutput } from '@devdb/shared/tools';
import * as z from 'zod';
import { nameMatcher } from '../name-matcher.ts';
import { searchAnswer } from '../search-answer.ts';
import { allRelations, type Relation, shownName } from './catalog.ts';
import type { Catalog } from './catalog-query.ts';

type Match = ToolOutput<'search-schema'>['matches'][number];
type Kind = ToolInput<'search-schema'>['kind'];

const column = z.object({ table: z.number(), name: z.string(), type: z.string() });
const COLUMNS = `
SELECT a.attrelid::int8 AS "table", a.attname AS name, pg_catalog.format_type(a.atttypid, a.atttypmod) AS type
  FROM pg_catalog.pg_attribute a
 WHERE a.attrelid = ANY (?::oid[]) AND a.attnum > 0 AND NOT a.attisdropped
 ORDER BY a.attrelid, a.attnum`;

const routine = z.object({ schema: z.string(), name: z.string(), type: z.string() });
const ROUTINES = `
SELECT n.nspname AS schema, p.proname AS name,
       '(' || pg_catalog.pg_get_function_identity_arguments(p.oid) || ')'
         || coalesce(' -> ' || pg_catalog.pg_get_function_result(p.oid), '') AS type
  FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
 WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_(toast|temp)'
   AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass
                     AND d.objid = p.oid AND d.deptype = 'e')
 ORDER BY n.nspname <> 'public', n.nspname, p.proname`;

/** Tables, views, columns and routines whose names match; tables before columns before routines. */
export async function searchSchema(
  catalog: Catalog,
  pattern: string,
  kind: Kind,
): Promise<ToolOutput<'search-schema'>> {
  const matches = nameMatcher(pattern);
  const relations = kind === 'routine' ? [] : await allRelations(catalog);
  const found = [
    ...tables(relations, kind),
    ...(kind === undefined || kind === 'column' ? await columns(catalog, relations) : []),
    ...(kind === undefined || kind === 'routine' ? await routines(catalog) : []),
  ].filter(({ name }) => matches(name) || matches(name.slice(name.lastIndexOf('.') + 1)));
  return searchAnswer(found);
}

function tables(relations: readonly Relation[], kind: Kind): Match[] {
  return relations.flatMap((one): Match[] => {
    const own = one.kind === 'v' || one.kind === 'm' ? 'view' : 'table';
    return kind === undefined || kind === own ? [{ kind: own, name: shownName(one) }] : [];
  });
}

async function columns(catalog: Catalog, relations: readonly Relation[]): Promise<Match[]> {
  // A partition has its table's columns.
  const wanted = relations.filter(({ isPartition }) => !isPartition);
  const names = new Map(wanted.map((one) => [one.oid, shownName(one)]));
  const rows = Map.groupBy(
    await catalog.rows(column, COLUMNS, [`{${[...names.keys()].join(',')}}`]),
    ({ table }) => table,
  );
  return [...names].flatMap(([oid, table]) =>
    (rows.get(oid) ?? []).map(({ name, type }): Match => ({ kind: 'column', name, table, type })),
  );
}

async function routines(catalog: Catalog): Promise<Match[]> {
  const rows = await catalog.rows(routine, ROUTINES);
  return rows.map(({ schema, name, type }) => ({ kind: 'routine', name: shownName({ schema, name }), type }));
}
