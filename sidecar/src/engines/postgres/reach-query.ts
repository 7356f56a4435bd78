import { HARMLESS_VOLATILE, KNOWN_EXTENSIONS, RUNS_WHAT_IT_IS_GIVEN } from './functions.ts';
import { literal } from './quote.ts';

/**
 * The first object number Postgres gives to objects that are not its own. Its own functions are in C, or in SQL it
 * ships; a replaced one is neither.
 */
const FIRST_OWN = 16_384;
/** The languages `internal`, `c` and `sql`. */
const [INTERNAL, C, SQL] = [12, 13, 14];

const listed = (names: readonly string[]): string => names.map(literal).join(', ');

/** A catalogue's own number, which distinguishes its rows from those of others. */
const of = (catalog: string): string => `'pg_catalog.${catalog}'::pg_catalog.regclass::pg_catalog.oid`;

/**
 * A text that changes with every commit: the running transactions, and on a standby what has been replayed. It uses no
 * operator, so nothing in the search path can replace one.
 */
export const COMMITTED = 'pg_catalog.concat(pg_catalog.txid_current_snapshot(), pg_catalog.pg_last_wal_replay_lsn())';

/**
 * The catalogues that determine what a statement reaches. Their rows are only ever replaced by rows of later
 * transactions.
 */
const CHANGING = [
  ...['pg_depend', 'pg_aggregate', 'pg_cast', 'pg_class', 'pg_constraint', 'pg_attrdef', 'pg_policy', 'pg_index'],
  ...['pg_inherits', 'pg_rewrite', 'pg_statistic_ext', 'pg_operator', 'pg_opclass', 'pg_extension'],
] as const;
const CHANGING_WITH_NUMBER = ['pg_proc', 'pg_type', 'pg_amop', 'pg_amproc'] as const;

/** The number of rows, and the sum of the transactions that wrote them: no change leaves both the same. */
const PRINT = [
  ...CHANGING.map((catalog) => printOf(catalog, '')),
  ...CHANGING_WITH_NUMBER.map((catalog) => printOf(catalog, ` WHERE oid >= ${FIRST_OWN}`)),
].join(', ');

function printOf(catalog: string, where: string): string {
  return `(SELECT pg_catalog.concat(count(*), '/', sum(xmin::text::int8)) FROM pg_catalog.${catalog}${where})`;
}

/** Whether anything relevant has changed: much cheaper than reading all of it. */
export const PRINT_QUERY = `SELECT ${COMMITTED}, pg_catalog.concat_ws(' ', ${PRINT})`;

/** Postgres' own functions that no statement may run without asking. They stay the same while a server runs. */
export const BUILT_IN_QUERY = `
SELECT pg_catalog.json_build_object(
  'version', pg_catalog.current_setting('server_version_num')::int4,
  'functions', pg_catalog.json_agg(pg_catalog.json_build_object(
    'oid', p.oid::int8, 'name', p.proname, 'least', p.pronargs - p.pronargdefaults,
    'most', CASE WHEN p.provariadic = 0 THEN p.pronargs END, 'given', p.provolatile <> 'v')))::text
  FROM pg_catalog.pg_proc p
 WHERE p.oid < ${FIRST_OWN}
   AND (p.provolatile = 'v' AND p.proname NOT IN (${listed(HARMLESS_VOLATILE.filter((name) => name !== 'setseed'))})
        OR p.proname IN (${listed(RUNS_WHAT_IT_IS_GIVEN)}))`;

/**
 * Functions that are not Postgres' own. Those of a known extension count as its own if they are as shipped: created by
 * a superuser, in the extension's library, or a function of Postgres under another name.
 */
