import { AppError } from '@devdb/shared/errors';
import type { Explanation } from '@devdb/shared/plans';
import { planFlags } from '../plan-flags.ts';
import { planNode } from '../plan-steps.ts';
import { namedTables } from './aliases.ts';
import type { Catalog, TableFacts } from './catalog.ts';
import type { ServerConnection } from './connection.ts';
import { explained } from './explained.ts';
import { withIndexAdvice } from './index-advice.ts';
import type { ReadyStatement } from './judge.ts';
import { readJsonPlan } from './plan-json.ts';
import { planStep, type ServerPlan } from './plan-nodes.ts';
import { NO_TREE, readTree } from './plan-tree.ts';
import { conversionsSaid } from './plan-warnings.ts';
import { isHarmless, type Reading } from './read.ts';
import { isMariadb, isMysql } from './server-version.ts';
import { beginGuarded, beginWrite } from './session-state.ts';
import type { Token } from './tokenize.ts';

/** How the server would run a statement. `analyze` executes a read under guard; a write is only planned. */
export async function explain(
  statement: ReadyStatement,
  analyze: boolean,
  reading: Reading,
  signal: AbortSignal,
): Promise<Explanation> {
  const plain = explained(statement);
  const { text, tokens } = plain;
  const isRead = plain.effect === 'read';
  const runs = analyze && isRead;
  const plan = await reading.connections.use(signal, async (connection, progress) => {
    if (isRead) await beginGuarded(connection);
    else await beginWrite(connection, 'dry-run');
    if (!(await isHarmless(plain, connection, reading))) throw mayRun();
    progress.reached = 'read';
    return runs ? analyzed(connection, text) : planned(connection, text);
  });
  const { steps, flags } = await reading.inCatalog(async (catalog) => {
    const tables = await tablesBehind(tokens, catalog);
    const known = plan.steps.map((step) => planStep(step, (alias) => tables.get(alias.toLowerCase())));
    const seen = planFlags({
      steps: known,
      conversions: plan.conversions,
      refreshesStatistics: 'ANALYZE TABLE',
    });
    return { steps: known, flags: await withIndexAdvice(catalog, [...tables.values()], known, seen) };
  }, signal);
  return {
    plan: steps.map(planNode),
    flags: [...flags],
    analyzed: runs,
    source: plan.source,
    ...(runs
      ? {
          measured: {
            rows: Math.round(plan.measuredRows ?? 0),
            durationMs: Math.round((plan.measuredMs ?? 0) * 1000) / 1000,
          },
        }
      : {}),
  };
}

/** To plan a statement, a server may run a function that it takes for a constant. */
function mayRun(): AppError {
  return new AppError(
    'E_READ_ONLY',
    'The statement uses a function, or a view with one, whose effects DevDB cannot see, and planning may run it.',
    {
      hint: 'Explain it without that function or view.',
    },
  );
}

async function planned(connection: ServerConnection, sql: string): Promise<ServerPlan> {
  const plan = await planAlone(connection, sql);
  return { ...plan, conversions: await conversionsSaid(connection) };
}

async function planAlone(connection: ServerConnection, sql: string): Promise<ServerPlan> {
  const { version } = connection;
  const asJson = async () => jsonPlan(connection, await answerOf(connection, `EXPLAIN FORMAT=JSON ${sql}`), sql);
  if (!isMysql(version, 80_018)) return asJson();
  const text = await answerOf(connection, `EXPLAIN FORMAT=TREE ${sql}`);
  if (!text.includes(NO_TREE)) return readTree(text);
  // The newer form of the JSON has no plan for a change of one table either.
  if (isMysql(version, 80_300)) await connection.run('SET SESSION explain_json_format_version = 1');
  return asJson();
}

async function analyzed(connection: ServerConnection, sql: string): Promise<ServerPlan> {
  const { version } = connection;
  // MariaDB warns of conversions only where it plans without running.
  const { conversions, ...estimated } = await planned(connection, sql);
  if (isMysql(version, 80_018))
    return { ...readTree(await answerOf(connection, `EXPLAIN ANALYZE ${sql}`)), conversions };
  if (!isMariadb(version)) return { ...estimated, conversions, ...(await runCounting(connection, sql)) };
  const text = await answerOf(connection, `ANALYZE FORMAT=JSON ${sql}`);
  const measuredRows = Number(await answerOf(connection, 'SELECT FOUND_ROWS()'));
  return { ...(await jsonPlan(connection, text, sql)), conversions, measuredRows };
}

/** MariaDB tells only in its classic plan which subqueries run for each row. */
async function jsonPlan(connection: ServerConnection, text: string, sql: string): Promise<ServerPlan> {
  const asks = isMariadb(connection.version) && text.includes('"subqueries"');
  return readJsonPlan(text, asks ? await dependentsOf(connection, sql) : undefined);
}

async function dependentsOf(connection: ServerConnection, sql: string): Promise<Set<number>> {
  const found = new Set<number>();
  await connection.run(`EXPLAIN ${sql}`, {
    row: ([id, selectType]) => {
      if (selectType?.toString('latin1').startsWith('DEPENDENT') === true) found.add(Number(id?.toString('latin1')));
    },
  });
  return found;
}

/** For servers that cannot measure a plan: the statement itself is run and its rows are discarded. */
async function runCounting(
  connection: ServerConnection,
  sql: string,
): Promise<Pick<ServerPlan, 'measuredRows' | 'measuredMs'>> {
  let measuredRows = 0;
  const start = performance.now();
  await connection.run(sql, {
    row: () => {
      measuredRows += 1;
    },
  });
  return { measuredRows, measuredMs: performance.now() - start };
}

async function answerOf(connection: ServerConnection, sql: string): Promise<string> {
  const lines: string[] = [];
  await connection.run(sql, {
    row: ([text]) => {
      lines.push(text?.toString('utf8') ?? '');
    },
  });
  return lines.join('\n');
}

/** The tables behind the names in a plan. */
async function tablesBehind(tokens: readonly Token[], catalog: Catalog): Promise<Map<string, TableFacts>> {
  const named = namedTables(tokens);
  const known = await catalog.tables();
  const tables = new Map(
    known.filter(({ schema }) => schema === catalog.ownSchema).map((one) => [one.name.toLowerCase(), one]),
  );
  for (const { schema, name, alias } of named) {
    const found = known.find(
      (one) =>
        one.name.toLowerCase() === name.toLowerCase() &&
        one.schema.toLowerCase() === (schema ?? catalog.ownSchema).toLowerCase(),
    );
    if (found !== undefined) tables.set(alias.toLowerCase(), found);
  }
  return tables;
}
