import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';

export const CHANGE_TYPES = [
  'MODIFIED',
  'ADDED',
  'DELETED',
  'RENAMED',
  'COPIED',
  'UNTRACKED',
  'TYPE_CHANGED',
  'CONFLICT',
] as const;

export const getProjectVcsStatus = defineTool({
  name: 'get_project_vcs_status',
  title: 'Get the Git status',
  description: "The project's changed files, staged or not, as Git has them now.",
  toolset: 'ide',
  runsIn: 'editor',
  input: z.strictObject({}),
  output: z.object({
    branch: z.string().optional(),
    changes: z.array(
      z.object({ path: z.string().describe('From the project root'), type: z.enum(CHANGE_TYPES), staged: z.boolean() }),
    ),
    truncated: z.boolean(),
    rest: z.string().optional(),
  }),
  annotations: READ_ONLY,
  errors: ['E_GIT_UNAVAILABLE'],
  timeoutMs: 15_000,
  text: { as: 'json' },
  words: READS,
  examples: [{ input: {}, gives: 'ok' }],
});
