import { MAX_QUERY_TIMEOUT_MS } from '@devdb/shared/limits';
import { EXPORT_FORMATS } from '@devdb/shared/protocol/result-methods';
import { defineTool } from '@devdb/shared/tools/define-tool';
import * as z from 'zod';
import { toNewFile } from './export-query.ts';
import type { PersonSink } from './run-for-person.ts';
import type { ToolContext } from './tool-context.ts';

/** Writes the rows of a person's result to a file as they are on show. */
export const personExport = defineTool({
  name: 'export-for-person',
  title: 'Export the rows of a result for a person',
  description: 'Writes the rows of a result to a new file of the project, sorted and filtered as a person sees them.',
  toolset: 'database',
  runsIn: 'sidecar',
  input: z.strictObject({ result: z.string(), order: z.int(), path: z.string(), format: z.enum(EXPORT_FORMATS) }),
  output: z.object({ path: z.string(), rows: z.int() }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  errors: ['E_INVALID_REFERENCE', 'E_FILE_TOO_LARGE', 'E_OUTSIDE_PROJECT'],
  timeoutMs: MAX_QUERY_TIMEOUT_MS,
  text: { as: 'json' },
  words: { effect: 'writes a new file' },
  examples: [],
});

export async function exportForPerson(
  { order, ...target }: z.output<typeof personExport.input>,
  rows: Pick<PersonSink, 'exportTo'>,
  context: ToolContext,
): Promise<z.input<typeof personExport.output>> {
  const written = await toNewFile(target, context, (sink) => rows.exportTo(order, target.format, sink, context.signal));
  return { path: written.path, rows: written.rows };
}
