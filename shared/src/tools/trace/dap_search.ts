import * as z from 'zod';
import { cutFields } from '../debug/fields.ts';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import { outputCategory, recordedSession } from './fields.ts';

export const dapSearch = defineTool({
  name: 'dap_search',
  title: 'Search output',
  description: 'Search what the recorded sessions printed by a regular expression, with the lines around each match.',
  toolset: 'trace',
  runsIn: 'editor',
  input: z.strictObject({
    pattern: z.string().min(1).max(1_000).describe('e.g. error|warn'),
    sessionId: recordedSession.describe('Default: all'),
    category: outputCategory,
    contextLines: z.int().min(0).max(20).default(2).describe('Lines around each'),
    limit: z.int().min(1).max(500).default(50).describe('Most matches'),
    caseSensitive: z.boolean().default(false).describe('Mind upper case'),
  }),
  output: z.object({
    matches: z.array(
      z.object({
        sessionId: z.string(),
        at: z.int(),
        text: z.string(),
        before: z.array(z.string()),
        after: z.array(z.string()),
      }),
    ),
    totalMatches: z.int(),
    sessionsSearched: z.int(),
    ...cutFields,
  }),
  annotations: READ_ONLY,
  errors: ['E_SESSION_NOT_FOUND', 'E_INVALID_REGEX'],
  timeoutMs: 30_000,
  text: { as: 'json' },
  words: READS,
  examples: [
    { input: { pattern: 'no such words' }, gives: 'ok' },
    { input: { pattern: '(' }, gives: 'E_INVALID_REGEX' },
    { input: { pattern: 'x', sessionId: 'no-such' }, gives: 'E_SESSION_NOT_FOUND' },
    { input: {}, gives: 'E_INVALID_PARAMS' },
  ],
});
