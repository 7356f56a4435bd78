import * as z from 'zod';
import type { Catalog } from './catalog-query.ts';

const column = z.object({
  name: z.string(),
  quoted: z.string(),
  typeOid: z.number(),
  type: z.string(),
  collation: z.string().nullable(),
  notNull: z.boolean(),
  default: z.string().nullable(),
  identity: z.enum(['', 'a', 'd']),
  identityOptions: z.string(),
  generated: z.enum(['', 's', 'v']),
  isLocal: z.boolean(),
  foreignOptions: z.string().nullable(),
  comment: z.string().nullable(),
});

export type ColumnFacts = z.infer<typeof column>;

/** A sequence's options that differ from Postgres' defaults. */
const SEQUENCE_OPTIONS = `
concat_ws(' ',
  CASE WHEN s.seqincrement <> 1 THEN 'INCREMENT BY ' || s.seqincrement END,
  CASE WHEN s.seqmin <> 1 AND s.seqincrement > 0 THEN 'MINVALUE ' || s.seqmin END,
  CASE WHEN s.seqmax <> CASE s.seqtypid WHEN 'int2'::regtype THEN 32767 WHEN 'int4'::regtype THEN 2147483647
                          ELSE 9223372036854775807 END AND s.seqincrement > 0 THEN 'MAXVALUE ' || s.seqmax END,
  CASE WHEN s.seqincrement < 0 THEN format('MINVALUE %s MAXVALUE %s', s.seqmin, s.seqmax) END,
  CASE WHEN s.seqstart <> 1 THEN 'START WITH ' || s.seqstart END,
  CASE WHEN s.seqcache <> 1 THEN 'CACHE ' || s.seqcache END,
  CASE WHEN s.seqcycle THEN 'CYCLE' END)`;

const COLUMNS = `
SELECT a.attname AS name, quote_ident(a.attname) AS quoted, a.atttypid::int8 AS "typeOid",
       format_type(a.atttypid, a.atttypmod) AS type,
       (SELECT CASE WHEN cn.nspname = 'pg_catalog' THEN quote_ident(co.collname)
                    ELSE format('%I.%I', cn.nspname, co.collname) END
          FROM pg_collation co JOIN pg_namespace cn ON cn.oid = co.collnamespace
         WHERE co.oid = a.attcollation AND a.attcollation <> t.typcollation) AS collation,
       a.attnotnull AS "notNull", pg_get_expr(d.adbin, d.adrelid) AS "default", a.attidentity::text AS identity,
       coalesce((SELECT ${SEQUENCE_OPTIONS} FROM pg_depend i JOIN pg_sequence s ON s.seqrelid = i.objid
          WHERE i.refobjid = a.attrelid AND i.refobjsubid = a.attnum AND i.deptype = 'i'
            AND i.classid = 'pg_class'::regclass AND i.refclassid = 'pg_class'::regclass), '') AS "identityOptions",
       coalesce(to_jsonb(a) ->> 'attgenerated', '') AS generated, a.attislocal AS "isLocal",
       (SELECT string_agg(format('%I %L', o.option_name, o.option_value), ', ')
          FROM pg_options_to_table(a.attfdwoptions) o) AS "foreignOptions",
       col_description(a.attrelid, a.attnum) AS comment
  FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
  LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
 WHERE a.attrelid = ? AND a.attnum > 0 AND NOT a.attisdropped
 ORDER BY a.attnum`;

const constraint = z.object({
  quoted: z.string(),
  kind: z.string(),
  definition: z.string(),
  isLocal: z.boolean(),
  comment: z.string().nullable(),
});

export type ConstraintFacts = z.infer<typeof constraint>;

