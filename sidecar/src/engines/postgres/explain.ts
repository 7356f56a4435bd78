import { AppError } from '@devdb/shared/errors';
import type { ToolOutput } from '@devdb/shared/tools';
import * as z from 'zod';
import { type Judged, judge } from './classify.ts';
import type { ServerConnection } from './connection.ts';
import type { Connections } from './connections.ts';
import { beginGuarded } from './guard.ts';
import { rawPlan, toPlanNode } from './plan.ts';
import { flagsOf } from './plan-flags.ts';
import { judgeOrRefuse, runRead } from './read.ts';
import { behindByte, wordsOf } from './sql-tree.ts';

const explained = z.tuple([
  z.looseObject({ Plan: rawPlan, 'Execution Time': z.number().optional(), 'Planning Time': z.number().optional() }),
]);

const PLANNED = /^(Select|Insert|Update|Delete|Merge|CreateTableAs|Refresh|Execute|DeclareCursor)/;

/** How Postgres would run a statement. `analyze` runs a read for real, under guard; a write is only planned. */
export async function explain(
  connections: Connections,
  sql: string,
  analyze: boolean,
  signal: AbortSignal,
): Promise<ToolOutput<'explain-query'>> {
  const inner = withoutExplain(sql);
  const judged = judgeOrRefuse(inner);
  refuseUnplanned(judged);
  return connections.use(signal, async (connection, progress) => {
    const changing = await beginGuarded(connection, judged.functions);
    progress.reached = 'read';
    const runs = analyze && judged.statement.effect === 'read' && changing.length === 0;
    const found = await planOf(connection, inner, runs);
    if (found === 'is-write') return answer(await planAgain(connection, inner, judged), connection, false);
    return answer(found, connection, runs);
  });
}

/** A read that turned out to write broke the transaction: the plan alone needs a new one. */
async function planAgain(connection: ServerConnection, sql: string, { functions }: Judged): Promise<Explained> {
  await connection.run('ROLLBACK', 'script');
  await beginGuarded(connection, functions);
  const found = await planOf(connection, sql, false);
  if (found === 'is-write') throw new Error('Postgres refused to plan a statement as a write.');
  return found;
}

type Explained = z.infer<typeof explained>[0];

async function planOf(connection: ServerConnection, sql: string, analyze: boolean): Promise<Explained | 'is-write'> {
  const options = analyze ? 'FORMAT JSON, ANALYZE, TIMING OFF, SUMMARY ON' : 'FORMAT JSON';
  let text = '';
  const outcome = await runRead(
    connection,
    sql,
    {
      row: ([line]) => {
        text += line ?? '';
      },
    },
    `EXPLAIN (${options}) `,
  );
  return outcome === 'is-write' ? outcome : explained.parse(JSON.parse(text))[0];
}

async function answer(
  found: Explained,
  connection: ServerConnection,
  analyzed: boolean,
): Promise<ToolOutput<'explain-query'>> {
  const flags = await flagsOf(found.Plan, connection);
  const rows = (found.Plan['Actual Rows'] ?? 0) * (found.Plan['Actual Loops'] ?? 1);
  return {
    plan: [toPlanNode(found.Plan)],
    flags,
    analyzed,
    ...(analyzed ? { measured: { rows: Math.round(rows), durationMs: found['Execution Time'] ?? 0 } } : {}),
  };
}

function refuseUnplanned({ node, statement }: Judged): void {
  if (node === undefined || PLANNED.test(node.name)) return;
  throw new AppError('E_SQL', `Postgres makes no plan for ${statement.verb}.`, {
    hint: 'Explain a SELECT, INSERT, UPDATE, DELETE or MERGE.',
  });
}

/** The statement behind an EXPLAIN of its own. */
function withoutExplain(sql: string): string {
  const { node, statement } = judge(sql);
  if (node?.name !== 'ExplainStmt' || statement.effect === 'refused') return sql;
  const words = wordsOf(sql);
  let at = 1;
  if (words[at]?.text === '(') {
    let depth = 0;
    do {
      if (words[at]?.text === '(') depth += 1;
      if (words[at]?.text === ')') depth -= 1;
      at += 1;
    } while (depth > 0 && at < words.length);
  } else {
    while (/^(analy[sz]e|verbose)$/i.test(words[at]?.text ?? '')) at += 1;
  }
  return behindByte(sql, words[at]?.start ?? 0);
}
