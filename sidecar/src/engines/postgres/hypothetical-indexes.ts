import { readsInOrder, searches } from '../plan-flags.ts';
import type { NamedIndex } from '../plan-steps.ts';
import type { ServerConnection } from './connection.ts';
import { beginGuarded } from './guard.ts';
import type { RawPlan } from './plan-nodes.ts';
import { quoteName } from './quote.ts';
import { askCatalogs } from './reach.ts';
import { NotRunAsJudged } from './wire/statement-run.ts';

/** An index to try; `definition` is its statement, and `create` the one for a person. */
export interface HypotheticalIndex {
  readonly table: string;
  readonly index: string;
  readonly create: string;
  readonly definition: string;
}

/** Somebody may commit between looking at the extension and calling it. */
const ATTEMPTS = 3;
const JSON_TYPE = 114;
const LEAST_SAVED_PERCENT = 50;

/**
 * The schema with HypoPG's function, as the extension's own C code that a superuser owns: a function
 * of that name that another user has put somewhere is not called.
 */
const HYPOPG = `
SELECT n.nspname
  FROM pg_extension e
  JOIN pg_depend d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND d.deptype = 'e'
                  AND d.classid = 'pg_proc'::regclass
  JOIN pg_proc p ON p.oid = d.objid
  JOIN pg_language l ON l.oid = p.prolang
  JOIN pg_roles r ON r.oid = p.proowner
  JOIN pg_namespace n ON n.oid = p.pronamespace
 WHERE e.extname = 'hypopg' AND p.proname = 'hypopg_create_index' AND p.proargtypes::text = '25'
   AND l.lanname = 'c' AND r.rolsuper
   AND has_schema_privilege(n.oid, 'USAGE') AND has_function_privilege(p.oid, 'EXECUTE')`;

/**
 * Lets this session's plans see indexes that do not exist; the keys are the names that plans call them by. Nothing in
 * the database changes, and no other session sees them. Undefined where the server has no HypoPG. Ends the transaction.
 */
export async function imagineIndexes(
  connection: ServerConnection,
  indexes: readonly HypotheticalIndex[],
): Promise<ReadonlyMap<string, HypotheticalIndex> | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    await connection.run('ROLLBACK', 'script');
    const committed = await beginGuarded(connection);
    const [schema] = await askCatalogs(connection, HYPOPG);
    if (schema === undefined) return undefined;
    try {
      return await imagined(connection, schema, indexes, committed);
    } catch (error) {
      if (!(error instanceof NotRunAsJudged)) throw error;
    }
  }
  return undefined;
}

async function imagined(
  connection: ServerConnection,
  schema: string,
  indexes: readonly HypotheticalIndex[],
  committed: string,
): Promise<ReadonlyMap<string, HypotheticalIndex>> {
  // They outlive the transaction, and the session's reset.
  connection.markSpent();
  const byDefinition = new Map(indexes.map((index) => [index.definition, index]));
  const found = new Map<string, HypotheticalIndex>();
  await connection.run(
    `SELECT wanted.value, made.indexname FROM pg_catalog.json_array_elements_text($1) AS wanted(value),
       LATERAL ${quoteName(schema)}.hypopg_create_index(wanted.value) AS made`,
    'statement',
    {
      row: ([definition, name]) => {
        const index = byDefinition.get(definition ?? '');
        if (index !== undefined) found.set(name ?? '', index);
      },
    },
    [{ type: JSON_TYPE, text: JSON.stringify([...byDefinition.keys()]) }],
    { wanted: committed },
  );
  await connection.run('ROLLBACK', 'script');
  return found;
}

/** The hypothetical indexes that a plan searches, or reads in their order to save half of the work or more; each once. */
export function usedIn(before: RawPlan, plan: RawPlan, imagined: ReadonlyMap<string, HypotheticalIndex>): NamedIndex[] {
  const saved = percentSaved(before, plan);
  const found = [...nodesOf(plan)].flatMap((node) => {
    const made = imagined.get(node['Index Name'] ?? '');
    const condition = node['Index Cond'];
    if (made === undefined || (condition === undefined && saved < LEAST_SAVED_PERCENT)) return [];
    const does = condition === undefined ? readsInOrder(saved) : searches(condition.replace(/^\((.*)\)$/s, '$1'));
    const { table, index, create } = made;
    return [{ table, index, create, tried: { engine: 'Postgres', does } }];
  });
  return [...new Map(found.map((one) => [one.index, one])).values()];
}

function percentSaved({ 'Total Cost': before = 0 }: RawPlan, { 'Total Cost': after = 0 }: RawPlan): number {
  return before === 0 ? 0 : Math.floor(100 * (1 - after / before));
}

function* nodesOf(plan: RawPlan): Generator<RawPlan> {
  yield plan;
  for (const child of plan.Plans ?? []) yield* nodesOf(child);
}
