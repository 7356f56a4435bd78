import { AppError } from '@devdb/shared/errors';
import type { ToolOutput } from '@devdb/shared/tools';
import { LARGE_TABLE_ROWS } from '../limits.ts';
import { namedTables } from './aliases.ts';
import type { Catalog, TableFacts } from './catalog.ts';
import type { ServerConnection } from './connection.ts';
import { explained } from './explained.ts';
import type { ReadyStatement } from './judge.ts';
import { readJsonPlan } from './plan-json.ts';
import { allSteps, type PlanStep, planNode, type ServerPlan } from './plan-nodes.ts';
import { readRows } from './plan-rows.ts';
import { NO_TREE, readTree } from './plan-tree.ts';
import { isHarmless, type Reading } from './read.ts';
import { isMariadb, isMysql } from './server-version.ts';
import { beginGuarded, beginWrite } from './session-state.ts';
import type { Token } from './tokenize.ts';

type Flag = ToolOutput<'explain-query'>['flags'][number];

/** A guess that is so many times off leads the server astray. */
const MISESTIMATE = 10;

/** How the server would run a statement. `analyze` runs a read for real, under guard; a write is only planned. */
export async function explain(
  statement: ReadyStatement,
  analyze: boolean,
  reading: Reading,
  signal: AbortSignal,
): Promise<ToolOutput<'explain-query'>> {
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
  const tables = await reading.inCatalog((catalog) => tablesBehind(tokens, catalog), signal);
  const nodes = plan.steps.map((step) => planNode(step, (alias) => tables.get(alias.toLowerCase())?.shown));
  const flags = [...allSteps(plan.steps)].flatMap((step) => flagsOf(step, tables));
  return {
    plan: nodes,
    flags: [...new Map(flags.map((flag) => [`${flag.flag} ${flag.message}`, flag])).values()],
    analyzed: runs,
    ...(runs ? { measured: { rows: Math.round(plan.measuredRows ?? 0), durationMs: plan.measuredMs ?? 0 } } : {}),
  };
}

/** A server may run a function to plan a statement, when it takes it for a constant. */
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
  const { version } = connection;
  if (!isMysql(version, 80_018)) return readJsonPlan(await answerOf(connection, `EXPLAIN FORMAT=JSON ${sql}`));
  const text = await answerOf(connection, `EXPLAIN FORMAT=TREE ${sql}`);
  return text.includes(NO_TREE) ? classic(connection, sql) : readTree(text);
}

async function analyzed(connection: ServerConnection, sql: string): Promise<ServerPlan> {
  const { version } = connection;
  if (isMysql(version, 80_018)) return readTree(await answerOf(connection, `EXPLAIN ANALYZE ${sql}`));
  if (!isMariadb(version)) return { ...(await planned(connection, sql)), ...(await runCounting(connection, sql)) };
  const plan = readJsonPlan(await answerOf(connection, `ANALYZE FORMAT=JSON ${sql}`));
  return { ...plan, measuredRows: Number(await answerOf(connection, 'SELECT FOUND_ROWS()')) };
}

/** For servers that cannot tell what a plan did: the statement itself is run and its rows are thrown away. */
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

async function classic(connection: ServerConnection, sql: string): Promise<ServerPlan> {
  const names: string[] = [];
  const rows: Record<string, string | null>[] = [];
  await connection.run(`EXPLAIN FORMAT=TRADITIONAL ${sql}`, {
    columns: (fields) => names.push(...fields.map(({ name }) => name)),
    row: (cells) => {
      rows.push(Object.fromEntries(cells.map((cell, at) => [names[at] ?? '', cell?.toString('utf8') ?? null])));
    },
  });
  return readRows(rows);
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

/** What the names in a plan stand for. */
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

function flagsOf(step: PlanStep, tables: ReadonlyMap<string, TableFacts>): Flag[] {
  const facts = step.alias === undefined ? undefined : tables.get(step.alias.toLowerCase());
  return [...fullScan(step, facts), ...missingIndex(step, facts), ...sorted(step), ...misestimated(step, facts)];
}

function fullScan({ operation, index }: PlanStep, facts: TableFacts | undefined): Flag[] {
  const reads = operation === 'scan' || operation === 'index scan';
  if (!reads || facts?.rows === undefined || facts.rows < LARGE_TABLE_ROWS) return [];
  const through = index === undefined ? '' : ` through the index ${index}`;
  const message = `Reads all rows of ${facts.shown} (about ${facts.rows})${through}. A condition on an indexed column would read fewer.`;
  return [{ flag: 'full-scan', message, table: facts.shown }];
}

function missingIndex({ joinsWithoutIndex }: PlanStep, facts: TableFacts | undefined): Flag[] {
  if (joinsWithoutIndex !== true || facts === undefined) return [];
  const message = `Joins ${facts.shown} without an index. An index on the columns that it is joined by would save reading it all.`;
  return [{ flag: 'missing-index', message, table: facts.shown }];
}

function sorted({ operation, detail }: PlanStep): Flag[] {
  if (operation !== 'sort') return [];
  const by = detail === undefined ? '' : ` (${detail})`;
  return [{ flag: 'temp-sort', message: `Sorts rows${by}. An index in that order would save the sort.` }];
}

function misestimated({ estimatedRows, actualRows, operation }: PlanStep, facts: TableFacts | undefined): Flag[] {
  if (estimatedRows === undefined || actualRows === undefined || facts === undefined) return [];
  const [less, more] = [Math.max(1, Math.min(estimatedRows, actualRows)), Math.max(estimatedRows, actualRows)];
  if (more < LARGE_TABLE_ROWS || more / less < MISESTIMATE) return [];
  const message = `The ${operation} of ${facts.shown} was taken for ${Math.round(estimatedRows)} rows and met ${Math.round(actualRows)}. ANALYZE TABLE brings its statistics up to date.`;
  return [{ flag: 'row-misestimate', message, table: facts.shown }];
}
