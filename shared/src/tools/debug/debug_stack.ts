import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import { cutFields, sessionId, threadId } from './fields.ts';

export const debugStack = defineTool({
  name: 'debug_stack',
  title: 'Call stack',
  description:
    'The call stack of the paused program, innermost first. Its frameIds hold until the program runs on. After debug_start, at a stop.',
  toolset: 'debug',
  runsIn: 'editor',
  input: z.strictObject({ threadId, levels: z.int().min(1).max(1_000).default(20).describe('Most frames'), sessionId }),
  output: z.object({
    frames: z.array(
      z.object({
        frameId: z.int(),
        functionName: z.string(),
        file: z.string().optional(),
        line: z.int().optional(),
        column: z.int().optional(),
      }),
    ),
    threadId: z.int(),
    totalFrames: z.int().optional(),
    ...cutFields,
  }),
  annotations: READ_ONLY,
  errors: ['E_NO_SESSION', 'E_NOT_PAUSED', 'E_INVALID_REFERENCE'],
  timeoutMs: 5_000,
  text: { as: 'json' },
  words: READS,
  examples: [
    { input: { levels: 2 }, given: 'a paused program', gives: 'ok' },
    { input: { threadId: 99 }, given: 'a paused program', gives: 'E_INVALID_REFERENCE' },
    { input: {}, gives: 'E_NO_SESSION' },
    { input: { levels: 0 }, gives: 'E_INVALID_PARAMS' },
  ],
});
