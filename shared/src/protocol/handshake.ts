import * as z from 'zod';
import { AppError } from '../errors.ts';
import { once } from '../once.ts';
import { TOOLSETS } from '../tools/toolsets.ts';
import { method } from './method.ts';

/** Raised whenever a message of the pipe changes. Both ends ship in one package, so only one value is valid. */
export const PIPE_VERSION = 7;

/** The values of the setting `Devdb.approvals`. */
export const APPROVALS = ['ask', 'always', 'allow', 'deny'] as const;
export type ApprovalsPolicy = (typeof APPROVALS)[number];

/** What the setting `Devdb.http.tokenless` may say. */
export const TOKENLESS = ['off', 'read', 'all'] as const;
export type TokenlessPolicy = (typeof TOKENLESS)[number];

/** What the sidecar may do without asking, according to the window's settings. */
export const projectSettingsSchema = once(() =>
  z.object({
    writes: z.enum(['ask', 'allow', 'deny']),
    /** When the user is asked before a tool of the editor changes something: what cannot be undone, or every change. */
    approvals: z.enum(APPROVALS),
    trusted: z.boolean(),
    toolsets: z.array(z.enum(TOOLSETS)),
    /** Tools that are off on every door, by name. */
    disabledTools: z.array(z.string()),
    /** A port the user fixed, else the project's usual one. */
    fixedPort: z.int().min(1).max(65_535).optional(),
    /** What may be called without a token, on a listener of its own; nothing when left out. */
    tokenless: z.enum(TOKENLESS).optional(),
    /** What is entered for clients in the project's `.mcp.json`, and whether also in one that Git tracks. */
    mcpJson: z.object({ entry: z.enum(['stdio', 'http', 'off']), inGit: z.boolean() }),
  }),
);
export type ProjectSettings = z.infer<ReturnType<typeof projectSettingsSchema>>;

/** A folder that the window wants served. */
export const windowProjectSchema = once(() => z.object({ root: z.string().min(1), settings: projectSettingsSchema() }));
export type WindowProject = z.infer<ReturnType<typeof windowProjectSchema>>;

/** The outcome for a folder: where it is served, by its real path, or a sentence on why it is not. */
export const projectOutcomeSchema = once(() =>
  z.union([
    z.object({
      given: z.string(),
      root: z.string(),
      port: z.int(),
      /** Where it listens without a token, while it does. */
      tokenlessPort: z.int().optional(),
    }),
    z.object({ given: z.string(), problem: z.string() }),
  ]),
);
export type ProjectOutcome = z.infer<ReturnType<typeof projectOutcomeSchema>>;

/** The editor's first message: who it is and which folders are open. Answered like `setProjects`. */
export const hello = method(
  'sidecar/hello',
  () =>
    z.object({
      // Any number parses: a mismatch is refused in words, not as a malformed message.
      pipeVersion: z.int(),
      version: z.string(),
      editor: z.string(),
      projects: z.array(windowProjectSchema()),
    }),
  () =>
    z.object({
      pipeVersion: z.int(),
      version: z.string(),
      pid: z.int(),
      projects: z.array(projectOutcomeSchema()),
    }),
);

/** Throws when the two ends were built for different versions of the pipe. */
export function checkPipeVersion(theirs: number, theirVersion: string, ownVersion: string): void {
  if (theirs === PIPE_VERSION) return;
  throw new AppError(
    'E_INTERNAL',
    `The editor's DevDB and its sidecar have incompatible versions (${theirVersion} and ${ownVersion}).`,
    { hint: 'Reload the window. If that does not help, install the extension again.' },
  );
}
