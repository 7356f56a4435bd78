import { msSince } from '@devdb/shared/elapsed';
import { AppError } from '@devdb/shared/errors';
import type { Explanation } from '@devdb/shared/plans';
import { planFlags } from '../plan-flags.ts';
import { planNode } from '../plan-steps.ts';
import { declared, type MssqlStatement } from './bind.ts';
import type { ResultColumn } from './columns.ts';
import type { Receiver, ServerConnection } from './connection.ts';
import type { Database } from './database.ts';
import { explainFailure } from './explain-error.ts';
import type { ReadyStatement } from './judge.ts';
import { cannotPlan, ModeIgnored, notRunning, PLAN_COLUMN } from './not-running.ts';
import { readPlan } from './plan-nodes.ts';
import { BeyondReading } from './reach.ts';
import { runGuarded } from './read.ts';
import { tokenize } from './tokenize.ts';
import { elementsBelow, readXml, type XmlElement } from './xml.ts';

/** Settings that decide whether a text is executed: one that names them is not sent. */
const MODES = new Set([
  'NOEXEC',
  'PARSEONLY',
  'FMTONLY',
  'SHOWPLAN_XML',
  'SHOWPLAN_ALL',
  'SHOWPLAN_TEXT',
  'STATISTICS',
]);

/** The server's plan as a tree; `analyze` executes a read under guard and adds the measurements. */
export async function explain(
  database: Database,
  statement: ReadyStatement,
  analyze: boolean,
  signal: AbortSignal,
): Promise<Explanation> {
  refuseModes(statement.text);
  try {
    if (analyze && statement.effect === 'read') return await analyzed(database, statement, signal);
    const xml = await explainFailure(database, statement, signal, () => planOf(database, statement, signal));
    return { ...judged(xml), analyzed: false };
  } catch (error) {
    if (error instanceof BeyondReading) throw notExplained(error.message);
    throw error instanceof ModeIgnored ? cannotPlan() : error;
  }
}

function judged(xml: string): Pick<Explanation, 'plan' | 'flags' | 'source'> {
  const plan = readPlan(documentOf(xml));
  return { plan: plan.steps.map(planNode), flags: planFlags(plan), source: xml };
}

/** To plan a statement, the server asks other servers about their tables and loads code. */
function planOf(database: Database, statement: MssqlStatement, signal: AbortSignal): Promise<string> {
  return database.looking(signal, async (connection) => {
    const reason = await database.beyondReading(connection, statement.text);
    if (reason !== undefined) throw new BeyondReading(reason);
    return planText(database, connection, declared(statement));
  });
}

function notExplained(reason: string): AppError {
  return new AppError('E_READ_ONLY', `The statement is not explained: ${reason}. Nothing was run.`, {
    hint: 'Look at it with the database’s own client.',
  });
}

/** Compiles a statement without executing it. One that cannot be compiled without more than that is not sent. */
export function check(database: Database, statement: MssqlStatement, signal: AbortSignal): Promise<void> {
  refuseModes(statement.text);
  return explainFailure(database, statement, signal, () =>
    database.looking(signal, async (connection) => {
      if ((await database.beyondReading(connection, statement.text)) !== undefined) return;
      try {
        await notRunning(database, connection, 'NOEXEC', () => connection.run(declared(statement)));
      } catch (error) {
        // The mistake is then reported when the statement runs, after the question.
        if (!(error instanceof ModeIgnored)) throw error;
      }
    }),
  );
}

/** The statement's own element of a plan made without executing it; undefined where the server makes none. */
export async function planOn(
  database: Database,
  connection: ServerConnection,
  statement: MssqlStatement,
): Promise<XmlElement | undefined> {
  refuseModes(statement.text);
  const xml = await planText(database, connection, declared(statement));
  return xml === '' ? undefined : elementsBelow(readXml(xml), 'StmtSimple')[0];
}

/** The plan's XML; empty for a statement without one. */
function planText(database: Database, connection: ServerConnection, sql: string): Promise<string> {
  return notRunning(database, connection, 'SHOWPLAN_XML', async () => {
    let xml = '';
    let isPlan = false;
    await connection.run(sql, {
      columns: ([first]) => {
        isPlan = PLAN_COLUMN.test(first?.name ?? '');
      },
      row: ([first]) => {
        if (isPlan && typeof first === 'string') xml = first;
      },
    });
    return xml;
  });
}

async function analyzed(database: Database, statement: MssqlStatement, signal: AbortSignal): Promise<Explanation> {
  let run = new MeasuredRun();
  const begin = (): MeasuredRun => {
    run = new MeasuredRun();
    return run;
  };
  await runGuarded(database, statement, signal, begin, 'SET STATISTICS XML ON');
  const { durationMs } = run;
  return { ...judged(run.xml), analyzed: true, measured: { rows: run.rows, durationMs } };
}

/** Counts the statement's rows; the plan comes as a separate result. */
class MeasuredRun implements Receiver {
  xml = '';
  rows = 0;
  durationMs = 0;
  readonly #start = performance.now();
  #isPlan = false;

  columns(columns: readonly ResultColumn[]): void {
    this.#isPlan = PLAN_COLUMN.test(columns[0]?.name ?? '');
  }

  row([first]: readonly unknown[]): void {
    if (!this.#isPlan) this.rows += 1;
    else if (typeof first === 'string') this.xml = first;
    this.durationMs = msSince(this.#start);
  }
}

function documentOf(xml: string): XmlElement {
  if (xml === '') {
    throw new AppError('E_SQL', 'SQL Server has no plan for this statement.', {
      hint: 'Explain a SELECT, INSERT, UPDATE, DELETE or MERGE.',
    });
  }
  return readXml(xml);
}

function refuseModes(sql: string): void {
  const read = tokenize(sql);
  const mode = read.ok
    ? read.tokens.find(({ kind, text }) => kind === 'word' && MODES.has(text.toUpperCase()))
    : undefined;
  // UPDATE STATISTICS and CREATE STATISTICS are separate statements.
  if (mode === undefined || (mode.text.toUpperCase() === 'STATISTICS' && !/\bSET\b/i.test(sql))) return;
  throw new AppError('E_SQL', `The statement names the setting ${mode.text}, which decides whether it is run.`, {
    hint: 'Leave the setting out, or write it in brackets if it is a name.',
    details: { refused: true },
  });
}
