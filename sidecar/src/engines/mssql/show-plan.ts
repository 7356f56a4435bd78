import { AppError } from '@devdb/shared/errors';
import type { ToolOutput } from '@devdb/shared/tools';
import { declared, type MssqlStatement, plainStatement } from './bindings.ts';
import type { ResultColumn } from './columns.ts';
import type { Receiver, ServerConnection } from './connection.ts';
import type { Database } from './database.ts';
import { explainFailure } from './explain-failure.ts';
import { flagsOf, planNodes } from './plan.ts';
import { judgeBoundOrRefuse, judgeOrRefuse, runGuarded } from './read.ts';
import { tokenize } from './tokenize.ts';
import { elementsBelow, readXml, type XmlElement } from './xml.ts';

type Explained = ToolOutput<'explain-query'>;

/** Settings that decide whether a text is run or only looked at: one that names them is not sent. */
const MODES = new Set([
  'NOEXEC',
  'PARSEONLY',
  'FMTONLY',
  'SHOWPLAN_XML',
  'SHOWPLAN_ALL',
  'SHOWPLAN_TEXT',
  'STATISTICS',
]);
const PLAN_COLUMN = /XML Showplan$/;

/** The server's plan as a tree; `analyze` runs a read for real, under guard, and adds what was measured. */
export function explain(database: Database, sql: string, analyze: boolean, signal: AbortSignal): Promise<Explained> {
  const { effect } = judgeOrRefuse(sql);
  refuseModes(sql);
  if (analyze && effect === 'read') return analyzed(database, sql, signal);
  return explainFailure(database, plainStatement(sql), signal, () =>
    database.looking(signal, async (connection) => {
      const plan = await planDocument(connection, sql);
      return { plan: planNodes(plan), flags: flagsOf(plan), analyzed: false };
    }),
  );
}

/** Compiles a statement and runs nothing. */
export function check(database: Database, statement: MssqlStatement, signal: AbortSignal): Promise<void> {
  judgeBoundOrRefuse(statement);
  refuseModes(statement.text);
  return explainFailure(database, statement, signal, () =>
    database.looking(signal, async (connection) => {
      // A belt: should anything run after all, the end of the connection takes it back.
      await connection.run('BEGIN TRANSACTION');
      await connection.run('SET NOEXEC ON');
      await connection.run(declared(statement));
    }),
  );
}

/** The statement's own element of a plan that is made without running it. */
export async function planOn(connection: ServerConnection, statement: MssqlStatement): Promise<XmlElement | undefined> {
  refuseModes(statement.text);
  const plan = await planDocument(connection, declared(statement));
  return elementsBelow(plan, 'StmtSimple')[0];
}

async function planDocument(connection: ServerConnection, sql: string): Promise<XmlElement> {
  let xml = '';
  await connection.run('SET SHOWPLAN_XML ON');
  await connection.run(sql, {
    row: ([first]) => {
      if (typeof first === 'string') xml = first;
    },
  });
  return documentOf(xml);
}

async function analyzed(database: Database, sql: string, signal: AbortSignal): Promise<Explained> {
  let run = new MeasuredRun();
  const begin = (): MeasuredRun => {
    run = new MeasuredRun();
    return run;
  };
  await runGuarded(database, sql, signal, begin, 'SET STATISTICS XML ON');
  const { durationMs } = run;
  const plan = documentOf(run.xml);
  return { plan: planNodes(plan), flags: flagsOf(plan), analyzed: true, measured: { rows: run.rows, durationMs } };
}

/** Counts the statement's rows; the plan comes as a result of its own. */
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
    this.durationMs = performance.now() - this.#start;
  }
}

function documentOf(xml: string): XmlElement {
  if (xml === '') {
    throw new AppError('E_SQL', 'SQL Server makes no plan for this statement.', {
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
  // UPDATE STATISTICS and CREATE STATISTICS are statements of their own.
  if (mode === undefined || (mode.text.toUpperCase() === 'STATISTICS' && !/\bSET\b/i.test(sql))) return;
  throw new AppError('E_SQL', `The statement names the setting ${mode.text}, which decides whether it is run.`, {
    hint: 'Leave the setting out, or write it in brackets if it is a name.',
    details: { refused: true },
  });
}