/** Since version 18 NOT NULL is a constraint too; the columns already show it. */
const CONSTRAINTS = `
SELECT quote_ident(k.conname) AS quoted, k.contype::text AS kind, pg_get_constraintdef(k.oid, true) AS definition,
       k.conislocal AS "isLocal", obj_description(k.oid, 'pg_constraint') AS comment
  FROM pg_constraint k
 WHERE k.conrelid = ? AND k.contype IN ('p', 'u', 'x', 'c', 'f') AND k.conparentid = 0
 ORDER BY array_position('{p,u,x,c,f}'::text[], k.contype::text), k.conname`;

const table = z.object({
  persistence: z.string(),
  accessMethod: z.string().nullable(),
  options: z.string().nullable(),
  partitionKey: z.string().nullable(),
  partitionBound: z.string().nullable(),
  parents: z.array(z.string()),
  children: z.array(z.string()),
  viewDefinition: z.string().nullable(),
  isPopulated: z.boolean(),
  server: z.string().nullable(),
  foreignOptions: z.string().nullable(),
  rowSecurity: z.boolean(),
  forceRowSecurity: z.boolean(),
  comment: z.string().nullable(),
});

export type TableFacts = z.infer<typeof table>;

/** A relation's name as written in SQL here: unqualified in public. */
const NAME_OF = (alias: string, schema: string): string =>
  `CASE WHEN ${schema}.nspname = 'public' THEN quote_ident(${alias}.relname) ELSE format('%I.%I', ${schema}.nspname, ${alias}.relname) END`;

const TABLE = `
SELECT c.relpersistence::text AS persistence,
       (SELECT am.amname FROM pg_am am WHERE am.oid = c.relam AND am.amname <> 'heap' AND c.relkind IN ('r', 'm')) AS "accessMethod",
       array_to_string(c.reloptions, ', ') AS options,
       CASE WHEN c.relkind = 'p' THEN pg_get_partkeydef(c.oid) END AS "partitionKey",
       pg_get_expr(c.relpartbound, c.oid) AS "partitionBound",
       coalesce((SELECT json_agg(${NAME_OF('p', 'pn')} ORDER BY i.inhseqno) FROM pg_inherits i
          JOIN pg_class p ON p.oid = i.inhparent JOIN pg_namespace pn ON pn.oid = p.relnamespace
         WHERE i.inhrelid = c.oid), '[]'::json) AS parents,
       coalesce((SELECT json_agg(${NAME_OF('p', 'pn')} || ' ' || pg_get_expr(p.relpartbound, p.oid) ORDER BY p.relname)
          FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhrelid JOIN pg_namespace pn ON pn.oid = p.relnamespace
         WHERE i.inhparent = c.oid AND p.relispartition), '[]'::json) AS children,
       CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid, true) END AS "viewDefinition",
       c.relispopulated AS "isPopulated",
       (SELECT quote_ident(s.srvname) FROM pg_foreign_table f JOIN pg_foreign_server s ON s.oid = f.ftserver
         WHERE f.ftrelid = c.oid) AS server,
       (SELECT string_agg(format('%I %L', o.option_name, o.option_value), ', ')
          FROM pg_foreign_table f, pg_options_to_table(f.ftoptions) o WHERE f.ftrelid = c.oid) AS "foreignOptions",
       c.relrowsecurity AS "rowSecurity", c.relforcerowsecurity AS "forceRowSecurity",
       obj_description(c.oid, 'pg_class') AS comment
  FROM pg_class c WHERE c.oid = ?`;

const text = z.object({ text: z.string() });

/** Indexes that no constraint creates and that are not part of a parent's index. */
const INDEXES = `
SELECT regexp_replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ')
         || coalesce(format(E';\\nCOMMENT ON INDEX %s IS ', i.indexrelid::regclass)
                     || quote_literal(obj_description(i.indexrelid, 'pg_class')), '') AS text
  FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
 WHERE i.indrelid = ? AND NOT x.relispartition
   AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.conrelid = i.indrelid AND k.contype IN ('p', 'u', 'x'))
 ORDER BY x.relname`;

