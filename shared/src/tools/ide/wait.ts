import * as z from 'zod';
import { MAX_WAIT_MS, TERMINAL_ANSWER_GRACE_MS } from '../../limits.ts';
import { defineTool, READ_ONLY } from '../define-tool.ts';

export const wait = defineTool({
  name: 'wait',
  title: 'Wait',
  description: 'Wait, for a server or a build that was started to get ready. It can be cancelled.',
  toolset: 'ide',
  runsIn: 'editor',
  input: z.strictObject({
    milliseconds: z.number().min(0).max(MAX_WAIT_MS).describe('How long, in milliseconds'),
  }),
  output: z.object({ result: z.literal('ok') }),
  annotations: READ_ONLY,
  errors: [],
  timeoutMs: 10_000,
  deadlineMs: ({ milliseconds }) => milliseconds + TERMINAL_ANSWER_GRACE_MS,
  text: { as: 'raw', field: 'result' },
  words: { effect: 'waits' },
  examples: [
    { input: { milliseconds: 10 }, gives: 'ok' },
    { input: { milliseconds: 300_001 }, gives: 'E_INVALID_PARAMS' },
    { input: { milliseconds: -1 }, gives: 'E_INVALID_PARAMS' },
    { input: {}, gives: 'E_INVALID_PARAMS' },
  ],
});
