import { stoppedBy } from '@devdb/shared/abort';
import type { ServerConnection } from './connection.ts';

/** How long a connection to SQL Server waits for the word that its statement has stopped before it is cut. */
const UNCONFIRMED_STOP_MS = 30_000;

/**
 * Whether the server still runs a stopped statement. The confirmation comes on its own connection. If it does not come,
 * the connection is cut, which tells the server once more; then another connection asks, if the login may see other
 * sessions.
 */
export async function stillRuns(
  connection: ServerConnection,
  open: (signal: AbortSignal) => Promise<ServerConnection>,
  signal: AbortSignal,
): Promise<boolean> {
  if (!connection.isBroken) {
    if (!connection.isBusy) return false;
    if (connection.stoppedMs < UNCONFIRMED_STOP_MS) return true;
    connection.cut();
  }
  const { sessionId, cutBusyAt } = connection;
  if (sessionId === undefined || cutBusyAt === undefined) return false;
  const asking = await open(signal);
  const cut = (): void => asking.cut();
  try {
    return await stoppedBy(signal, cut, () => isRunning(asking, sessionId, performance.now() - cutBusyAt));
  } finally {
    cut();
  }
}

/** Session ids are reused: a session begun after the cut is another one. NULL where the login may not see it. */
async function isRunning(asking: ServerConnection, sessionId: number, cutMs: number): Promise<boolean> {
  let running = 0;
  const question = `SELECT CASE WHEN HAS_PERMS_BY_NAME(NULL, NULL, N'VIEW SERVER STATE') = 1 THEN (SELECT count(*) FROM sys.dm_exec_requests WHERE session_id = ${sessionId} AND start_time < DATEADD(millisecond, ${-Math.floor(cutMs)}, GETDATE())) END`;
  await asking.run(question, {
    row: ([count]) => {
      running = Number(count ?? 0);
    },
  });
  return running > 0;
}