const TRIGGERS = `
SELECT pg_get_triggerdef(t.oid, true) || CASE t.tgenabled WHEN 'O' THEN '' ELSE format(E';\\nALTER TABLE %s %s TRIGGER %I',
         t.tgrelid::regclass, CASE t.tgenabled WHEN 'D' THEN 'DISABLE' WHEN 'R' THEN 'ENABLE REPLICA' ELSE 'ENABLE ALWAYS' END, t.tgname) END AS text
  FROM pg_trigger t
 WHERE t.tgrelid = ? AND NOT t.tgisinternal AND coalesce((to_jsonb(t) ->> 'tgparentid')::int8, 0) = 0
 ORDER BY t.tgname`;

const POLICIES = `
SELECT format('CREATE POLICY %I ON %s AS %s FOR %s TO %s', p.polname, p.polrelid::regclass,
         CASE WHEN p.polpermissive THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END,
         CASE p.polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE' ELSE 'ALL' END,
         (SELECT string_agg(CASE WHEN r = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(r)) END, ', ') FROM unnest(p.polroles) r))
       || coalesce(' USING (' || pg_get_expr(p.polqual, p.polrelid) || ')', '')
       || coalesce(' WITH CHECK (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')', '') AS text
  FROM pg_policy p WHERE p.polrelid = ? ORDER BY p.polname`;

/** Everything that belongs to one table or view. */
export interface SchemaFacts {
  readonly table: TableFacts;
  readonly columns: readonly ColumnFacts[];
  readonly constraints: readonly ConstraintFacts[];
  readonly indexes: readonly string[];
  readonly triggers: readonly string[];
  readonly policies: readonly string[];
}

/** Reads the facts from the catalogue. */
export async function readSchemaFacts(catalog: Catalog, oid: number): Promise<SchemaFacts | undefined> {
  const [found] = await catalog.rows(table, TABLE, [oid]);
  if (found === undefined) return undefined;
  const texts = async (sql: string): Promise<string[]> => (await catalog.rows(text, sql, [oid])).map((row) => row.text);
  return {
    table: found,
    columns: await catalog.rows(column, COLUMNS, [oid]),
    constraints: await catalog.rows(constraint, CONSTRAINTS, [oid]),
    indexes: await texts(INDEXES),
    triggers: await texts(TRIGGERS),
    policies: await texts(POLICIES),
  };
}

const sequence = z.object({ create: z.string(), ownedBy: z.string().nullable() });

export type SequenceFacts = z.infer<typeof sequence>;

/** Sequences that defaults draw from; an identity column's own sequence is part of the column. */
const SEQUENCES = `
SELECT DISTINCT concat_ws(' ', 'CREATE SEQUENCE IF NOT EXISTS', d.refobjid::regclass::text,
         CASE WHEN s.seqtypid <> 'int8'::regtype THEN 'AS ' || format_type(s.seqtypid, NULL) END,
         nullif(${SEQUENCE_OPTIONS}, '')) AS create,
       (SELECT format('ALTER SEQUENCE %s OWNED BY %s.%I', o.objid::regclass, o.refobjid::regclass, oa.attname)
          FROM pg_depend o JOIN pg_attribute oa ON oa.attrelid = o.refobjid AND oa.attnum = o.refobjsubid
         WHERE o.objid = d.refobjid AND o.classid = 'pg_class'::regclass AND o.deptype = 'a' AND o.refobjid = a.adrelid) AS "ownedBy"
  FROM pg_attrdef a
  JOIN pg_depend d ON d.classid = 'pg_attrdef'::regclass AND d.objid = a.oid AND d.refclassid = 'pg_class'::regclass
  JOIN pg_sequence s ON s.seqrelid = d.refobjid
 WHERE a.adrelid = ?`;

/** The sequences of a table's defaults. */
export function readSequences(catalog: Catalog, oid: number): Promise<SequenceFacts[]> {
  return catalog.rows(sequence, SEQUENCES, [oid]);
}
