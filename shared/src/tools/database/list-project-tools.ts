import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';

export const listProjectTools = defineTool({
  name: 'list-project-tools',
  title: "List the project's own tools",
  description:
    "List the project's own tools: prepared SQL with parameters from .devdb/tools/*.meta.yaml, and which files were skipped. Look here before writing SQL for what the project does often.",
  toolset: 'database',
  runsIn: 'sidecar',
  input: z.strictObject({}),
  output: z.object({
    tools: z.array(
      z.object({
        name: z.string(),
        alias: z.string(),
        title: z.string(),
        description: z.string(),
        parameters: z.record(z.string(), z.unknown()).describe('JSON Schema of the arguments'),
        file: z.string(),
      }),
    ),
    problems: z.array(z.object({ file: z.string(), line: z.int().optional(), reason: z.string() })),
  }),
  annotations: READ_ONLY,
  errors: [],
  timeoutMs: 10_000,
  text: { as: 'json' },
  words: READS,
  examples: [{ input: {}, gives: 'ok' }],
});
