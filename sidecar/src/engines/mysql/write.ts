import type { BoundStatement } from '../bound-statement.ts';
import type { Caps, WriteOutcome, WritePreview } from '../engine.ts';
import { runBound } from './bind.ts';
import type { Catalog } from './catalog.ts';
import type { Completed, RowReceiver, ServerConnection } from './connection.ts';
import { failureOf, isLost } from './errors.ts';
import type { ReadyStatement } from './judge.ts';
import { matchedMessage, warningsOf } from './messages.ts';
import { type ChangeVerb, insertedRows, type PlainChange, plainChangeIn } from './plain-change.ts';
import type { Connections } from './pool.ts';
import { findingOf } from './read.ts';
import { CappedResult } from './result.ts';
import { beginWrite } from './session-state.ts';

const COUNTED = new Set(['INSERT', 'UPDATE', 'DELETE', 'REPLACE']);
const NOT_PREPARABLE = 1295;
/** MariaDB's answer to compiling these does not follow the protocol. */
const NOT_COMPILED = new Set(['HELP']);
const LOCKED = new Set([1205, 1213, 3572]);

/** Compiles a statement on the server without running it. A statement the server cannot compile alone passes. */
export async function check(statement: ReadyStatement, connections: Connections, signal: AbortSignal): Promise<void> {
  if (NOT_COMPILED.has(statement.verb)) return;
  await connections.use(signal, async (connection) => {
    await beginWrite(connection, 'dry-run');
    // When MariaDB compiles, it runs functions that it takes for constants.
    if ((await findingOf(statement, connection)) === 'hidden') return;
    try {
      await connection.compile(statement.text);
    } catch (error) {
      if (failureOf(error).errno !== NOT_PREPARABLE) throw error;
    }
  });
}

/** Runs one write and commits it, unless it changes a different number of rows than expected. */
export function write(
  statement: ReadyStatement,
  caps: Caps,
  expectedRows: number | undefined,
  connections: Connections,
  signal: AbortSignal,
): Promise<WriteOutcome> {
  return connections.use(signal, async (connection, progress) => {
    await beginWrite(connection, 'for-real');
    progress.reached = 'maybe-committed';
    // All rows are received, even those over the caps: the change is complete only after the last one.
    const result = new CappedResult(caps);
    const done = await runBound(connection, statement, result);
    const affectedRows = changedRows(statement.verb, done, result);
    if (expectedRows !== undefined && affectedRows !== expectedRows) {
      await connection.run('ROLLBACK');
      return { kind: 'count-differs', affectedRows: affectedRows ?? 0 };
    }
    const messages = [...matchedMessage(done.info, affectedRows), ...(await warningsOf(connection))];
    progress.committing = true;
    await connection.run('COMMIT');
    progress.committing = false;
    return { kind: 'done', rows: result.finish(affectedRows === undefined ? {} : { affectedRows }, messages) };
  });
}

/** Changed rows, not matched ones; with RETURNING the returned rows are counted. */
function changedRows(verb: string, done: Completed, result: CappedResult): number | undefined {
  if (!COUNTED.has(verb)) return undefined;
  return done.affectedRows ?? result.seen;
}

export interface PreviewTools {
  readonly connections: Connections;
  readonly catalog: <T>(use: (catalog: Catalog) => Promise<T>, signal: AbortSignal) => Promise<T>;
}

/** The row count from a dry run that is rolled back, where that leaves no trace; else the plan's estimate. */
export async function previewWrite(
  statement: ReadyStatement,
  tools: PreviewTools,
  signal: AbortSignal,
): Promise<WritePreview> {
  const change = plainChangeIn(statement.tokens);
  if (change !== undefined) {
    const traceless = await tools.catalog((catalog) => leavesNoTrace(change, catalog), signal);
    const affectedRows = traceless ? await dryRun(statement, tools.connections, signal) : undefined;
    if (affectedRows === 'locked') return { affectedRows: undefined, estimate: LOCKED_ROWS };
    if (affectedRows !== undefined) return { affectedRows, estimate: undefined };
  }
  return { affectedRows: undefined, estimate: await estimateOf(statement, tools, signal) };
}

const LOCKED_ROWS = 'Another session holds some of its rows, so the dry run was skipped.';

function dryRun(
  statement: ReadyStatement,
  connections: Connections,
  signal: AbortSignal,
): Promise<number | 'locked' | undefined> {
  return connections.use(signal, async (connection) => {
    await beginWrite(connection, 'dry-run');
    if ((await findingOf(statement, connection)) !== 'harmless') return undefined;
    try {
      const { affectedRows } = await runBound(connection, statement);
      await connection.run('ROLLBACK');
      return affectedRows;
    } catch (error) {
      if (LOCKED.has(failureOf(error).errno ?? 0)) return 'locked';
      throw error;
    }
  });
}

