import { AppError } from '@devdb/shared/errors';
import type { Guard } from '../engine.ts';
import type { ServerConnection } from './connection.ts';
import type { Database } from './database.ts';
import { isAboutStatement } from './errors.ts';
import { begin, rollBack } from './guard.ts';

/** Settings under which a server only plans or compiles a statement. */
export const NOT_RUNNING_MODES = ['SHOWPLAN_XML', 'NOEXEC'] as const;
export type NotRunningMode = (typeof NOT_RUNNING_MODES)[number];

export const PLAN_COLUMN = /XML Showplan$/;
/** Harmless if it is executed after all. */
const PROBE = 'SELECT 1 AS probe';

/** The server would execute what it should only plan or compile, so no foreign statement may be sent. */
export class ModeIgnored extends Error {
  readonly mode: NotRunningMode;

  constructor(mode: NotRunningMode) {
    super(`The server ignores SET ${mode} ON.`);
    this.name = 'ModeIgnored';
    this.mode = mode;
  }
}

/**
 * Works on a connection that executes nothing: in the mode, which a probe has confirmed, and in a transaction that is
 * rolled back. Throws ModeIgnored, before the work, where the server would execute what it is sent.
 */
export async function notRunning<T>(
  database: Database,
  connection: ServerConnection,
  mode: NotRunningMode,
  work: () => Promise<T>,
): Promise<T> {
  await begin(connection, 'OFF');
  if (!(await switchOn(connection, mode))) {
    database.noteIgnored(mode);
    throw new ModeIgnored(mode);
  }
  const result = await work();
  await connection.run(`SET ${mode} OFF`);
  await rollBack(connection);
  return result;
}

/** Whether the server accepts a mode but then executes statements. Only the probe is sent. */
export async function ignores(connection: ServerConnection, mode: NotRunningMode): Promise<boolean> {
  const holds = await switchOn(connection, mode);
  if (holds) await connection.run(`SET ${mode} OFF`);
  return !holds;
}

/** Whether the mode is active now. A server without NOEXEC cannot compile without executing. */
async function switchOn(connection: ServerConnection, mode: NotRunningMode): Promise<boolean> {
  try {
    await connection.run(`SET ${mode} ON`);
  } catch (error) {
    if (mode !== 'NOEXEC' || !isAboutStatement(error)) throw error;
    return false;
  }
  let isPlan = false;
  let rows = 0;
  let plans = 0;
  await connection.run(PROBE, {
    columns: ([first]) => {
      isPlan = PLAN_COLUMN.test(first?.name ?? '');
    },
    row: ([first]) => {
      rows += 1;
      if (isPlan && typeof first === 'string' && first.startsWith('<ShowPlanXML')) plans += 1;
    },
  });
  return mode === 'NOEXEC' ? rows === 0 : rows === 1 && plans === 1;
}

/** The error of a plan that the server could only make by executing the statement. */
export function cannotPlan(): AppError {
  return new AppError('E_SQL', 'This server cannot plan a statement without running it. Nothing was run.', {
    hint: 'It ignores SET SHOWPLAN_XML ON, or is not SQL Server. Ask for plans with its own tools.',
    details: { cannotPlan: true },
  });
}

/** The guard, with the modes the server ignores mentioned. */
export function withoutModes(guard: Guard, ignored: ReadonlySet<NotRunningMode>): Guard {
  if (ignored.size === 0) return guard;
  const plans = ignored.has('SHOWPLAN_XML') ? ' It cannot plan: explain-query is refused.' : '';
  const checks = ignored.has('NOEXEC') ? ' It cannot compile without running: a write is asked about unchecked.' : '';
  const words = `${[...ignored].map((mode) => `SET ${mode} ON`).join(' and ')}`;
  return { ...guard, reason: `${guard.reason} This server ignores ${words}.${plans}${checks}` };
}
