import { AppError } from '@devdb/shared/errors';
import { DEFAULT_RESULT_BYTES, DEFAULT_RESULT_ROWS, MAX_CELL_BYTES, MAX_RESULT_BYTES } from '@devdb/shared/limits';
import { withoutVoid, withUnseenShown } from '@devdb/shared/plain-sight';
import type { Question } from '@devdb/shared/protocol';
import type { Handler } from '@devdb/shared/tools';
import type {
  Binding,
  Bindings,
  Caps,
  PreparedStatement,
  RefusedStatement,
  RowSet,
  Session,
  WritePreview,
} from '../engines/engine.ts';
import type { OpenConnection, ToolContext } from './tool-context.ts';

/** How often a person is asked again because the number of rows changed while they thought. */
const MAX_QUESTIONS = 3;
/** A dialog must stay readable; of a longer statement both ends are shown, since an end can change all of it. */
const SHOWN_STATEMENT_CHARS = 4_000;
const SHOWN_VALUE_CHARS = 200;

const UNASKED = {
  message:
    'This statement changes the database and needs the yes of a person, but this client cannot ask one. Nothing was run.',
  hint: 'Show the person the statement. They can run it themselves, use a client that supports elicitation, or allow writes (the setting Devdb.database.writes, or `devdb serve --writes allow`).',
} as const;

/** A statement to be run, and what comes with it. */
export interface Runnable {
  readonly query: string;
  /** Values for its placeholders. */
  readonly params?: Bindings | undefined;
  /** The project's own tool that it belongs to. */
  readonly tool?: string | undefined;
}

export const runQuery: Handler<'run-query', ToolContext> = async ({ query, limit, connection }, context) =>
  runStatement({ query }, capsOf(limit), await context.open(connection), context);

/** Judges a statement, runs a read under guard, and asks before a write as the policy says. */
export async function runStatement(
  runnable: Runnable,
  caps: Caps,
  open: OpenConnection,
  context: ToolContext,
): Promise<RowSet> {
  const statement = await prepare(open.session, runnable.query, context.signal, runnable.params);
  if (statement.effect === 'read') {
    const outcome = await statement.read(caps, context.signal);
    if (outcome.kind === 'rows') return outcome.rows;
  }
  return change(statement, runnable, caps, open, context);
}

/** Judges a statement, and throws for one that is never run. */
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

/** The error for a statement that is never run, whatever the settings. */
function refuse({ verb, reason, position }: RefusedStatement): AppError {
  if (position !== undefined) {
    return new AppError('E_SQL', reason, {
      hint: 'Text stands in quotes, and a quote inside of it is doubled. Nothing was run.',
      details: { position },
    });
  }
  // A text of blanks and comments has no word to call it by.
  return new AppError('E_READ_ONLY', `${verb.trim() || 'This'} is not run through DevDB: ${reason}`, {
    hint: 'Send one statement that reads or changes rows or schema; run anything else with the database’s own client.',
  });
}

/** The default caps, or those that a stated limit raises. */
export function capsOf(limit: number | undefined): Caps {
  return limit === undefined
    ? { rows: DEFAULT_RESULT_ROWS, bytes: DEFAULT_RESULT_BYTES, cellBytes: MAX_CELL_BYTES }
    : { rows: limit, bytes: MAX_RESULT_BYTES, cellBytes: MAX_CELL_BYTES };
}

async function change(
  statement: PreparedStatement,
  runnable: Runnable,
  caps: Caps,
  { id, name }: OpenConnection,
  context: ToolContext,
): Promise<RowSet> {
  const { verb } = statement;
  const { tool } = runnable;
  await statement.check(context.signal);
  if (context.writes === 'deny') {
    throw new AppError('E_READ_ONLY', `${verb} changes the database, and writes are switched off here.`, {
      hint: 'A person can change this with the setting Devdb.database.writes, or `devdb serve --writes ask`.',
    });
  }
  let preview: WritePreview | undefined;
  for (let asked = 0; asked < MAX_QUESTIONS; asked++) {
    if (context.writes === 'ask') {
      // A yes for the session to one tool is none to every statement of its kind.
      await context.confirm({
        subject: JSON.stringify(tool === undefined ? [id, verb] : [id, verb, tool]),
        question: async () => {
          preview ??= await statement.preview(context.signal);
          return questionFor(runnable, verb, name, preview);
        },
        unasked: UNASKED,
      });
    }
    const outcome = await statement.write(caps, preview?.affectedRows, context.signal);
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

function questionFor(
  { query, params = {}, tool }: Runnable,
  verb: string,
  connection: string,
  preview: WritePreview,
): Question {
  const what = tool === undefined ? `this ${verb}` : `this ${verb} of the project's tool ${tool}`;
  const values = Object.entries(params).map(shownValue);
  const ask = `Run ${what} on ${connection}?`;
  const shown = [shownStatement(query), ...(values.length > 0 ? ['', ...values] : [])];
  const effects = effectsOf(preview);
  return {
    kind: 'change',
    title: `DevDB: ${verb} on ${connection}`,
    message: [ask, '', ...shown, '', ...effects].join('\n'),
    parts: { ask, statement: query, facts: factsOf(connection, effects, values) },
  };
}

/** An estimate says by itself what is not known. */
function effectsOf({ affectedRows, estimate }: WritePreview): string[] {
  if (affectedRows === undefined) return [estimate ?? 'How many rows it changes is not known beforehand.'];
  const counted = `It changes ${affectedRows} ${affectedRows === 1 ? 'row' : 'rows'}.`;
  return estimate === undefined ? [counted] : [counted, estimate];
}

function factsOf(connection: string, effects: readonly string[], values: readonly string[]) {
  return [
    { label: 'Database', value: connection },
    { label: 'Effect', value: effects.join('\n') },
    ...(values.length > 0 ? [{ label: 'Values', value: values.join('\n') }] : []),
  ];
}

/** Clients show it as it is, some of them on a terminal: what cannot be seen there must not change what a person reads. */
function shownStatement(query: string): string {
  return bothEnds(inPlainSight(withoutVoid(query)), SHOWN_STATEMENT_CHARS, '\n');
}

function inPlainSight(text: string): string {
  return withUnseenShown(text, (number) => `[${number}]`);
}

/** As JSON: a value's own line breaks must not look like more of the question. */
function shownValue([name, { value }]: readonly [string, Binding]): string {
  return `:${name} = ${bothEnds(inPlainSight(JSON.stringify(value)), SHOWN_VALUE_CHARS, ' ')}`;
}

function bothEnds(text: string, most: number, gap: string): string {
  if (text.length <= most) return text;
  const half = most / 2;
  const left = text.length - most;
  return `${text.slice(0, half)}${gap}[... ${left} characters are not shown ...]${gap}${text.slice(-half)}`;
}
