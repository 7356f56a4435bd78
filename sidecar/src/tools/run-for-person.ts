import { AppError } from '@devdb/shared/errors';
import { MAX_QUERY_TIMEOUT_MS, MAX_RESULT_BYTES, MAX_RESULT_ROWS } from '@devdb/shared/limits';
import { connection, query } from '@devdb/shared/tools/database/fields';
import { defineTool } from '@devdb/shared/tools/define-tool';
import * as z from 'zod';
import type { ExportFormat, ExportSink, RowSet } from '../engines/engine.ts';
import type { ResultSource } from '../engines/row-editing.ts';
import type { PersonEdits } from './edit-for-person.ts';
import { change, prepare } from './run-query.ts';
import type { ToolContext } from './tool-context.ts';

/**
 * What a person runs in the editor: a tool like the agents' for the gate, which no agent can call. Its rows go to the
 * person's result, not into the answer.
 */
export const personQuery = defineTool({
  name: 'run-for-person',
  title: 'Run a statement for a person',
  description: 'Runs a statement that a person wrote in the editor.',
  toolset: 'database',
  runsIn: 'sidecar',
  input: z.strictObject({ result: z.string(), query, connection }),
  output: z.object({
    database: z.string(),
    databaseId: z.string(),
    affectedRows: z.int().optional(),
    messages: z.array(z.string()).optional(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  errors: ['E_NO_CONNECTION', 'E_UNKNOWN_TABLE', 'E_SQL', 'E_READ_ONLY'],
  // A person sees that it runs, and can end it.
  timeoutMs: MAX_QUERY_TIMEOUT_MS,
  text: { as: 'json' },
  words: { effect: 'reads; a write is asked for' },
  examples: [],
});

export type PersonInput = z.output<typeof personQuery.input>;

/** Takes the rows of a statement that a person runs. */
export interface PersonSink extends ExportSink {
  /** The database is open. */
  begin(source: ResultSource): void;
  /** Takes rows that are there already: those that a write returns. */
  take(rows: Pick<RowSet, 'columns' | 'rows'>): Promise<void>;
  /** Why it takes no more rows; what it has is kept. */
  readonly stopped: 'size' | 'disk' | undefined;
  /** Sends every row to another sink, in the order with this number. */
  exportTo(order: number, format: ExportFormat, sink: ExportSink, signal: AbortSignal): Promise<void>;
  /** For changing the rows it shows. */
  readonly edits: PersonEdits;
}

const WRITE_CAPS = { rows: MAX_RESULT_ROWS, bytes: MAX_RESULT_BYTES, cellBytes: MAX_RESULT_BYTES };

/** Runs a read under guard, all rows of it, and a write after the person said yes to what it would change. */
export async function runForPerson(
  input: Pick<PersonInput, 'query' | 'connection'>,
  sink: PersonSink,
  context: ToolContext,
): Promise<z.input<typeof personQuery.output>> {
  const open = await context.open(input.connection);
  const used = { database: open.name, databaseId: open.id };
  const { session } = open;
  sink.begin({ query: input.query, database: open.id, session });
  const statement = await prepare(session, input.query, context.signal);
  if (statement.effect === 'read') {
    try {
      await statement.export('cells', sink, context.signal);
      return used;
    } catch (error) {
      if (sink.stopped !== undefined) return used;
      if (!isWrite(error)) throw error;
    }
  }
  const rows = await change(statement, { query: input.query }, WRITE_CAPS, open, context);
  await sink.take(rows);
  const { affectedRows, messages } = rows;
  return {
    ...used,
    ...(affectedRows === undefined ? {} : { affectedRows }),
    ...(messages === undefined ? {} : { messages }),
  };
}

/** The engine refused it as a write, which the text alone did not tell. Nothing of it has happened. */
function isWrite(error: unknown): boolean {
  return error instanceof AppError && error.code === 'E_READ_ONLY';
}
