import { AppError } from '@devdb/shared/errors';
import type { Guard } from '../engine.ts';
import type { ServerConnection } from './connection.ts';
import type { Database } from './database.ts';
import { isAboutStatement } from './errors.ts';
import { begin, rollBack } from './guard.ts';

/** Settings in which a server only looks at a statement: it plans it, or compiles it. */
export const NOT_RUNNING_MODES = ['SHOWPLAN_XML', 'NOEXEC'] as const;
export type NotRunningMode = (typeof NOT_RUNNING_MODES)[number];

export const PLAN_COLUMN = /XML Showplan$/;
/** Changes nothing where it is run after all. */
const PROBE = 'SELECT 1 AS probe';

/** The server would run what it is only to look at: a statement of somebody else must not be sent. */
export class ModeIgnored extends Error {
  readonly mode: NotRunningMode;

  constructor(mode: NotRunningMode) {
    super(`The server ignores SET ${mode} ON.`);
    this.name = 'ModeIgnored';
    this.mode = mode;
  }
}

/**
 * Work on a connection that runs nothing: in the mode, which a probe has shown to hold, and in a transaction that is
 * rolled back. Throws ModeIgnored, before the work, where the server would run what it is sent.
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

/** Whether the server takes the word for a mode and runs what comes then. Nothing but the probe is sent. */
export async function ignores(connection: ServerConnection, mode: NotRunningMode): Promise<boolean> {
  const holds = await switchOn(connection, mode);
  if (holds) await connection.run(`SET ${mode} OFF`);
  return !holds;
}

/** Whether the mode holds now. A server that does not know NOEXEC at all cannot compile without running. */
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

/** The error for a plan that the server would make by running the statement. */
export function cannotPlan(): AppError {
  return new AppError('E_SQL', 'This server cannot plan a statement without running it. Nothing was run.', {
    hint: 'It ignores SET SHOWPLAN_XML ON, or is not SQL Server. Ask for plans with its own tools.',
    details: { cannotPlan: true },
  });
}

/** The same guard, which says what the server would run although it is only to look at it. */
export function withoutModes(guard: Guard, ignored: ReadonlySet<NotRunningMode>): Guard {
  if (ignored.size === 0) return guard;
  const plans = ignored.has('SHOWPLAN_XML') ? ' It cannot plan: explain-query is refused.' : '';
  const checks = ignored.has('NOEXEC') ? ' It cannot compile without running: a write is asked about unchecked.' : '';
  const words = `${[...ignored].map((mode) => `SET ${mode} ON`).join(' and ')}`;
  return { ...guard, reason: `${guard.reason} This server ignores ${words}.${plans}${checks}` };
}
