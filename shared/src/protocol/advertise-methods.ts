import * as z from 'zod';
import { method } from './method.ts';

/** What Claude Code's user configuration, valid for all projects, has under our name. */
const USER_SCOPES = ['no-claude', 'none', 'ours', 'other', 'unreadable'] as const;
export type UserScope = (typeof USER_SCOPES)[number];

/** Whether Claude Code is on this machine and has DevDB in every project. Only reads. */
export const claudeUserScope = method(
  'sidecar/claudeUserScope',
  () => z.strictObject({}),
  () => z.object({ state: z.enum(USER_SCOPES) }),
);

/** Adds DevDB to Claude Code for all the user's projects; the answer says in a sentence what happened. */
export const setUpClaude = method(
  'sidecar/setUpClaude',
  () => z.strictObject({}),
  () => z.object({ done: z.boolean(), message: z.string() }),
);
