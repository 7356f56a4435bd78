import { DRY_RUN_LOCK_TIMEOUT_MS } from '@devdb/shared/limits';
import * as z from 'zod';
import type { WritePreview } from '../engine.ts';
import { boundError, type PostgresStatement, settle } from './bindings.ts';
import { isAnalyze, judge } from './classify.ts';
import type { ServerConnection } from './connection.ts';
import type { Connections } from './connections.ts';
import { isAboutStatement } from './failures.ts';
import { mayChange } from './functions.ts';
import { beginGuarded, beginWrite, literal } from './guard.ts';
import { judgeBoundOrRefuse } from './read.ts';
import { isRecord, type TreeNode } from './sql-tree.ts';
import type { Parameter, RowReceiver } from './statement-run.ts';

const PLAIN = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt']);

/**
 * What a person is told before a write. A plain change of an ordinary table is run and rolled back; whatever a rollback
 * does not take back (sequences, other sessions told by triggers) is told from the plan.
 */
export async function previewWrite(
  connections: Connections,
  bound: PostgresStatement,
  signal: AbortSignal,
): Promise<WritePreview> {
  const { node, functions } = judgeBoundOrRefuse(bound);
  return connections.use(signal, async (connection, progress) => {
    const changing = await beginGuarded(connection, functions);
    progress.reached = 'read';
    const relation = node === undefined || changing.length > 0 ? undefined : plainRelation(node);
    const ordinary = relation !== undefined && (await isOrdinary(connection, relation, node?.name ?? ''));
    const settled = await settle(connection, bound, () => beginGuarded(connection));
    if (!ordinary) return estimate(connection, settled, node, changing);
    await connection.run('ROLLBACK', 'script');
    return dryRun(connection, settled);
  });
}

/** The table that a plain change names; undefined when it has more parts than the table alone. */
function plainRelation({ name, fields }: TreeNode): string | undefined {
  const relation = fields['relation'];
  if (!PLAIN.has(name) || fields['withClause'] !== undefined || !isRecord(relation)) return undefined;
  const { schemaname: schema, relname: table } = relation;
  if (typeof table !== 'string') return undefined;
  return [schema, table].flatMap((part) => (typeof part === 'string' ? [quoted(part)] : [])).join('.');
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

const tableFacts = z.object({ ordinary: z.boolean(), defaults: z.array(z.string()) });

/** No triggers, rules, row security, partitions, children or keys that change other tables; for INSERT no defaults that count. */
async function isOrdinary(connection: ServerConnection, relation: string, kind: string): Promise<boolean> {
  const facts = tableFacts.parse(JSON.parse(await single(connection, ordinaryQuery(relation))));
  if (!facts.ordinary) return false;
  if (kind !== 'InsertStmt') return true;
  const functions = facts.defaults.flatMap((text) => judge(`SELECT ${text}`).functions);
  return functions.length === 0 || mayChange(await volatileOf(connection, functions)).length === 0;
}

function ordinaryQuery(relation: string): string {
  return `
SELECT pg_catalog.json_build_object(
  'ordinary', c.relkind = 'r' AND NOT c.relhasrules AND NOT c.relhassubclass AND NOT c.relrowsecurity
    AND NOT c.relispartition AND c.relpersistence <> 't'
    AND NOT EXISTS (SELECT FROM pg_catalog.pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal)
    AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint k WHERE k.contype = 'f' AND k.confrelid = c.oid
                      AND (k.confdeltype NOT IN ('a', 'r') OR k.confupdtype NOT IN ('a', 'r')))
    AND NOT EXISTS (SELECT FROM pg_catalog.pg_attribute a WHERE a.attrelid = c.oid AND a.attidentity <> ''),
  'defaults', (SELECT coalesce(pg_catalog.json_agg(e.text), '[]'::json) FROM (
      SELECT pg_catalog.pg_get_expr(d.adbin, d.adrelid) AS text
        FROM pg_catalog.pg_attrdef d WHERE d.adrelid = c.oid
      UNION ALL
      SELECT t.typdefault FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
       WHERE a.attrelid = c.oid AND a.attnum > 0 AND t.typtype = 'd' AND t.typdefault IS NOT NULL
    ) e))::text
  FROM pg_catalog.pg_class c WHERE c.oid = pg_catalog.to_regclass(${literal(relation)})`;
}

/** One text, or what stands for a table that is not there: no dry run, and the plan says why. */
async function single(
  connection: ServerConnection,
  sql: string,
  parameters: readonly Parameter[] = [],
): Promise<string> {
  let text = '{"ordinary":false,"defaults":[]}';
  const row: RowReceiver['row'] = ([value]) => {
    text = value ?? text;
  };
  await connection.run(sql, 'statement', { row }, parameters);
  return text;
}

async function volatileOf(connection: ServerConnection, functions: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  const names = functions.map(literal).join(', ');
  await connection.run(
    `SELECT DISTINCT proname FROM pg_catalog.pg_proc WHERE provolatile = 'v' AND proname IN (${names})`,
    'statement',
    {
      row: ([name]) => {
        if (typeof name === 'string') found.push(name);
      },
    },
  );
  return found;
}

async function dryRun(connection: ServerConnection, statement: PostgresStatement): Promise<WritePreview> {
  await beginWrite(connection, DRY_RUN_LOCK_TIMEOUT_MS);
  try {
    const { count } = await connection.run(statement.text, 'statement', {}, statement.parameters);
    return { affectedRows: count, estimate: undefined };
  } catch (error) {
    if (!isAboutStatement(error)) throw error;
    throw boundError(error, statement);
  } finally {
    if (!connection.isBroken) await connection.run('ROLLBACK', 'script');
  }
}

const planEstimate = z.tuple([z.looseObject({ Plan: z.looseObject({ 'Plan Rows': z.number(), Plans: z.unknown() }) })]);

async function estimate(
  connection: ServerConnection,
  statement: PostgresStatement,
  node: TreeNode | undefined,
  changing: readonly string[],
): Promise<WritePreview> {
  if (changing.length > 0) {
    return told(`It calls ${changing.join(', ')}, which may change something that a dry run would not take back.`);
  }
  if (node?.name === 'ExplainStmt' && isAnalyze(node)) return told('EXPLAIN ANALYZE runs the statement for real.');
  if (node === undefined || !/^(Insert|Update|Delete|Merge)Stmt$/.test(node.name)) {
    return told('It changes the database as a whole, not a number of rows.');
  }
  const prefix = 'EXPLAIN (FORMAT JSON) ';
  try {
    const plan = planEstimate.safeParse(
      JSON.parse(await single(connection, prefix + statement.text, statement.parameters)),
    );
    const rows = plan.data?.[0].Plan.Plans === undefined ? undefined : changedRows(plan.data[0].Plan.Plans);
    return told(
      rows === undefined
        ? 'How many rows it changes is not known before it has run.'
        : `By the plan's estimate it changes about ${rows} ${rows === 1 ? 'row' : 'rows'}; triggers and keys may change more.`,
    );
  } catch (error) {
    if (!isAboutStatement(error)) throw error;
    throw boundError(error, statement, prefix);
  }
}

/** The rows that flow into the changing node: that one itself returns none. */
function changedRows(plans: unknown): number | undefined {
  const parsed = z.array(z.looseObject({ 'Plan Rows': z.number() })).safeParse(plans);
  return parsed.data?.reduce((sum, plan) => sum + plan['Plan Rows'], 0);
}

function told(text: string): WritePreview {
  return { affectedRows: undefined, estimate: text };
}