const FOREIGN_CODE = `
known AS MATERIALIZED (
  SELECT d.objid AS oid, e.extname
    FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
   WHERE d.refclassid = ${of('pg_extension')} AND d.classid = ${of('pg_proc')} AND d.deptype = 'e'
     AND e.extname IN (${listed(KNOWN_EXTENSIONS)})
),
foreign_code AS MATERIALIZED (
  SELECT p.oid
    FROM pg_proc p JOIN pg_roles r ON r.oid = p.proowner LEFT JOIN known k ON k.oid = p.oid
   WHERE (p.oid >= ${FIRST_OWN} OR p.prolang NOT IN (${INTERNAL}, ${C}, ${SQL}))
     AND NOT EXISTS (SELECT FROM pg_aggregate a WHERE a.aggfnoid = p.oid)
     -- These cannot be called: they run when something is written.
     AND NOT (p.prorettype IN ('trigger'::regtype, 'event_trigger'::regtype)
              AND p.prolang = (SELECT l.oid FROM pg_language l WHERE l.lanname = 'plpgsql'))
     -- Postgres makes these for every range type.
     AND NOT (p.prolang = ${INTERNAL} AND p.prosrc ~ '^(multi)?range_constructor[0-3]$')
     AND (k.oid IS NULL OR NOT r.rolsuper
          OR p.provolatile = 'v' AND p.proname NOT IN (${listed(HARMLESS_VOLATILE)})
             AND NOT 'internal'::regtype = ANY (p.proargtypes)
          OR NOT (p.prolang = ${SQL}
                  OR p.prolang = ${C} AND p.probin ~ ('^\\$libdir/(lib|rt|_)?' || left(k.extname, 3))
                  OR p.prolang = ${INTERNAL} AND EXISTS (
                       SELECT FROM pg_proc b WHERE b.oid < ${FIRST_OWN} AND b.prosrc = p.prosrc
                          AND b.prolang = ${INTERNAL} AND b.provolatile <> 'v')))
)`;

/** An expression that calls user-defined code with only constants is evaluated during planning. */
const CONSTANT_CALL = String.raw`\{\w+ :(funcid|opno) [1-9]\d{4,} [^{}]*:args (<>|\((?!\{VAR|\{RELABELTYPE :arg \{VAR|\{COERCEVIAIO :arg \{VAR))`;

/**
 * The starting points: foreign code, foreign tables, and everything that uses a function of Postgres that changes
 * something. A column that draws from a sequence does not count: the code that counts a write's rows handles it.
 */
function seeds(builtIn: readonly number[]): string {
  const numbers = builtIn.join(', ');
  const calls = (tree: string): string => `${tree} ~ ':funcid (${builtIn.join('|')}) '`;
  return `
seeds (class, id) AS (
  SELECT ${of('pg_proc')}, oid FROM foreign_code
  UNION ALL SELECT ${of('pg_class')}, oid FROM pg_class WHERE relkind = 'f'
  UNION ALL SELECT ${of('pg_rewrite')}, oid FROM pg_rewrite WHERE oid >= ${FIRST_OWN} AND ${calls('ev_action::text')}
  UNION ALL SELECT ${of('pg_policy')}, oid FROM pg_policy WHERE ${calls('concat(polqual, polwithcheck)')}
  UNION ALL SELECT ${of('pg_constraint')}, oid FROM pg_constraint WHERE conbin IS NOT NULL AND ${calls('conbin::text')}
  UNION ALL SELECT ${of('pg_operator')}, oid FROM pg_operator WHERE oprcode::oid IN (${numbers})
  UNION ALL SELECT ${of('pg_cast')}, oid FROM pg_cast WHERE castfunc IN (${numbers})
  UNION ALL SELECT ${of('pg_opfamily')}, amprocfamily FROM pg_amproc WHERE amproc::oid IN (${numbers})
  UNION ALL SELECT ${of('pg_proc')}, aggfnoid::oid FROM pg_aggregate
    WHERE ARRAY[aggtransfn, aggfinalfn, aggcombinefn, aggserialfn, aggdeserialfn,
                aggmtransfn, aggminvtransfn, aggmfinalfn]::oid[] && ARRAY[${numbers}]::oid[]
)`;
}

/** What runs when a relation is read: from the catalogues themselves, and from pg_depend for everything users made. */
const READING = `
  SELECT classid, objid, refclassid, refobjid FROM pg_depend
   WHERE deptype <> 'e' AND refobjid >= ${FIRST_OWN}
     AND NOT (classid = ${of('pg_class')} AND refclassid = ${of('pg_class')})
  UNION ALL SELECT ${of('pg_class')}, r.ev_class, ${of('pg_rewrite')}, r.oid
    FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class WHERE c.relkind = 'v' AND r.ev_type = '1'
  UNION ALL SELECT ${of('pg_class')}, polrelid, ${of('pg_policy')}, oid FROM pg_policy
  UNION ALL SELECT ${of('pg_class')}, i.indrelid, ${of('pg_opclass')}, o.oid
    FROM pg_index i JOIN pg_opclass o ON o.oid = ANY (i.indclass) WHERE o.oid >= ${FIRST_OWN}
  UNION ALL SELECT ${of('pg_class')}, indrelid, ${of('pg_class')}, indexrelid
    FROM pg_index WHERE concat(indexprs, indpred) ~ '${CONSTANT_CALL}'
  UNION ALL SELECT ${of('pg_class')}, conrelid, ${of('pg_constraint')}, oid
    FROM pg_constraint WHERE contype = 'c' AND conrelid <> 0 AND conbin::text ~ '${CONSTANT_CALL}'
  UNION ALL SELECT ${of('pg_class')}, inhparent, ${of('pg_class')}, inhrelid FROM pg_inherits
  UNION ALL SELECT ${of('pg_class')}, stxrelid, ${of('pg_statistic_ext')}, oid FROM pg_statistic_ext`;

