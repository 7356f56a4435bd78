import { withTimeLimit } from '@devdb/shared/abort';
import { AppError, toWire } from '@devdb/shared/errors';
import { RUN_QUERIES_TIMEOUT_MS } from '@devdb/shared/limits';
import type { Handler, ToolOutput } from '@devdb/shared/tools';
import type { Caps, RowSet, Session } from '../engines/engine.ts';
import { cutTo, fairShares } from './fair-shares.ts';
import { capsOf, prepare } from './run-query.ts';
import type { ToolContext } from './tool-context.ts';

type Answer = ToolOutput<'run-queries'>['answers'][number];
type Outcome = { readonly rows: RowSet } | { readonly failed: Answer };

export const runQueries: Handler<'run-queries', ToolContext> = async (input, context) => {
  const { session } = await context.open(input.connection);
  const caps = capsOf(input.limit);
  const limit = { ms: input.timeoutMs ?? RUN_QUERIES_TIMEOUT_MS, reason: outOfTime, signals: [context.signal] };
  return withTimeLimit(limit, async (signal) => {
    const outcomes: Outcome[] = [];
    for (const [index, query] of input.queries.entries()) {
      context.progress({ progress: index, total: input.queries.length });
      outcomes.push(await outcomeOf(index + 1, query, session, caps, signal));
      // A call that has ended has no answer; one that is out of time has those that it got so far.
      context.signal.throwIfAborted();
    }
    return { answers: answersWithin(caps, outcomes) };
  });
};

async function outcomeOf(
  number: number,
  query: string,
  session: Session,
  caps: Caps,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    if (signal.aborted) throw notBegun();
    return { rows: await readOf(query, session, caps, signal) };
  } catch (error) {
    // A fault of ours fails the call, so that it is logged.
    if (!(error instanceof AppError)) throw error;
    const { code, message, hint } = toWire(error);
    return { failed: { query: number, error: { code, message, ...(hint === undefined ? {} : { hint }) } } };
  }
}

async function readOf(query: string, session: Session, caps: Caps, signal: AbortSignal): Promise<RowSet> {
  const statement = await prepare(session, query, signal);
  if (statement.effect === 'write') throw isWrite(statement.verb);
  const outcome = await statement.read(caps, signal);
  if (outcome.kind === 'is-write') throw isWrite(outcome.verb);
  return outcome.rows;
}

/** Each answer may take what the small ones leave of the caps of one result. */
function answersWithin(caps: Caps, outcomes: readonly Outcome[]): Answer[] {
  const sets = outcomes.map((outcome) => ('rows' in outcome ? outcome.rows : undefined));
  const rowShares = fairShares(
    sets.map((set) => set?.rowCount ?? 0),
    caps.rows,
  );
  const byteShares = fairShares(
    sets.map((set) => (set === undefined ? 0 : Buffer.byteLength(JSON.stringify(set.rows)))),
    caps.bytes,
  );
  return outcomes.map((outcome, index) => {
    if ('failed' in outcome) return outcome.failed;
    const cut = cutTo(outcome.rows, rowShares[index] ?? 0, byteShares[index] ?? 0);
    return { query: index + 1, ...cut };
  });
}

function isWrite(verb: string): AppError {
  return new AppError('E_READ_ONLY', `run-queries takes reads only, and this is ${verb}.`, {
    hint: 'Use run-query for a change; a person is asked before it runs.',
  });
}

function outOfTime(): AppError {
  return new AppError('E_TIMEOUT', 'The time for all queries of this call was up.', {
    hint: 'Narrow this one, or give a larger timeoutMs; send those that were not run in a call of their own.',
  });
}

function notBegun(): AppError {
  return new AppError('E_TIMEOUT', 'Not run: the time was up.');
}
