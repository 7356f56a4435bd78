import { AppError } from '@devdb/shared/errors';
import { DEFAULT_RESULT_BYTES, DEFAULT_RESULT_ROWS, MAX_CELL_BYTES, MAX_RESULT_BYTES } from '@devdb/shared/limits';
import { nameText, type PlainText, plain, quoted, sentenceText, valueText } from '@devdb/shared/plain-text';
import { type Question, questionOf } from '@devdb/shared/protocol';
import type { Handler } from '@devdb/shared/tools';
import type {
  Bindings,
  Caps,
  PreparedStatement,
  RefusedStatement,
  RowSet,
  Session,
  WritePreview,
} from '../engines/engine.ts';
import type { OpenDatabase, ToolContext, Unasked } from './tool-context.ts';

/** How often a person is asked again because the row count changed while they decided. */
const MAX_QUESTIONS = 3;

/** A statement to run, with its values and origin. */
export interface Runnable {
  readonly query: string;
  /** Values for its placeholders. */
  readonly params?: Bindings | undefined;
  /** The custom tool it belongs to. */
  readonly tool?: string | undefined;
}

export const runQuery: Handler<'run-query', ToolContext> = async ({ query, limit, connection }, context) =>
  runStatement({ query }, capsOf(limit), await context.open(connection), context);

/** Judges a statement, runs a read under guard, and asks before a write as the policy says. */
export async function runStatement(
  runnable: Runnable,
  caps: Caps,
  open: OpenDatabase,
  context: ToolContext,
): Promise<RowSet> {
  const statement = await prepare(open.session, runnable.query, context.signal, runnable.params);
  if (statement.effect === 'read') {
    const outcome = await statement.read(caps, context.signal);
    if (outcome.kind === 'rows') return outcome.rows;
  }
  return change(statement, runnable, caps, open, context);
}

/** Judges a statement; throws if it is one that DevDB never runs. */
export async function prepare(
  session: Session,
  query: string,
  signal: AbortSignal,
  params?: Bindings,
): Promise<PreparedStatement> {
  const statement = await session.prepare(query, signal, params);
  if (statement.effect === 'refused') throw refuse(statement);
  return statement;
}

/** The error of a statement that is never run, whatever the settings. */
function refuse({ verb, reason, position, isSeveral }: RefusedStatement): AppError {
  if (isSeveral) {
    return new AppError('E_SQL', reason, {
      hint: 'Nothing was run. For several reads use run-queries, with each as an entry of its own.',
    });
  }
  if (position !== undefined) {
    return new AppError('E_SQL', reason, {
      hint: 'Put text in quotes and double any quote inside it. Nothing was run.',
      details: { position },
    });
  }
  // A text of whitespace and comments has no verb.
  return new AppError('E_READ_ONLY', `${verb.trim() || 'This'} is not run through DevDB: ${reason}`, {
    hint: 'Send one statement that reads, or that changes rows or the schema; run anything else with the database’s own client.',
  });
}

/** The default caps, or the ones a stated limit raises. */
export function capsOf(limit: number | undefined): Caps {
  return limit === undefined
    ? { rows: DEFAULT_RESULT_ROWS, bytes: DEFAULT_RESULT_BYTES, cellBytes: MAX_CELL_BYTES }
    : { rows: limit, bytes: MAX_RESULT_BYTES, cellBytes: MAX_CELL_BYTES };
}

