import type { ToolInput, ToolOutput } from '@devdb/shared/tools';
import * as z from 'zod';
import { type Candidate, searched } from '../schema-search.ts';
import { allRelations, type Relation, shownName } from './catalog.ts';
import type { Catalog } from './catalog-query.ts';
import { shortTypeName } from './type-names.ts';

const comment = z.string().nullable();
const column = z.object({ table: z.number(), name: z.string(), type: z.string(), comment });
const COLUMNS = `
SELECT a.attrelid::int8 AS "table", a.attname AS name, pg_catalog.format_type(a.atttypid, a.atttypmod) AS type,
       pg_catalog.col_description(a.attrelid, a.attnum) AS comment
  FROM pg_catalog.pg_attribute a
 WHERE a.attrelid = ANY (?::oid[]) AND a.attnum > 0 AND NOT a.attisdropped
 ORDER BY a.attrelid, a.attnum`;

const routine = z.object({ schema: z.string(), name: z.string(), type: z.string(), comment });
const ROUTINES = `
SELECT n.nspname AS schema, p.proname AS name,
       '(' || pg_catalog.pg_get_function_identity_arguments(p.oid) || ')'
         || coalesce(' -> ' || pg_catalog.pg_get_function_result(p.oid), '') AS type,
       pg_catalog.obj_description(p.oid, 'pg_proc') AS comment
  FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
 WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_(toast|temp)'
   AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass
                     AND d.objid = p.oid AND d.deptype = 'e')
 ORDER BY n.nspname <> 'public', n.nspname, p.proname`;

const part = z.object({ table: z.number(), name: z.string(), type: z.string(), comment });
/** An index that belongs to a key is found as the key. */
const INDEXES = `
SELECT i.indrelid::int8 AS "table", c.relname AS name,
       CASE WHEN i.indisunique THEN 'unique ' ELSE '' END
         || substring(pg_catalog.pg_get_indexdef(i.indexrelid) FROM ' USING (.*)$') AS type,
       pg_catalog.obj_description(c.oid, 'pg_class') AS comment
  FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
 WHERE i.indrelid = ANY (?::oid[])
   AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
 ORDER BY i.indrelid, c.relname`;
const KEYS = `
SELECT k.conrelid::int8 AS "table", k.conname AS name, pg_catalog.pg_get_constraintdef(k.oid) AS type,
       pg_catalog.obj_description(k.oid, 'pg_constraint') AS comment
  FROM pg_catalog.pg_constraint k
 WHERE k.conrelid = ANY (?::oid[]) AND k.contype IN ('p', 'u', 'f', 'x')
 ORDER BY k.conrelid, k.conname`;

/** Tables, views, columns, routines, indexes and keys that match by name or comment, in this order. */
export async function searchSchema(
  catalog: Catalog,
  pattern: string,
  kind: ToolInput<'search-schema'>['kind'],
): Promise<ToolOutput<'search-schema'>> {
  const relations = await allRelations(catalog);
  // A partition has its table's columns, indexes and keys.
  const whole = relations.filter(({ isPartition }) => !isPartition);
  const names = new Map(whole.map((one) => [one.oid, shownName(one)]));
  const oids = [`{${[...names.keys()].join(',')}}`];
  const ofTable =
    (kindOf: Candidate['kind']) =>
    ({ table, ...found }: z.infer<typeof part>): Candidate => ({
      kind: kindOf,
      ...found,
      type: kindOf === 'column' ? shortTypeName(found.type) : found.type,
      table: names.get(table),
      comment: found.comment ?? undefined,
    });
  const byTable = Map.groupBy(await catalog.rows(column, COLUMNS, oids), ({ table }) => table);
  const candidates = [
    ...relations.map(tableOf),
    ...[...names.keys()].flatMap((oid) => (byTable.get(oid) ?? []).map(ofTable('column'))),
    ...(await catalog.rows(routine, ROUTINES)).map(routineOf),
    ...(await catalog.rows(part, INDEXES, oids)).map(ofTable('index')),
    ...(await catalog.rows(part, KEYS, oids)).map(ofTable('key')),
  ];
  return searched(candidates, pattern, kind);
}

function tableOf(one: Relation): Candidate {
  const kind = one.kind === 'v' || one.kind === 'm' ? 'view' : 'table';
  return { kind, name: shownName(one), comment: one.comment ?? undefined };
}

function routineOf({ schema, name, type, comment: about }: z.infer<typeof routine>): Candidate {
  return { kind: 'routine', name: shownName({ schema, name }), type, comment: about ?? undefined };
}