/** Generated at read time, from version 18 on. */
const READ_TIME_COLUMNS = `
  UNION ALL SELECT ${of('pg_class')}, d.adrelid, ${of('pg_attrdef')}, d.oid
    FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum WHERE a.attgenerated = 'v'`;

/** What runs, besides triggers, when a relation is written; being written has class 0. */
const WRITING = `
  UNION ALL SELECT 0, ev_class, ${of('pg_rewrite')}, oid FROM pg_rewrite WHERE oid >= ${FIRST_OWN}
  UNION ALL SELECT 0, adrelid, ${of('pg_attrdef')}, oid FROM pg_attrdef
  UNION ALL SELECT 0, conrelid, ${of('pg_constraint')}, oid FROM pg_constraint WHERE contype = 'c' AND conrelid <> 0
  UNION ALL SELECT 0, indrelid, ${of('pg_class')}, indexrelid FROM pg_index
  UNION ALL SELECT 0, oid, ${of('pg_class')}, oid FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'f')
  UNION ALL SELECT 0, conrelid, ${of('pg_class')}, confrelid FROM pg_constraint WHERE contype = 'f'
  UNION ALL SELECT 0, confrelid, ${of('pg_class')}, conrelid FROM pg_constraint WHERE contype = 'f'
  UNION ALL SELECT 0, inhparent, 0, inhrelid FROM pg_inherits
  UNION ALL SELECT 0, r.ev_class, 0, d.refobjid
    FROM pg_rewrite r JOIN pg_depend d
      ON d.classid = ${of('pg_rewrite')} AND d.objid = r.oid AND d.refclassid = ${of('pg_class')}
   WHERE r.oid >= ${FIRST_OWN}`;

/** Dependencies of types, operators and operator classes that pg_depend does not list. */
const BEHIND_NAMES = `
  UNION ALL SELECT ${of('pg_type')}, contypid, ${of('pg_constraint')}, oid FROM pg_constraint WHERE contypid <> 0
  UNION ALL SELECT ${of('pg_type')}, t.oid, ${of('pg_class')}, c.oid
    FROM pg_type t JOIN pg_class c ON c.oid = t.typrelid WHERE c.relkind = 'c'
  UNION ALL SELECT ${of('pg_type')}, opcintype, ${of('pg_opclass')}, oid FROM pg_opclass WHERE opcdefault
  UNION ALL SELECT ${of('pg_type')}, castsource, ${of('pg_cast')}, oid FROM pg_cast WHERE castsource >= ${FIRST_OWN}
  UNION ALL SELECT ${of('pg_type')}, casttarget, ${of('pg_cast')}, oid FROM pg_cast WHERE casttarget >= ${FIRST_OWN}
  UNION ALL SELECT ${of('pg_operator')}, oid, ${of('pg_operator')}, oprcom FROM pg_operator WHERE oprcom >= ${FIRST_OWN}
  UNION ALL SELECT ${of('pg_operator')}, oid, ${of('pg_operator')}, oprnegate
    FROM pg_operator WHERE oprnegate >= ${FIRST_OWN}
  UNION ALL SELECT ${of('pg_opclass')}, oid, ${of('pg_opfamily')}, opcfamily FROM pg_opclass
  UNION ALL SELECT ${of('pg_opfamily')}, amprocfamily, ${of('pg_proc')}, amproc::oid
    FROM pg_amproc WHERE amproc::oid >= ${FIRST_OWN}
  UNION ALL SELECT ${of('pg_opfamily')}, amopfamily, ${of('pg_operator')}, amopopr
    FROM pg_amop WHERE amopopr >= ${FIRST_OWN}`;

