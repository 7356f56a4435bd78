import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import { cut } from './fields.ts';

export const getProjectModules = defineTool({
  name: 'get_project_modules',
  title: 'Get the modules of the project',
  description:
    'Modules by the manifests in the project: npm, Composer, Python, Go, Cargo, Maven, Gradle, .NET, Bundler. Nothing is run or installed.',
  toolset: 'ide',
  runsIn: 'editor',
  input: z.strictObject({}),
  output: z.object({
    modules: z.array(z.string()),
    details: z.array(
      z.object({
        name: z.string(),
        kind: z.string(),
        manifests: z.array(z.string()).describe('Paths from the project root'),
        dependencies: z.array(z.string()),
      }),
    ),
    ...cut,
  }),
  annotations: READ_ONLY,
  errors: ['E_FILE_NOT_FOUND'],
  timeoutMs: 15_000,
  text: { as: 'json' },
  words: READS,
  examples: [{ input: {}, gives: 'ok' }],
});
