import { AppError } from '@devdb/shared/errors';
import { DEFAULT_RESULT_BYTES, DEFAULT_RESULT_ROWS, MAX_CELL_BYTES, MAX_RESULT_BYTES } from '@devdb/shared/limits';
import type { Question } from '@devdb/shared/protocol';
import type { Handler } from '@devdb/shared/tools';
import type { Caps, RowSet, WritePreview } from '../engines/engine.ts';
import type { OpenConnection, ToolContext } from './tool-context.ts';

/** How often a person is asked again because the number of rows changed while they thought. */
const MAX_QUESTIONS = 3;
/** A dialog must stay readable; of a longer statement both ends are shown, since an end can change all of it. */
const SHOWN_STATEMENT_CHARS = 4_000;

export const runQuery: Handler<'run-query', ToolContext> = async ({ query, limit, connection }, context) => {
  const open = await context.open(connection);
  const statement = await open.session.classify(query);
  if (statement.effect === 'refused') throw refuse(statement.verb, statement.reason);
  const caps = capsOf(limit);
  if (statement.effect === 'read') {
    const outcome = await open.session.read(query, caps, context.signal);
    if (outcome.kind === 'rows') return outcome.rows;
    return change(query, outcome.verb, caps, open, context);
  }
  return change(query, statement.verb, caps, open, context);
};

/** The error for a statement that is never run, whatever the settings. */
export function refuse(verb: string, reason: string): AppError {
  return new AppError('E_READ_ONLY', `${verb} is not run through DevDB: ${reason}`, {
    hint: 'Send one statement that reads or changes rows or schema; run anything else with the database’s own client.',
  });
}

function capsOf(limit: number | undefined): Caps {
  return limit === undefined
    ? { rows: DEFAULT_RESULT_ROWS, bytes: DEFAULT_RESULT_BYTES, cellBytes: MAX_CELL_BYTES }
    : { rows: limit, bytes: MAX_RESULT_BYTES, cellBytes: MAX_CELL_BYTES };
}

async function change(
  query: string,
  verb: string,
  caps: Caps,
  { id, name, session }: OpenConnection,
  context: ToolContext,
): Promise<RowSet> {
  await session.check(query, context.signal);
  if (context.writes === 'deny') {
    throw new AppError('E_READ_ONLY', `${verb} changes the database, and writes are switched off here.`, {
      hint: 'A person can change this with the setting Devdb.database.writes, or `devdb serve --writes ask`.',
    });
  }
  let preview: WritePreview | undefined;
  for (let asked = 0; asked < MAX_QUESTIONS; asked++) {
    if (context.writes === 'ask') {
      await context.confirm(JSON.stringify([id, verb]), async () => {
        preview ??= await session.previewWrite(query, context.signal);
        return questionFor(query, verb, name, preview);
      });
    }
    const outcome = await session.write(query, caps, preview?.affectedRows, context.signal);
    if (outcome.kind === 'done') return outcome.rows;
    preview = {
      affectedRows: outcome.affectedRows,
      estimate: 'The number of rows has changed since the last question.',
    };
  }
  throw new AppError(
    'E_CONFIRMATION_REQUIRED',
    'The rows kept changing while the person was asked. Nothing was changed.',
    {
      hint: 'Run it again when nothing else writes to these rows, or narrow the statement to keys.',
    },
  );
}

function questionFor(query: string, verb: string, connection: string, preview: WritePreview): Question {
  const effect =
    preview.affectedRows === undefined
      ? 'How many rows it changes is not known beforehand.'
      : `It changes ${preview.affectedRows} ${preview.affectedRows === 1 ? 'row' : 'rows'}.`;
  const lines = [`Run this ${verb} on ${connection}?`, '', shownStatement(query), '', effect];
  if (preview.estimate !== undefined) lines.push(preview.estimate);
  return { title: `DevDB: ${verb} on ${connection}`, message: lines.join('\n') };
}

function shownStatement(query: string): string {
  if (query.length <= SHOWN_STATEMENT_CHARS) return query;
  const half = SHOWN_STATEMENT_CHARS / 2;
  const left = query.length - SHOWN_STATEMENT_CHARS;
  return `${query.slice(0, half)}\n[... ${left} characters are not shown ...]\n${query.slice(-half)}`;
}
