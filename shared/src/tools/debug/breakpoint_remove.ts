import * as z from 'zod';
import { plain } from '../../plain-text.ts';
import { defineTool } from '../define-tool.ts';
import { line, sourcePath } from './fields.ts';
import { approvedAs, CHANGES, SETS_BREAKPOINTS } from './words.ts';

export const breakpointRemove = defineTool({
  name: 'breakpoint_remove',
  title: 'Remove a breakpoint',
  description: 'Remove the breakpoint on a line, whoever set it.',
  toolset: 'debug',
  runsIn: 'editor',
  input: z.strictObject({ path: sourcePath, line }),
  output: z.object({ path: z.string(), line: z.int(), removed: z.boolean() }),
  annotations: CHANGES,
  errors: ['E_NOT_FOUND', 'E_OUTSIDE_PROJECT'],
  timeoutMs: 5_000,
  text: { as: 'json' },
  words: SETS_BREAKPOINTS,
  approval: approvedAs('breakpoints', plain`Remove a breakpoint?`),
  examples: [
    { input: { path: 'src/loop.js', line: 3 }, given: 'a paused program', gives: 'ok' },
    { input: { path: 'src/loop.js', line: 2 }, gives: 'E_NOT_FOUND' },
    { input: { path: '../loop.js', line: 2 }, gives: 'E_OUTSIDE_PROJECT' },
    { input: { path: 'src/loop.js' }, gives: 'E_INVALID_PARAMS' },
  ],
});
