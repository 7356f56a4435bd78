import * as z from 'zod';
import { rest, truncated } from '../code/fields.ts';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';

export const diagnosticCollect = defineTool({
  name: 'diagnostic_collect',
  title: 'Collect problems',
  description:
    'Errors and warnings of the language servers in a file, folder or the project, fresh after edits from outside the editor, also in files that were never opened. Use it after changing code, instead of a full build.',
  toolset: 'debug',
  runsIn: 'editor',
  input: z.strictObject({
    path: z
      .string()
      .min(1)
      .max(4_096)
      .optional()
      .describe('File or folder, e.g. src; default: the project, newest first'),
    severities: z
      .array(z.enum(['error', 'warning', 'information', 'hint']))
      .min(1)
      .max(4)
      .default(['error', 'warning'])
      .describe('Which problems to list'),
    limit: z.int().min(1).max(10_000).default(100).describe('Most problems'),
  }),
  output: z.object({
    diagnostics: z.array(
      z.object({
        file: z.string(),
        line: z.int(),
        column: z.int(),
        message: z.string(),
        severity: z.enum(['error', 'warning', 'information', 'hint']),
        code: z.string().optional(),
        source: z.string().optional(),
      }),
    ),
    checkedFiles: z.int().describe('Files whose problems are known by now'),
    uncheckedFiles: z.int().optional().describe('Files for which time did not suffice'),
    truncated,
    rest,
  }),
  annotations: READ_ONLY,
  errors: ['E_FILE_NOT_FOUND', 'E_OUTSIDE_PROJECT'],
  timeoutMs: 30_000,
  text: { as: 'json' },
  words: READS,
  examples: [
    { input: { path: 'src/greeting.ts' }, gives: 'ok' },
    { input: { path: 'src', severities: ['error'], limit: 5 }, gives: 'ok' },
    { input: {}, gives: 'ok' },
    { input: { path: 'src/nosuch.ts' }, gives: 'E_FILE_NOT_FOUND' },
    { input: { path: '../x.ts' }, gives: 'E_OUTSIDE_PROJECT' },
    { input: { severities: ['bad'] }, gives: 'E_INVALID_PARAMS' },
  ],
});
