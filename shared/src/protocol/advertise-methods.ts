import { method } from './method.ts';
import { exactly, fields, flag, oneOf, text } from './shapes.ts';

/** What Claude Code's user configuration, valid for all projects, has under our name. */
const USER_SCOPES = ['no-claude', 'none', 'ours', 'other', 'unreadable'] as const;
export type UserScope = (typeof USER_SCOPES)[number];

/** Whether Claude Code is on this machine and has DevDB in every project. Only reads. */
export const claudeUserScope = method(
  'sidecar/claudeUserScope',
  () => exactly({}),
  () => fields({ state: oneOf(USER_SCOPES) }),
);

/** Adds DevDB to Claude Code for all the user's projects; the answer says in a sentence what happened. */
export const setUpClaude = method(
  'sidecar/setUpClaude',
  () => exactly({}),
  () => fields({ done: flag, message: text }),
);
