import { MAX_QUERY_TIMEOUT_MS } from '@devdb/shared/limits';
import { type ShownPlan, shownPlan } from '@devdb/shared/plans';
import { connection, query } from '@devdb/shared/tools/database/fields';
import { defineTool, READ_ONLY } from '@devdb/shared/tools/define-tool';
import * as z from 'zod';
import { explain } from './explain-query.ts';
import type { ToolContext } from './tool-context.ts';

/** What a page shows of a plan in the server's own words; the XML of a large one has megabytes. */
const MAX_SOURCE_CHARS = 512 * 1024;

/** The plan of a statement as a person is shown it: a tool for the gate, which no agent can call. */
export const personPlan = defineTool({
  name: 'explain-for-person',
  title: 'Explain a statement for a person',
  description: 'Shows a person how the database would run a statement.',
  toolset: 'database',
  runsIn: 'sidecar',
  input: z.strictObject({ query, analyze: z.boolean(), connection }),
  output: shownPlan,
  annotations: READ_ONLY,
  errors: ['E_NO_CONNECTION', 'E_UNKNOWN_TABLE', 'E_SQL', 'E_READ_ONLY'],
  // A person sees that it runs, and can end it.
  timeoutMs: MAX_QUERY_TIMEOUT_MS,
  text: { as: 'json' },
  words: { effect: 'reads' },
  examples: [],
});

export async function explainForPerson(raw: Record<string, unknown>, context: ToolContext): Promise<ShownPlan> {
  const input = personPlan.input.parse(raw);
  const { session, name } = await context.open(input.connection);
  const { explanation: found, isRead } = await explain(session, input, context.signal);
  const { source } = found;
  return {
    ...found,
    source: source.slice(0, MAX_SOURCE_CHARS),
    isSourceCut: source.length > MAX_SOURCE_CHARS,
    database: name,
    isRead,
  };
}