/** An InnoDB table without triggers, where a rolled-back change leaves nothing behind, except for its ids. */
async function leavesNoTrace({ verb, schema, table }: PlainChange, catalog: Catalog): Promise<boolean> {
  const facts = await catalog.find(schema === undefined ? table : `${schema}.${table}`);
  if (facts.kind !== 'table' || facts.isVersioned || facts.engine?.toLowerCase() !== 'innodb') return false;
  const own = { schema: facts.schema, table: facts.name };
  const children = await catalog.ask('REFERENTIAL_CONSTRAINTS', (query) =>
    query
      .select({ schema: 'CONSTRAINT_SCHEMA', table: 'TABLE_NAME' })
      .where({ UNIQUE_CONSTRAINT_SCHEMA: own.schema, REFERENCED_TABLE_NAME: own.table }),
  );
  const touched = [own, ...children].map((one) => [one.schema ?? '', one.table ?? '']);
  const triggers = await catalog.ask('TRIGGERS', (query) =>
    query.select({ name: 'TRIGGER_NAME' }).whereIn(['EVENT_OBJECT_SCHEMA', 'EVENT_OBJECT_TABLE'], touched).limit(1),
  );
  if (triggers.length > 0 || !(await seesTriggers(own.schema, own.table, catalog))) return false;
  return verb === 'DELETE' || !(await burnsNumbers(verb, own.schema, own.table, catalog));
}

/** Whether this user can see a table's triggers: without the privilege TRIGGER it seems to have none. */
async function seesTriggers(schema: string, table: string, catalog: Catalog): Promise<boolean> {
  // 'user'@'host', where CURRENT_USER() has user@host.
  const own = `GRANTEE = CONCAT('''', REPLACE(CURRENT_USER(), '@', '''@'''), '''') AND PRIVILEGE_TYPE = 'TRIGGER'`;
  const rows = await catalog.query(
    `SELECT 1 FROM information_schema.USER_PRIVILEGES WHERE ${own}
     UNION ALL SELECT 1 FROM information_schema.SCHEMA_PRIVILEGES WHERE ${own} AND ? LIKE TABLE_SCHEMA
     UNION ALL SELECT 1 FROM information_schema.TABLE_PRIVILEGES WHERE ${own} AND TABLE_SCHEMA = ? AND TABLE_NAME = ?`,
    [schema, schema, table],
  );
  return rows.length > 0;
}

/** A number given by AUTO_INCREMENT or a sequence is not given again, even if the row is rolled back. */
async function burnsNumbers(verb: ChangeVerb, schema: string, table: string, catalog: Catalog): Promise<boolean> {
  const columns = await catalog.ask('COLUMNS', (query) =>
    query.select({ extra: 'EXTRA', byDefault: 'COLUMN_DEFAULT' }).where({ TABLE_SCHEMA: schema, TABLE_NAME: table }),
  );
  return columns.some(
    ({ extra, byDefault }) =>
      (verb === 'INSERT' && /auto_increment/i.test(extra ?? '')) || /nextval|next value/i.test(byDefault ?? ''),
  );
}

async function estimateOf(statement: ReadyStatement, tools: PreviewTools, signal: AbortSignal): Promise<string> {
  const { verb, tokens } = statement;
  if (!COUNTED.has(verb)) return NOT_COUNTED[verb] ?? `${verb} changes more than rows; a dry run is not possible.`;
  const values = verb === 'UPDATE' || verb === 'DELETE' ? undefined : insertedRows(tokens);
  if (values !== undefined) return `Its VALUES list inserts ${values} ${values === 1 ? 'row' : 'rows'}.`;
  const unknown = 'How many rows it changes is not known until it runs.';
  const rows = await tools.connections.use(signal, async (connection) => {
    await beginWrite(connection, 'dry-run');
    // To plan a statement, a server may run a function that it takes for a constant.
    return (await findingOf(statement, connection)) === 'harmless' ? planRows(statement, connection) : 'hidden';
  });
  if (rows === 'hidden') return `${unknown} ${NOT_COUNTED['SELECT']}`;
  return rows === undefined ? unknown : `${unknown} The plan looks at about ${rows} ${rows === 1 ? 'row' : 'rows'}.`;
}

const NOT_COUNTED: Readonly<Record<string, string | undefined>> = {
  SELECT: 'It uses a function, or a view with one, whose effects DevDB cannot see, or advances a sequence.',
  CALL: 'It runs a stored procedure, whose effects DevDB cannot see.',
};

/** The most rows that one step of the plan examines, from the classic table that all servers have. */
async function planRows(bound: BoundStatement, connection: ServerConnection): Promise<number | undefined> {
  let column = -1;
  const found: number[] = [];
  try {
    const receiver: RowReceiver = {
      columns: (fields) => {
        column = fields.findIndex(({ name }) => name === 'rows');
      },
      row: (cells) => {
        const rows = Number(cells[column]?.toString('latin1') ?? Number.NaN);
        if (Number.isFinite(rows)) found.push(rows);
      },
    };
    await runBound(connection, bound, receiver, `EXPLAIN ${isOldFormat(connection) ? '' : 'FORMAT=TRADITIONAL '}`);
  } catch (error) {
    if (isLost(error)) throw error;
    // Some servers have no plan for some changes; the estimate says so in words.
    return undefined;
  }
  return found.length === 0 ? undefined : Math.max(...found);
}

/** MariaDB has no keyword for it. */
function isOldFormat({ version }: ServerConnection): boolean {
  return version.product === 'MariaDB' || version.order < 50_600;
}
