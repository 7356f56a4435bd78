import * as z from 'zod';
import { method } from './method.ts';

/** What Claude Code's own file has under our name for all of a person's projects. */
const USER_SCOPES = ['no-claude', 'none', 'ours', 'other', 'unreadable'] as const;
export type UserScope = (typeof USER_SCOPES)[number];

/** Whether Claude Code is on this machine and knows DevDB in every project. Only looks. */
export const claudeUserScope = method(
  'sidecar/claudeUserScope',
  () => z.strictObject({}),
  () => z.object({ state: z.enum(USER_SCOPES) }),
);

/** Enters DevDB for all of a person's projects, and says in a sentence what became of it. */
export const setUpClaude = method(
  'sidecar/setUpClaude',
  () => z.strictObject({}),
  () => z.object({ done: z.boolean(), message: z.string() }),
);
