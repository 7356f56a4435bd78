import { AppError } from '@devdb/shared/errors';
import { MAX_QUERY_TIMEOUT_MS, MAX_RESULT_BYTES } from '@devdb/shared/limits';
import { plain, quoted } from '@devdb/shared/plain-text';
import { type Question, questionOf } from '@devdb/shared/protocol';
import type { RowChange } from '@devdb/shared/protocol/edit-methods';
import type { Cell } from '@devdb/shared/tools/database/fields';
import { defineTool } from '@devdb/shared/tools/define-tool';
import * as z from 'zod';
import type { Session } from '../engines/engine.ts';
import type { ChangeStatement, EditableTable, ResultSource, ShownRow, ShownTable } from '../engines/row-editing.ts';
import { assertWritable, prepare } from './run-query.ts';
import type { OpenDatabase, ToolContext } from './tool-context.ts';

/** A person's result whose rows are edited. */
export interface PersonEdits {
  readonly source: ResultSource;
  /** It shows the rows of this table. */
  showsTable(shown: ShownTable, table: EditableTable): void;
  /** In the order in which they are to run. */
  statements(changes: readonly RowChange[], signal: AbortSignal): Promise<readonly ChangeStatement[]>;
}

const ofPerson = {
  toolset: 'database',
  runsIn: 'sidecar',
  timeoutMs: MAX_QUERY_TIMEOUT_MS,
  text: { as: 'json' },
  examples: [],
} as const;

/** Finds out which table's rows a person's result shows. */
export const personTable = defineTool({
  ...ofPerson,
  name: 'table-for-person',
  title: 'Read what can be edited for a person',
  description: 'Reads the table that a result shows.',
  input: z.strictObject({ result: z.string() }),
  output: z.object({}),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['E_NO_CONNECTION', 'E_UNKNOWN_TABLE', 'E_SQL'],
  words: { effect: 'reads' },
});

/** Makes the changes that a person typed into a result. */
export const personChange = defineTool({
  ...ofPerson,
  name: 'change-for-person',
  title: 'Change rows for a person',
  description: 'Makes the changes that a person typed into a result.',
  input: z.strictObject({ result: z.string(), changes: z.custom<readonly RowChange[]>(Array.isArray) }),
  output: z.object({
    applied: z.int(),
    conflicts: z.array(z.object({ change: z.int(), message: z.string() })),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  errors: ['E_NO_CONNECTION', 'E_UNKNOWN_TABLE', 'E_SQL', 'E_READ_ONLY', 'E_NOT_SUPPORTED', 'E_FILE_TOO_LARGE'],
  words: { effect: 'changes rows; asked for' },
});

/** Reads the table of a result, where it shows one. */
export async function tableForPerson(edits: PersonEdits, context: ToolContext): Promise<Record<string, never>> {
  const { query, database } = edits.source;
  const { editing } = (await context.open(database)).session;
  const shown = await editing.tableIn(query);
  if (shown !== undefined) edits.showsTable(shown, await editing.table(shown.name, context.signal));
  return {};
}

/** Makes changes in one transaction: all of them after a yes, or none and why. */
export async function changeForPerson(
  changes: readonly RowChange[],
  edits: PersonEdits,
  context: ToolContext,
): Promise<z.input<typeof personChange.output>> {
  const open = await context.open(edits.source.database);
  const { session } = open;
  const planned = await edits.statements(changes, context.signal);
  for (const { sql } of planned) await (await prepare(session, sql, context.signal)).check(context.signal);
  assertWritable('Editing rows', context);
  if (context.writes === 'ask') await ask(planned, open, context);
  context.changes();
  const outcome = await session.editing.change(
    planned.map(({ sql }) => sql),
    context.signal,
  );
  if (outcome.kind === 'done') return { applied: planned.length, conflicts: [] };
  const conflicts = [];
  for (const [at, { change, row }] of planned.entries()) {
    const count = outcome.counts[at] ?? 0;
    if (count !== 1) conflicts.push({ change, message: await conflictOf(row, count, session, context.signal) });
  }
  return { applied: 0, conflicts };
}

async function ask(planned: readonly ChangeStatement[], { id, name }: OpenDatabase, context: ToolContext) {
  await context.confirm({
    subject: JSON.stringify([id, 'edit']),
    question: async () => questionFor(planned, name),
    unasked: async () => ({
      message: 'These changes need a confirmation, and there is no window to ask in. Nothing was changed.',
      hint: 'Apply them in a window that can show the question.',
    }),
  });
}

function questionFor(planned: readonly ChangeStatement[], database: OpenDatabase['name']): Question {
  const rows = planned.length === 1 ? plain`1 row` : plain`${planned.length} rows`;
  return questionOf({
    kind: 'change',
    title: plain`DevDB: edit ${rows} on ${quoted(database)}`,
    ask: plain`Change ${rows} on ${quoted(database)}?`,
    statement: planned.map(({ sql }) => sql).join(';\n'),
    facts: [
      { label: plain`Database`, value: database },
      { label: plain`Effect`, value: plain`It changes ${rows} in one transaction: all, or none if one has changed.` },
    ],
  });
}

const ONE_ROW = { rows: 2, bytes: MAX_RESULT_BYTES, cellBytes: MAX_RESULT_BYTES };
const MOST_SHOWN_CHARS = 200;

/** What has become of a row that a change did not find as it was. */
async function conflictOf(
  row: ShownRow | undefined,
  count: number,
  session: Session,
  signal: AbortSignal,
): Promise<string> {
  if (row === undefined) return 'The database did not add this row: a trigger or a rule may have kept it out.';
  const outcome = await (await prepare(session, row.query, signal)).read(ONE_ROW, signal);
  if (outcome.kind !== 'rows') throw new AppError('E_SQL', 'The row cannot be read again without a write.');
  const [now, other] = outcome.rows.rows;
  if (now === undefined) return 'The row is gone: somebody has deleted it, or changed its key.';
  if (other !== undefined || count > 1) return 'Several rows have this key.';
  const changed = row.columns.flatMap((name, at) => {
    const [before, after] = [row.cells[at] ?? null, now[at] ?? null];
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [`${name} is now ${shown(after)}`];
  });
  if (changed.length === 0) return 'The database did not find the row by its old values, though they look the same.';
  return `Somebody has changed the row: ${changed.join(', ')}.`;
}

function shown(cell: Cell): string {
  if (cell === null) return 'NULL';
  const text = typeof cell === 'object' ? `0x${cell.hex}` : JSON.stringify(cell);
  return text.length <= MOST_SHOWN_CHARS ? text : `${text.slice(0, MOST_SHOWN_CHARS)}…`;
}