/** Runs a write, after a yes where the policy asks for one. */
export async function change(
  statement: PreparedStatement,
  runnable: Runnable,
  caps: Caps,
  { id, name }: OpenDatabase,
  context: ToolContext,
): Promise<RowSet> {
  const { verb } = statement;
  const { tool } = runnable;
  await statement.check(context.signal);
  assertWritable(verb, context);
  let preview: WritePreview | undefined;
  for (let asked = 0; asked < MAX_QUESTIONS; asked++) {
    if (context.writes === 'ask') {
      // A yes for the session to one custom tool does not cover other statements of the same kind.
      await context.confirm({
        subject: JSON.stringify(tool === undefined ? [id, verb] : [id, verb, tool]),
        question: async () => {
          preview ??= await statement.preview(context.signal);
          return questionFor(runnable, verb, name, preview);
        },
        unasked: async () => unaskedOf(verb, preview ?? (await triedOut(statement, context.signal))),
      });
    }
    context.changes();
    const outcome = await statement.write(caps, preview?.affectedRows, context.signal);
    if (outcome.kind === 'done') return outcome.rows;
    preview = {
      affectedRows: outcome.affectedRows,
      estimate: 'The number of rows has changed since the last question.',
    };
  }
  throw new AppError(
    'E_CONFIRMATION_REQUIRED',
    'The rows kept changing while the person was being asked. Nothing was changed.',
    {
      hint: 'Run it again when nothing else writes to these rows, or narrow the statement to keys.',
      details: { applied: false, preview },
    },
  );
}

/** Throws where writes are switched off. */
export function assertWritable(what: string, { writes }: Pick<ToolContext, 'writes'>): void {
  if (writes !== 'deny') return;
  throw new AppError('E_READ_ONLY', `${what} changes the database, and writes are switched off here.`, {
    hint: 'A person can change this with the setting Devdb.database.writes, or `devdb serve --writes ask`.',
  });
}

/** For the caller alone: a failure is reported like a change, since no decision depends on it. */
async function triedOut(statement: PreparedStatement, signal: AbortSignal): Promise<WritePreview> {
  try {
    return await statement.preview(signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AppError)) throw error;
    return { affectedRows: undefined, estimate: `It was tried out and fails: ${error.message}` };
  }
}

/** Agents do not learn from this how to switch the question off. */
function unaskedOf(verb: string, preview: WritePreview): Unasked {
  const { affectedRows, estimate } = preview;
  const counted =
    affectedRows === undefined ? [] : [`It would change ${affectedRows === 1 ? '1 row' : `${affectedRows} rows`}.`];
  const told = estimate === undefined ? [] : [/[.!?]$/.test(estimate) ? estimate : `${estimate}.`];
  const effect = [...counted, ...told].join(' ');
  return {
    message: [
      `This ${verb} needs a person's confirmation, and this client cannot ask its user.`,
      ...counted,
      ...told,
      'Nothing was changed.',
    ].join(' '),
    ...(effect === '' ? {} : { effect }),
    hint: 'Show the person the statement and what it would change. They can run it themselves, or ask again with the project open in VS Code or in a client that can show questions.',
    details: { preview },
  };
}

function questionFor(
  { query, params = {}, tool }: Runnable,
  verb: string,
  connection: PlainText,
  preview: WritePreview,
): Question {
  const what = nameText(verb);
  const ofTool = tool === undefined ? plain`` : plain` of the project's tool ${nameText(tool)}`;
  return questionOf({
    kind: 'change',
    title: plain`DevDB: ${what} on ${quoted(connection)}`,
    ask: plain`Run this ${what}${ofTool} on ${quoted(connection)}?`,
    statement: query,
    facts: [
      ...Object.entries(params).map(([name, { value }]) => ({
        label: plain`Value`,
        value: plain`:${nameText(name)} = ${valueText(value)}`,
      })),
      { label: plain`Database`, value: connection },
      ...effectsOf(preview).map((value) => ({ label: plain`Effect`, value })),
    ],
  });
}

/** An estimate itself says what is unknown. */
function effectsOf({ affectedRows, estimate }: WritePreview): readonly PlainText[] {
  const told = estimate === undefined ? undefined : sentenceText(estimate);
  if (affectedRows === undefined) return [told ?? plain`How many rows it changes is not known in advance.`];
  const counted = affectedRows === 1 ? plain`It changes 1 row.` : plain`It changes ${affectedRows} rows.`;
  return told === undefined ? [counted] : [counted, told];
}