/** What is reached, by name: `early` is what an input function can run, before there is a plan. */
const ANSWER = `
SELECT pg_catalog.json_build_object(
  'functions', (SELECT coalesce(json_agg(json_build_object('name', p.proname, 'least', p.pronargs - p.pronargdefaults,
      'most', CASE WHEN p.provariadic = 0 THEN p.pronargs END, 'early', r.early,
      -- No plan works these out beforehand, nor a default of theirs, nor puts their body in their place.
      'late', p.provolatile = 'v' AND p.pronargdefaults = 0 AND (p.prolang <> ${SQL} OR p.prosrc ~* '^\\s*(insert|update|delete)\\s'),
      'sample', 'internal'::regtype = ANY (p.proargtypes))), '[]')
     FROM reached r JOIN pg_proc p ON p.oid = r.id WHERE r.class = ${of('pg_proc')}),
  'operators', (SELECT coalesce(json_agg(json_build_object('name', o.oprname, 'isPrefix', o.oprleft = 0, 'early', r.early)), '[]')
     FROM reached r JOIN pg_operator o ON o.oid = r.id WHERE r.class = ${of('pg_operator')}),
  'types', (SELECT coalesce(json_agg(t.typname), '[]')
     FROM reached r JOIN pg_type t ON t.oid = r.id WHERE r.class = ${of('pg_type')} AND r.early),
  'read', (SELECT coalesce(json_agg(json_build_object('name', c.relname, 'early', r.early)), '[]')
     FROM reached r JOIN pg_class c ON c.oid = r.id
    WHERE r.class = ${of('pg_class')} AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')),
  'written', (SELECT coalesce(json_agg(json_build_object('name', c.relname, 'early', r.early)), '[]')
     FROM reached r JOIN pg_class c ON c.oid = r.id WHERE r.class = 0),
  -- A domain is cast to as what it is over.
  'casts', (SELECT coalesce(json_agg(DISTINCT t.typname), '[]')
     FROM reached r JOIN pg_cast k ON k.oid = r.id
     JOIN pg_type t ON t.oid = k.casttarget OR t.typtype = 'd' AND t.oid >= ${FIRST_OWN}
    WHERE r.class = ${of('pg_cast')} AND k.castsource < ${FIRST_OWN} AND k.casttarget < ${FIRST_OWN}),
  'anywhere', (SELECT coalesce(json_agg(DISTINCT places.what), '[]') FROM (
     SELECT 'an implicit cast between types of Postgres' AS what FROM reached r JOIN pg_cast k ON k.oid = r.id
      WHERE r.class = ${of('pg_cast')} AND k.castcontext = 'i' AND k.castsource < ${FIRST_OWN} AND k.casttarget < ${FIRST_OWN}
     UNION ALL SELECT 'an operator class for a type of Postgres' FROM reached r JOIN pg_opclass o
        ON r.class = ${of('pg_opclass')} AND o.oid = r.id OR r.class = ${of('pg_opfamily')} AND o.opcfamily = r.id
      -- Of others a plan makes use where there is such an index alone.
      WHERE o.opcintype < ${FIRST_OWN} AND o.opcmethod IN (SELECT oid FROM pg_am WHERE amname IN ('btree', 'hash'))
     UNION ALL SELECT 'a conversion between encodings' FROM reached r JOIN pg_conversion k ON k.oid = r.id
      WHERE r.class = ${of('pg_conversion')} AND k.condefault
  ) AS places),
  'textSearch', EXISTS (SELECT FROM reached r
     WHERE r.class IN (${of('pg_ts_parser')}, ${of('pg_ts_template')}, ${of('pg_ts_dict')}, ${of('pg_ts_config')}))
)`;

/** Everything in the database from which foreign code can be reached, with its last change. */
export function reachQuery(version: number, builtIn: readonly number[]): string {
  const edges = [READING, version >= 180_000 ? READ_TIME_COLUMNS : '', WRITING, BEHIND_NAMES].join('');
  return `
WITH RECURSIVE ${FOREIGN_CODE},${seeds(builtIn)},
edges (class, id, refclass, refid) AS MATERIALIZED (${edges}
),
found (class, id, early) AS (
  SELECT class, id, false FROM seeds
  UNION
  SELECT e.class, e.id, f.early OR e.class = ${of('pg_type')}
    FROM edges e JOIN found f ON e.refclass = f.class AND e.refid = f.id
),
reached AS MATERIALIZED (SELECT class, id, bool_or(early) AS early FROM found GROUP BY class, id)
SELECT ${COMMITTED}, pg_catalog.concat_ws(' ', ${PRINT}), (${ANSWER})::text`;
}
