import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';

export const debugStatus = defineTool({
  name: 'debug_status',
  title: 'Debug status',
  description:
    'What is being debugged now: the sessions, whether they are paused, and where. Use it to find your bearings.',
  toolset: 'debug',
  runsIn: 'editor',
  input: z.strictObject({}),
  output: z.object({
    isActive: z.boolean(),
    isPaused: z.boolean(),
    sessions: z.array(
      z.object({
        sessionId: z.string(),
        sessionName: z.string(),
        adapterType: z.string(),
        startedByYou: z.boolean(),
        paused: z.boolean(),
        reason: z.string().optional(),
        file: z.string().optional(),
        line: z.int().optional(),
        functionName: z.string().optional(),
        frameId: z.int().optional(),
        threads: z.int().optional(),
      }),
    ),
    totalBreakpoints: z.int(),
  }),
  annotations: READ_ONLY,
  errors: [],
  timeoutMs: 5_000,
  text: { as: 'json' },
  words: READS,
  examples: [{ input: {}, gives: 'ok' }],
});
