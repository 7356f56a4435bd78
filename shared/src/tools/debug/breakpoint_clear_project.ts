import * as z from 'zod';
import { plain } from '../../plain-text.ts';
import { defineTool } from '../define-tool.ts';
import { ASKED_IF_THE_USERS, SETS, SETS_BREAKPOINTS, YOURS_TOO } from './words.ts';

export const breakpointClearProject = defineTool({
  name: 'breakpoint_clear_project',
  title: 'Remove all breakpoints',
  description: 'Remove every breakpoint in files of the project, also those that the user set.',
  toolset: 'debug',
  runsIn: 'editor',
  input: z.strictObject({}),
  output: z.object({ cleared: z.int() }),
  annotations: SETS,
  errors: [],
  timeoutMs: 5_000,
  text: { as: 'json' },
  words: SETS_BREAKPOINTS,
  approval: {
    ...ASKED_IF_THE_USERS,
    question: () => ({ ask: plain`Remove all breakpoints of the project?`, facts: [YOURS_TOO] }),
  },
  examples: [{ input: {}, given: 'a debugger', gives: 'ok' }],
});
