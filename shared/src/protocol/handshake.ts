import { AppError } from '../errors.ts';
import { once } from '../once.ts';
import { TOOLSETS } from '../tools/toolsets.ts';
import type { ValueOf } from './message-schema.ts';
import { method } from './method.ts';
import { either, fields, filledText, flag, listOf, oneOf, shape, text, whole } from './shapes.ts';

/** Raised whenever a message of the pipe changes. Both ends ship in one package, so only one value is valid. */
export const PIPE_VERSION = 10;

/** The values of the setting `Devdb.approvals`. */
export const APPROVALS = ['ask', 'always', 'allow', 'deny'] as const;
export type ApprovalsPolicy = (typeof APPROVALS)[number];

/** What the setting `Devdb.http.tokenless` may say. */
export const TOKENLESS = ['off', 'read', 'all'] as const;
export type TokenlessPolicy = (typeof TOKENLESS)[number];

const port = once(() => shape<number>('a port', (raw) => whole.fits(raw) && raw >= 1 && raw <= 65_535));

/** What the sidecar may do without asking, according to the window's settings. */
export const projectSettingsSchema = once(() =>
  fields(
    {
      writes: oneOf(['ask', 'allow', 'deny']),
      /** When the user is asked before a tool of the editor changes something: what cannot be undone, or every change. */
      approvals: oneOf(APPROVALS),
      trusted: flag,
      toolsets: listOf(oneOf(TOOLSETS)),
      /** Tools that are off on every door, by name. */
      disabledTools: listOf(text),
      /** What is entered for clients in the project's `.mcp.json`, and whether also in one that Git tracks. */
      mcpJson: fields({ entry: oneOf(['stdio', 'http', 'off']), inGit: flag }),
    },
    {
      /** A port the user fixed, else the project's usual one. */
      fixedPort: port(),
      /** What may be called without a token, on a listener of its own; nothing when left out. */
      tokenless: oneOf(TOKENLESS),
      /** Where that listener is to be, on the first port that is free. */
      tokenlessPorts: fields({ first: port(), last: port() }),
      /** Clients whose every call waits for a person's yes, by the names they give themselves. */
      alwaysAsk: listOf(text),
    },
  ),
);
export type ProjectSettings = ValueOf<ReturnType<typeof projectSettingsSchema>>;

/** A folder that the window wants served. */
export const windowProjectSchema = once(() => fields({ root: filledText, settings: projectSettingsSchema() }));
export type WindowProject = ValueOf<ReturnType<typeof windowProjectSchema>>;

/** The outcome for a folder: where it is served, by its real path, or a sentence on why it is not. */
export const projectOutcomeSchema = once(() =>
  either(
    fields(
      { given: text, root: text, port: whole },
      {
        /** Where it listens without a token, while it does. */
        tokenlessPort: whole,
      },
    ),
    fields({ given: text, problem: text }),
  ),
);
export type ProjectOutcome = ValueOf<ReturnType<typeof projectOutcomeSchema>>;

/** The editor's first message: who it is and which folders are open. Answered like `setProjects`. */
export const hello = method(
  'sidecar/hello',
  () =>
    fields(
      {
        // Any number parses: a mismatch is refused in words, not as a malformed message.
        pipeVersion: whole,
        version: text,
        editor: text,
        projects: listOf(windowProjectSchema()),
      },
      {
        /** What links begin with that open a table in the editor. */
        linkOpener: text,
      },
    ),
  () => fields({ pipeVersion: whole, version: text, pid: whole, projects: listOf(projectOutcomeSchema()) }),
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
