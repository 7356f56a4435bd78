import * as z from 'zod';
import type { Catalog } from './catalog-query.ts';

/** The objects that parts of a table refer to: their numbers, by catalogue. */
const PARTS = `
WITH parts(classid, objid) AS (
  SELECT 'pg_class'::regclass::oid, ?::oid
  UNION ALL SELECT 'pg_attrdef'::regclass::oid, oid FROM pg_attrdef WHERE adrelid = ?::oid
  UNION ALL SELECT 'pg_constraint'::regclass::oid, oid FROM pg_constraint WHERE conrelid = ?::oid
  UNION ALL SELECT 'pg_class'::regclass::oid, indexrelid FROM pg_index WHERE indrelid = ?::oid
  UNION ALL SELECT 'pg_trigger'::regclass::oid, oid FROM pg_trigger WHERE tgrelid = ?::oid AND NOT tgisinternal
  UNION ALL SELECT 'pg_policy'::regclass::oid, oid FROM pg_policy WHERE polrelid = ?::oid
  UNION ALL SELECT 'pg_rewrite'::regclass::oid, oid FROM pg_rewrite WHERE ev_class = ?::oid
)
SELECT DISTINCT d.refclassid::regclass::text AS catalog, d.refobjid::int8 AS oid,
       (SELECT e.extname FROM pg_depend x JOIN pg_extension e ON e.oid = x.refobjid
         WHERE x.classid = d.refclassid AND x.objid = d.refobjid AND x.deptype = 'e') AS extension
  FROM parts p JOIN pg_depend d ON d.classid = p.classid AND d.objid = p.objid
 WHERE d.refclassid IN ('pg_proc'::regclass, 'pg_type'::regclass, 'pg_opclass'::regclass, 'pg_operator'::regclass,
                        'pg_collation'::regclass)`;

const part = z.object({ catalog: z.string(), oid: z.number(), extension: z.string().nullable() });

const routine = z.object({ definition: z.string() });
const ROUTINES = `
SELECT pg_get_functiondef(p.oid) AS definition FROM pg_proc p
 WHERE p.oid = ANY (?::oid[]) AND p.prokind <> 'a' ORDER BY p.proname`;

const collation = z.object({ definition: z.string() });
const COLLATIONS = `
SELECT format('CREATE COLLATION IF NOT EXISTS %s (provider = %s, locale = %L%s)',
         CASE WHEN n.nspname = 'public' THEN quote_ident(c.collname) ELSE format('%I.%I', n.nspname, c.collname) END,
         CASE c.collprovider WHEN 'i' THEN 'icu' WHEN 'b' THEN 'builtin' ELSE 'libc' END,
         coalesce(to_jsonb(c) ->> 'colllocale', to_jsonb(c) ->> 'colliculocale', c.collcollate),
         CASE WHEN c.collisdeterministic THEN '' ELSE ', deterministic = false' END) AS definition
  FROM pg_collation c JOIN pg_namespace n ON n.oid = c.collnamespace
 WHERE c.oid = ANY (?::oid[]) AND n.nspname <> 'pg_catalog' ORDER BY c.collname`;

const type = z.object({
  oid: z.number(),
  name: z.string(),
  schema: z.string(),
  kind: z.string(),
  /** The types this one is made of. */
  needs: z.array(z.number()),
  extension: z.string().nullable(),
  definition: z.string().nullable(),
});

type TypeFacts = z.infer<typeof type>;

