import * as z from 'zod';
import { plain } from '../../plain-text.ts';
import { defineTool } from '../define-tool.ts';
import { sourcePath } from './fields.ts';
import { ASKED_IF_THE_USERS, pathFact, SETS, SETS_BREAKPOINTS, YOURS_TOO } from './words.ts';

export const breakpointClearFile = defineTool({
  name: 'breakpoint_clear_file',
  title: 'Remove the breakpoints of a file',
  description: 'Remove every breakpoint of a file, also those that the user set.',
  toolset: 'debug',
  runsIn: 'editor',
  input: z.strictObject({ path: sourcePath }),
  output: z.object({ path: z.string(), cleared: z.int() }),
  annotations: SETS,
  errors: ['E_FILE_NOT_FOUND', 'E_INVALID_PATH', 'E_OUTSIDE_PROJECT'],
  timeoutMs: 5_000,
  text: { as: 'json' },
  words: SETS_BREAKPOINTS,
  approval: {
    ...ASKED_IF_THE_USERS,
    question: ({ path }) => ({ ask: plain`Remove all breakpoints of this file?`, facts: [pathFact(path), YOURS_TOO] }),
  },
  examples: [
    { input: { path: 'src/main.ts' }, gives: 'ok' },
    { input: { path: 'src/nosuch.js' }, gives: 'E_FILE_NOT_FOUND' },
    { input: { path: 'src' }, gives: 'E_INVALID_PATH' },
    { input: { path: '../main.ts' }, gives: 'E_OUTSIDE_PROJECT' },
    { input: {}, gives: 'E_INVALID_PARAMS' },
  ],
});
