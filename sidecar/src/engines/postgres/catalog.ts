import * as z from 'zod';
import { unknownTable } from '../unknown-names.ts';
import type { Catalog } from './catalog-query.ts';

/** A table, or something that is read like one. */
const relation = z.object({
  oid: z.number(),
  schema: z.string(),
  name: z.string(),
  kind: z.enum(['r', 'p', 'v', 'm', 'f']),
  isPartition: z.boolean(),
  rows: z.number().nullable(),
  comment: z.string().nullable(),
});

export type Relation = z.infer<typeof relation>;

export const RELATION_KINDS = {
  r: 'table',
  p: 'partitioned table',
  v: 'view',
  m: 'materialized view',
  f: 'foreign table',
} as const satisfies Record<Relation['kind'], string>;

/** The server's own schemas, and those of extensions. */
const OWN_SCHEMAS = `
  n.nspname !~ '^pg_(toast|temp)' AND n.nspname NOT IN ('pg_catalog', 'information_schema')
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.classid = 'pg_catalog.pg_namespace'::pg_catalog.regclass
                    AND d.objid = n.oid AND d.deptype = 'e')`;

/**
 * The row estimate of a never analysed table is negative or zero; that of a partitioned table is its partitions' sum.
 */
const RELATIONS = `
SELECT c.oid::int8 AS oid, n.nspname AS schema, c.relname AS name, c.relkind::text AS kind, c.relispartition AS "isPartition",
       CASE WHEN c.relkind IN ('r', 'm') AND c.reltuples >= 0 AND (c.reltuples > 0 OR c.relpages > 0) THEN c.reltuples::int8
            WHEN c.relkind = 'p' AND c.reltuples > 0 THEN c.reltuples::int8
       END AS rows,
       pg_catalog.obj_description(c.oid, 'pg_class') AS comment
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
 WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND ${OWN_SCHEMAS}
   AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
                     AND d.objid = c.oid AND d.deptype = 'e')
   AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')`;

/** All tables and views, those in `public` first. */
export function allRelations(catalog: Catalog): Promise<Relation[]> {
  return catalog.rows(relation, `${RELATIONS} ORDER BY n.nspname <> 'public', n.nspname, c.relname`);
}

/** The name as get-tables shows it: unqualified in `public`, else with its schema. */
export function shownName({ schema, name }: Pick<Relation, 'schema' | 'name'>): string {
  return schema === 'public' ? name : `${schema}.${name}`;
}

/** Finds a table by the name from get-tables, or as written in SQL. E_UNKNOWN_TABLE suggests similar names. */
export async function findRelation(catalog: Catalog, wanted: string): Promise<Relation> {
  const relations = await allRelations(catalog);
  const found = pick(relations, wanted);
  if (found === undefined) throw unknownTable(wanted, relations.map(shownName));
  return found;
}

/** The same among known relations. */
export function pick(relations: readonly Relation[], wanted: string): Relation | undefined {
  const exact = relations.find((one) => shownName(one) === wanted || `${one.schema}.${one.name}` === wanted);
  if (exact !== undefined) return exact;
  const parts = partsOf(wanted);
  const sameParts = (one: Relation): boolean =>
    parts.length === 1 ? one.name === parts[0] : parts.length === 2 && one.schema === parts[0] && one.name === parts[1];
  const named = relations.filter(sameParts);
  return named.find(({ schema }) => schema === 'public') ?? (named.length === 1 ? named[0] : undefined);
}

/** `Public."Order Items"` -> `public`, `Order Items`. */
function partsOf(text: string): string[] {
  return [...text.matchAll(/"((?:[^"]|"")*)"|([^".]+)/g)].map(([, quoted, bare]) =>
    quoted === undefined ? (bare ?? '').trim().toLowerCase() : quoted.replaceAll('""', '"'),
  );
}
