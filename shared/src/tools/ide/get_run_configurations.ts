import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';

export const getRunConfigurations = defineTool({
  name: 'get_run_configurations',
  title: 'List run configurations',
  description:
    'Names that run_configuration takes: launch configurations and compounds, tasks, scripts ("npm: test"). Tasks only in a trusted workspace.',
  toolset: 'ide',
  runsIn: 'editor',
  input: z.strictObject({}),
  output: z.object({ configurations: z.array(z.string()), truncated: z.boolean(), rest: z.string().optional() }),
  annotations: READ_ONLY,
  errors: [],
  timeoutMs: 15_000,
  text: { as: 'json' },
  words: READS,
  examples: [{ input: {}, gives: 'ok' }],
});
