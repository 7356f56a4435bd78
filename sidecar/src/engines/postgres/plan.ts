import { AppError } from '@devdb/shared/errors';
import type { Explanation } from '@devdb/shared/plans';
import * as z from 'zod';
import { planFlags } from '../plan-flags.ts';
import { planNode } from '../plan-steps.ts';
import type { ServerConnection } from './connection.ts';
import type { Database } from './database.ts';
import { behindExplain } from './explained.ts';
import { LEAVES_A_MARK } from './functions.ts';
import { beginGuarded } from './guard.ts';
import { withIndexAdvice } from './index-advice.ts';
import type { ReadyStatement } from './judge.ts';
import { type Looked, runAsJudged, touchesNothing } from './judged-run.ts';
import { planStep, rawPlan } from './plan-nodes.ts';
import { scannedSizes } from './plan-sizes.ts';
import type { ReachBook } from './reach.ts';
import { runGuarded } from './read.ts';
import { inWords, runsBy } from './touched.ts';
import type { RowReceiver } from './wire/statement-run.ts';

const answered = z.tuple([
  z.looseObject({ Plan: rawPlan, 'Execution Time': z.number().optional(), 'Planning Time': z.number().optional() }),
]);

const PLANNED = /^(Select|Insert|Update|Delete|Merge|CreateTableAs|Execute|DeclareCursor)/;

/** How Postgres would run a statement. `analyze` executes a read under guard; a write is only planned. */
export async function explain(
  { connections, reach }: Database,
  statement: ReadyStatement,
  analyze: boolean,
  signal: AbortSignal,
): Promise<Explanation> {
  const explained = behindExplain(statement);
  refuseUnplanned(explained);
  return connections.use(signal, async (connection, progress) => {
    progress.reached = 'read';
    const runs = analyze && explained.effect === 'read';
    const found = await planOf(connection, reach, explained, runs);
    const planAgain = async () => {
      const planned = await planOf(connection, reach, explained, false);
      return planned === 'is-write' ? undefined : planned;
    };
    if (found !== 'is-write') return answer(found, connection, runs, planAgain);
    // It broke the transaction, or touches something that runs only with it: the plan alone runs neither.
    await connection.run('ROLLBACK', 'script');
    const planned = await planAgain();
    if (planned === undefined) throw new Error('Postgres refused to plan a statement as a write.');
    return answer(planned, connection, false, planAgain);
  });
}

type Explained = z.infer<typeof answered>[0];

async function planOf(
  connection: ServerConnection,
  book: ReachBook,
  statement: ReadyStatement,
  analyze: boolean,
): Promise<Explained | 'is-write'> {
  let text = '';
  const receiver: RowReceiver = {
    row: ([line]) => {
      text += line ?? '';
    },
  };
  const prefix = `EXPLAIN (${analyze ? 'FORMAT JSON, ANALYZE, TIMING OFF, SUMMARY ON' : 'FORMAT JSON'}) `;
  if (analyze && statement.names.calls.some(({ name }) => LEAVES_A_MARK.has(name))) connection.markSpent();
  const outcome = await runAsJudged(connection, book, {
    statement,
    prefix,
    begin: beginGuarded,
    isFine: (looked) => (analyze ? touchesNothing(looked) : !runsBy('plan', looked.touched)),
    run: (settled, before) => runGuarded(connection, settled, receiver, before, prefix),
  });
  if (outcome === 'read') return answered.parse(JSON.parse(text))[0];
  if (outcome !== 'is-write' && runsBy('plan', outcome.touched)) throw notPlanned(outcome);
  return 'is-write';
}

/** The planner evaluates in advance whatever it may, and the label that permits it is set by a function's owner. */
function notPlanned({ touched }: Looked): AppError {
  return new AppError('E_READ_ONLY', `It is not planned: it uses ${inWords(touched)}, which planning could run.`, {
    hint: 'Leave that out, or explain the parts. run-query runs it when a person agrees.',
  });
}

async function answer(
  found: Explained,
  connection: ServerConnection,
  analyzed: boolean,
  planAgain: () => Promise<Explained | undefined>,
): Promise<Explanation> {
  const step = planStep(found.Plan, await scannedSizes(found.Plan, connection));
  const flags = planFlags({ steps: [step], refreshesStatistics: 'ANALYZE' });
  const again = async () => (await planAgain())?.Plan;
  const advised = await withIndexAdvice(connection, [step], flags, { before: found.Plan, again });
  const rows = (found.Plan['Actual Rows'] ?? 0) * (found.Plan['Actual Loops'] ?? 1);
  return {
    plan: [planNode(step)],
    flags: [...advised],
    analyzed,
    source: JSON.stringify(found, null, 2),
    ...(analyzed ? { measured: { rows: Math.round(rows), durationMs: found['Execution Time'] ?? 0 } } : {}),
  };
}

function refuseUnplanned({ node, verb }: ReadyStatement): void {
  if (node === undefined || PLANNED.test(node.name)) return;
  throw new AppError('E_SQL', `Postgres has no plan for ${verb}.`, {
    hint: 'Explain a SELECT, INSERT, UPDATE, DELETE or MERGE.',
  });
}
