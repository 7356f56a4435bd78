import * as z from 'zod';
import { AppError } from '../errors.ts';
import { TOOLSETS } from '../tools/toolsets.ts';
import { method } from './method.ts';

/** Raised whenever a message of the pipe changes; both ends come from one package, so there is one valid value. */
export const PIPE_VERSION = 5;

/** What the setting `Devdb.approvals` may say. */
export const APPROVALS = ['ask', 'always', 'allow', 'deny'] as const;
export type ApprovalsPolicy = (typeof APPROVALS)[number];

/** What the sidecar may do without asking again, as the window's settings say. */
export const projectSettingsSchema = z.object({
  writes: z.enum(['ask', 'allow', 'deny']),
  /** When the user is asked before a tool of the editor changes something: what cannot be undone, or every change. */
  approvals: z.enum(APPROVALS),
  trusted: z.boolean(),
  toolsets: z.array(z.enum(TOOLSETS)),
  /** Tools that are off on every door, by name. */
  disabledTools: z.array(z.string()),
  /** A port the user fixed, else the project's usual one. */
  fixedPort: z.int().min(1).max(65_535).optional(),
  /** What is entered for clients in the project's `.mcp.json`, and whether also in one that Git tracks. */
  mcpJson: z.object({ entry: z.enum(['stdio', 'http', 'off']), inGit: z.boolean() }),
});
export type ProjectSettings = z.infer<typeof projectSettingsSchema>;

/** A folder that the window wants to be served. */
export const windowProjectSchema = z.object({ root: z.string().min(1), settings: projectSettingsSchema });
export type WindowProject = z.infer<typeof windowProjectSchema>;

/** What became of a folder: where it is served, by its real path, or why it is not, in a sentence. */
export const projectOutcomeSchema = z.union([
  z.object({ given: z.string(), root: z.string(), port: z.int() }),
  z.object({ given: z.string(), problem: z.string() }),
]);
export type ProjectOutcome = z.infer<typeof projectOutcomeSchema>;

/** The first message, from the editor: who it is and which folders are open. Answered like `setProjects`. */
export const hello = method(
  'sidecar/hello',
  z.object({
    // Any number parses: a mismatch is refused in words, not as a malformed message.
    pipeVersion: z.int(),
    version: z.string(),
    editor: z.string(),
    projects: z.array(windowProjectSchema),
  }),
  z.object({
    pipeVersion: z.int(),
    version: z.string(),
    pid: z.int(),
    projects: z.array(projectOutcomeSchema),
  }),
);

/** Throws when the two ends were built from different versions of the pipe. */
export function checkPipeVersion(theirs: number, theirVersion: string, ownVersion: string): void {
  if (theirs === PIPE_VERSION) return;
  throw new AppError(
    'E_INTERNAL',
    `The editor's DevDB and its sidecar do not fit together (${theirVersion} and ${ownVersion}).`,
    { hint: 'Reload the window. If that does not help, install the extension again.' },
  );
}
