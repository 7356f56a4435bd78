import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';

export const listProjectTools = defineTool({
  name: 'list-project-tools',
  title: "List the project's own tools",
  description:
    "List this project's own tools: prepared SQL statements with parameters, from its files .devdb/tools/*.meta.yaml. Look here before writing SQL for something the project does often; run-project-tool runs one. Also reports which of these files were skipped, and why. Files are read when the project is opened.",
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
