import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';

export const findCommitByMessage = defineTool({
  name: 'find_commit_by_message',
  title: 'Find commits by message',
  description: 'Hashes of the commits below HEAD whose message contains a text, newest first.',
  toolset: 'ide',
  runsIn: 'editor',
  input: z.strictObject({
    text: z.string().min(1).max(1_000).describe('What to look for, without case; no pattern'),
    limit: z.int().min(1).max(1_000).default(100).describe('Most commits to answer'),
  }),
  output: z.object({
    commits: z.array(z.string()),
    truncated: z.boolean(),
    rest: z.string().optional(),
  }),
  annotations: READ_ONLY,
  errors: ['E_GIT_UNAVAILABLE'],
  timeoutMs: 20_000,
  text: { as: 'json' },
  words: { ...READS, afterTimeout: 'The history is long: look for what is rarer or newer, or use git log.' },
  examples: [
    { input: { text: 'first' }, gives: 'ok' },
    { input: { text: '' }, gives: 'E_INVALID_PARAMS' },
  ],
});
