import * as z from 'zod';
import type { WritePreview } from '../engine.ts';
import { boundError, settle } from './bind.ts';
import type { ServerConnection } from './connection.ts';
import type { Database } from './database.ts';
import { isAboutStatement } from './errors.ts';
import { beginDryRun, beginGuarded } from './guard.ts';
import { isAnalyze, type ReadyStatement } from './judge.ts';
import { type Looked, look, runAsJudged, touchesNothing } from './judged-run.ts';
import { isOrdinary } from './ordinary-table.ts';
import { quoteName } from './quote.ts';
import type { ReachBook } from './reach.ts';
import { isRecord, type TreeNode } from './sql-tree.ts';
import { inWords, runsBy } from './touched.ts';

const PLAIN = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt']);

/**
 * The effect of a write, as shown to a person. A plain change of an ordinary table is run and rolled back; where a
 * rollback does not undo everything (sequences, other sessions notified by triggers) the plan is used, and what even
 * planning could run is described in words.
 */
export async function previewWrite(
  { connections, reach: book }: Database,
  statement: ReadyStatement,
  signal: AbortSignal,
): Promise<WritePreview> {
  return connections.use(signal, async (connection, progress) => {
    const looked = await look(connection, book, statement.names, await beginGuarded(connection));
    progress.reached = 'read';
    if (runsBy('compile', looked.touched)) return toldTouched(looked);
    const settled = await settle(connection, statement, () => beginGuarded(connection));
    await connection.run('ROLLBACK', 'script');
    return (await dryRun(connection, book, settled)) ?? estimate(connection, book, settled);
  });
}

/** The table of a plain change; undefined when the target is more than the table alone. */
function plainRelation({ name, fields }: TreeNode): string | undefined {
  const relation = fields['relation'];
  if (!PLAIN.has(name) || fields['withClause'] !== undefined || !isRecord(relation)) return undefined;
  const { schemaname: schema, relname: table } = relation;
  if (typeof table !== 'string') return undefined;
  return [schema, table].flatMap((part) => (typeof part === 'string' ? [quoteName(part)] : [])).join('.');
}

/** Undefined where a rollback would not undo everything. */
async function dryRun(
  connection: ServerConnection,
  book: ReachBook,
  statement: ReadyStatement,
): Promise<WritePreview | undefined> {
  const { node } = statement;
  const relation = node === undefined ? undefined : plainRelation(node);
  if (node === undefined || relation === undefined) return undefined;
  try {
    const outcome = await runAsJudged(connection, book, {
      statement,
      begin: beginDryRun,
      isFine: async (looked) =>
        touchesNothing(looked) && (await isOrdinary(connection, looked.reach, relation, node.name)),
      run: (settled, before) => connection.run(settled.text, 'statement', {}, settled.parameters, before),
    });
    return 'touched' in outcome ? undefined : { affectedRows: outcome.count, estimate: undefined };
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
  book: ReachBook,
  statement: ReadyStatement,
): Promise<WritePreview> {
  const { node } = statement;
  if (node?.name === 'ExplainStmt' && isAnalyze(node)) return told('EXPLAIN ANALYZE runs the statement for real.');
  const isPlanned = node !== undefined && /^(Insert|Update|Delete|Merge)Stmt$/.test(node.name);
  let text = '';
  const prefix = 'EXPLAIN (FORMAT JSON) ';
  const row = ([value]: readonly (string | null)[]): void => {
    text = value ?? '';
  };
  try {
    const outcome = await runAsJudged(connection, book, {
      statement,
      prefix,
      begin: beginGuarded,
      isFine: (looked) => isPlanned && touchesNothing(looked),
      run: (settled, before) => connection.run(prefix + settled.text, 'statement', { row }, settled.parameters, before),
    });
    if ('touched' in outcome) return touchesNothing(outcome) ? told(AS_A_WHOLE) : toldTouched(outcome);
  } catch (error) {
    if (!isAboutStatement(error)) throw error;
    throw boundError(error, statement, prefix);
  }
  return toldPlan(text);
}

const AS_A_WHOLE = 'It changes the database as a whole, not rows.';

function toldTouched({ touched }: Looked): WritePreview {
  return told(`It uses ${inWords(touched)}, which may change something that a dry run would not undo.`);
}

function toldPlan(text: string): WritePreview {
  const plan = planEstimate.safeParse(JSON.parse(text));
  const rows = plan.data?.[0].Plan.Plans === undefined ? undefined : changedRows(plan.data[0].Plan.Plans);
  return told(
    rows === undefined
      ? 'How many rows it changes is not known until it runs.'
      : `By the plan's estimate it changes about ${rows} ${rows === 1 ? 'row' : 'rows'}; triggers and keys may change more.`,
  );
}

/** The rows that flow into the modifying node, which itself returns none. */
function changedRows(plans: unknown): number | undefined {
  const parsed = z.array(z.looseObject({ 'Plan Rows': z.number() })).safeParse(plans);
  return parsed.data?.reduce((sum, plan) => sum + plan['Plan Rows'], 0);
}

function told(text: string): WritePreview {
  return { affectedRows: undefined, estimate: text };
}
