import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import { cut } from './fields.ts';

export const getProjectDependencies = defineTool({
  name: 'get_project_dependencies',
  title: 'Get the dependencies of the project',
  description: 'Names of all packages that the manifests of get_project_modules ask for.',
  toolset: 'ide',
  runsIn: 'editor',
  input: z.strictObject({}),
  output: z.object({ dependencies: z.array(z.string()), ...cut }),
  annotations: READ_ONLY,
  errors: ['E_FILE_NOT_FOUND'],
  timeoutMs: 15_000,
  text: { as: 'json', field: 'dependencies', note: 'rest' },
  words: READS,
  examples: [{ input: {}, gives: 'ok' }],
});
