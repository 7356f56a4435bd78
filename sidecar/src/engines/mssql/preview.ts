import type { WritePreview } from '../engine.ts';
import { DRY_RUN_LOCK_TIMEOUT_MS } from '../limits.ts';
import { askOn, type Results } from './ask.ts';
import type { MssqlStatement } from './bind.ts';
import { rows } from './catalog.ts';
import type { ServerConnection } from './connection.ts';
import type { Database } from './database.ts';
import { isAboutStatement } from './errors.ts';
import { explainFailure } from './explain-error.ts';
import { begin, rollBack } from './guard.ts';
import type { ReadyStatement } from './judge.ts';
import { ModeIgnored } from './not-running.ts';
import { type PlainChange, plainChange } from './plain-change.ts';
import { planOn } from './plan.ts';
import { numberIn } from './plan-nodes.ts';
import { quoteName } from './quote.ts';
import { runBound } from './read.ts';

/** What a write would change: from a dry run where that leaves nothing behind, else from the server's plan. */
export function previewWrite(
  database: Database,
  statement: ReadyStatement,
  signal: AbortSignal,
): Promise<WritePreview> {
  return explainFailure(database, statement, signal, async () => {
    const change = plainChange(statement);
    if (change !== undefined) {
      const affectedRows = await dryRun(database, statement, change, signal);
      if (affectedRows !== undefined) return { affectedRows, estimate: undefined };
    }
    return { affectedRows: undefined, estimate: await estimate(database, statement, signal) };
  });
}

function dryRun(
  database: Database,
  statement: MssqlStatement,
  change: PlainChange,
  signal: AbortSignal,
): Promise<number | undefined> {
  return database.acting(signal, DRY_RUN_LOCK_TIMEOUT_MS, async (connection, progress) => {
    if (!(await leavesNothing(connection, change))) return undefined;
    if ((await database.beyondReading(connection, statement.text)) !== undefined) return undefined;
    await begin(connection, 'ON');
    progress.reached = 'uncommitted';
    const { count = 0 } = await runBound(connection, statement);
    await rollBack(connection);
    return count;
  });
}

/**
 * Whether a rolled-back change of the table leaves no trace: an ordinary table without triggers (its own or behind
 * cascading keys) and, for an INSERT, without counters, which no rollback resets.
 */
const TRACES = `
SELECT t.object_id, t.is_memory_optimized, t.is_filetable, t.is_external,
       (SELECT count(*) FROM sys.identity_columns i WHERE i.object_id = t.object_id),
       (SELECT count(*) FROM sys.default_constraints d WHERE d.parent_object_id = t.object_id AND d.definition LIKE N'%NEXT VALUE FOR%')
  FROM sys.tables t WHERE t.object_id = OBJECT_ID(@name) AND t.is_ms_shipped = 0;
WITH reached AS (
  SELECT OBJECT_ID(@name) AS object_id, 0 AS steps
  UNION ALL
  SELECT k.parent_object_id, r.steps + 1 FROM reached r JOIN sys.foreign_keys k ON k.referenced_object_id = r.object_id
   WHERE (k.delete_referential_action <> 0 OR k.update_referential_action <> 0) AND r.steps < 30
)
SELECT count(*) FROM sys.triggers g WHERE g.is_disabled = 0 AND g.parent_id IN (SELECT object_id FROM reached)`;

async function leavesNothing(connection: ServerConnection, { verb, name }: PlainChange): Promise<boolean> {
  const results = await tracesOf(connection, name.map(quoteName).join('.'));
  const table = rows(results, 0)[0];
  const triggers = rows(results, 1)[0]?.[0];
  if (table === undefined || triggers !== 0) return false;
  const [, memory, fileTable, external, identities, sequences] = table;
  if (memory !== false || fileTable !== false || external !== false) return false;
  return verb !== 'INSERT' || (identities === 0 && sequences === 0);
}

/** If the catalogue cannot be read, no dry run is allowed. */
async function tracesOf(connection: ServerConnection, name: string): Promise<Results> {
  try {
    return await askOn(connection, TRACES, { name });
  } catch (error) {
    if (!isAboutStatement(error)) throw error;
    return [];
  }
}

/** A SELECT is asked about when it writes, or reaches more than rows. */
const ESTIMATED: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'SELECT']);

async function estimate(database: Database, statement: ReadyStatement, signal: AbortSignal): Promise<string> {
  const { verb } = statement;
  if (verb === 'EXEC')
    return 'A procedure may change anything that its author wrote into it; its effect is not known before it runs.';
  if (!ESTIMATED.has(verb)) return `${verb} changes the database as a whole, not rows.`;
  try {
    return await database.looking(signal, (connection) => estimateOn(database, connection, statement));
  } catch (error) {
    // Showing plans is a right of its own, and not every server does it without executing the statement.
    if (!isAboutStatement(error) && !(error instanceof ModeIgnored)) throw error;
    return NOT_KNOWN;
  }
}

const NOT_KNOWN = 'How many rows it changes is not known until it runs.';

async function estimateOn(
  database: Database,
  connection: ServerConnection,
  statement: MssqlStatement,
): Promise<string> {
  const reason = await database.beyondReading(connection, statement.text);
  if (reason !== undefined) return `It may do more than its words say: ${reason}. ${NOT_KNOWN}`;
  const count = numberIn(await planOn(database, connection, statement), 'StatementEstRows');
  if (count === undefined) return NOT_KNOWN;
  return `About ${Math.round(count)} rows, by the server's plan; the true number is not known before it has run.`;
}