const TYPES = `
SELECT t.oid::int8 AS oid, format_type(t.oid, NULL) AS name, n.nspname AS schema, t.typtype::text AS kind,
       coalesce((SELECT json_agg(DISTINCT u.need::int8) FROM (
           SELECT t.typelem WHERE t.typelem <> 0 UNION ALL SELECT t.typbasetype WHERE t.typbasetype <> 0
           UNION ALL SELECT r.rngsubtype FROM pg_range r WHERE r.rngtypid = t.oid
           UNION ALL SELECT a.atttypid FROM pg_attribute a WHERE a.attrelid = t.typrelid AND t.typtype = 'c' AND a.attnum > 0 AND NOT a.attisdropped
         ) u(need)), '[]'::json) AS needs,
       (SELECT e.extname FROM pg_depend x JOIN pg_extension e ON e.oid = x.refobjid
         WHERE x.classid = 'pg_type'::regclass AND x.objid = t.oid AND x.deptype = 'e') AS extension,
       CASE
         WHEN t.typtype = 'e' THEN format('CREATE TYPE %s AS ENUM (%s)', format_type(t.oid, NULL),
           (SELECT string_agg(quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid))
         WHEN t.typtype = 'd' THEN concat_ws(' ', format('CREATE DOMAIN %s AS %s', format_type(t.oid, NULL), format_type(t.typbasetype, t.typtypmod)),
           (SELECT 'COLLATE ' || format('%I.%I', cn.nspname, co.collname) FROM pg_collation co JOIN pg_namespace cn ON cn.oid = co.collnamespace
             JOIN pg_type b ON b.oid = t.typbasetype WHERE co.oid = t.typcollation AND t.typcollation <> b.typcollation),
           'DEFAULT ' || t.typdefault, CASE WHEN t.typnotnull THEN 'NOT NULL' END,
           (SELECT string_agg(format('CONSTRAINT %I %s', k.conname, pg_get_constraintdef(k.oid, true)), ' ' ORDER BY k.conname)
              FROM pg_constraint k WHERE k.contypid = t.oid AND k.contype = 'c'))
         WHEN t.typtype = 'c' AND c.relkind = 'c' THEN format('CREATE TYPE %s AS (%s)', format_type(t.oid, NULL),
           (SELECT string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)), ', ' ORDER BY a.attnum)
              FROM pg_attribute a WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped))
         WHEN t.typtype = 'r' THEN (SELECT format('CREATE TYPE %s AS RANGE (subtype = %s)', format_type(t.oid, NULL), format_type(r.rngsubtype, NULL))
              FROM pg_range r WHERE r.rngtypid = t.oid)
       END AS definition
  FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace LEFT JOIN pg_class c ON c.oid = t.typrelid
 WHERE t.oid = ANY (?::oid[])`;

/** What has to exist before a table: statements in the order to run them. */
export interface SchemaNeeds {
  readonly schemas: readonly string[];
  readonly extensions: readonly string[];
  readonly statements: readonly string[];
}

/** Extensions, types, collations and functions that a table uses. */
export async function readNeeds(catalog: Catalog, oid: number, columnTypes: readonly number[]): Promise<SchemaNeeds> {
  const parts = await catalog.rows(part, PARTS, [oid, oid, oid, oid, oid, oid, oid]);
  const own = (name: string): string =>
    `{${parts
      .filter((one) => one.catalog === name && one.extension === null)
      .map((one) => one.oid)
      .join(',')}}`;
  const types = await readTypes(catalog, columnTypes);
  const extensions = [...parts, ...types].flatMap(({ extension }) => extension ?? []);
  const routines = await catalog.rows(routine, ROUTINES, [own('pg_proc')]);
  const collations = await catalog.rows(collation, COLLATIONS, [own('pg_collation')]);
  const made = types.filter(({ definition, extension }) => definition !== null && extension === null);
  return {
    schemas: [...new Set(made.map(({ schema }) => schema))],
    extensions: [...new Set(extensions)].sort(),
    statements: [
      ...collations.map(({ definition }) => definition),
      ...made.flatMap(({ definition }) => (definition === null ? [] : [unlessThere(definition)])),
      ...routines.map(({ definition }) => definition.trimEnd()),
    ],
  };
}

/** Several tables may use the same type, and CREATE TYPE has no IF NOT EXISTS. */
function unlessThere(statement: string): string {
  return `DO $do$ BEGIN ${statement}; EXCEPTION WHEN duplicate_object THEN NULL; END $do$`;
}

/** The types of a table's columns and all types those are made of, innermost first. */
async function readTypes(catalog: Catalog, columnTypes: readonly number[]): Promise<TypeFacts[]> {
  const known = new Map<number, TypeFacts>();
  let wanted = [...new Set(columnTypes)];
  while (wanted.length > 0) {
    const found = await catalog.rows(type, TYPES, [`{${wanted.join(',')}}`]);
    for (const one of found) known.set(one.oid, one);
    wanted = [...new Set(found.flatMap(({ needs }) => needs))].filter((need) => !known.has(need));
  }
  const ordered = new Set<TypeFacts>();
  const visit = (one: TypeFacts | undefined, above: readonly number[]): void => {
    if (one === undefined || ordered.has(one) || above.includes(one.oid)) return;
    for (const need of one.needs) visit(known.get(need), [...above, one.oid]);
    ordered.add(one);
  };
  for (const oid of columnTypes) visit(known.get(oid), []);
  return [...ordered].filter(({ schema, extension }) => schema !== 'pg_catalog' || extension !== null);
}
