import type * as z from 'zod';
import type { TextForm } from '../envelope.ts';
import type { ErrorCode } from '../errors.ts';
import type { PlainText } from '../plain-text.ts';
import type { Toolset } from './toolsets.ts';

export type RunsIn = 'sidecar' | 'editor';

export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** What a tool says about itself beyond its description, so that nothing on the shared way knows any tool. */
export interface ToolWords {
  /** What it does to the project, as the README's table has it: "reads", "writes a file". */
  readonly effect: string;
  /** What to do when it ran out of time. */
  readonly afterTimeout?: string;
  /** What VS Code's own agent tells its user before a call that is not read-only. */
  readonly beforeRun?: string;
}

/** What the user is asked before a tool of the editor changes something. */
export interface ChangeQuestion {
  /** One sentence with a question mark. */
  readonly ask: PlainText;
  /** What would be run, whole: a command line, an expression. */
  readonly statement?: string;
  readonly facts: readonly { readonly label: PlainText; readonly value: PlainText }[];
}

/** How a tool of the editor asks for its approval. Methods, so that a list of tools can hold each tool's own input. */
export interface Approval<Input> {
  /** Whether the editor can undo it. By default the annotations say so: what is destructive cannot be undone. */
  isFinal?(input: Input): boolean;
  question(input: Input): ChangeQuestion;
  /** What a yes "for this session" covers: the exact text of a command, the tool itself for an edit. */
  covers(input: Input): string;
  /** The yes to the start of a debug session covers this call too, where it is about that session: the editor knows. */
  readonly inOwnSession?: boolean;
}

/** A call and what it gives. Every door is tested with them, so they fit the fixture projects of the tests. */
export interface Example {
  readonly input: Readonly<Record<string, unknown>>;
  readonly gives: 'ok' | ErrorCode;
  /** What has to hold before, where a project alone is not enough: the suite of the toolset makes it so. */
  readonly given?: 'a paused program' | 'a debugger' | 'a window to reload';
}

/** One tool, as data: every door, the manifest, the README table and VS Code's contributions are made from it. */
export interface ToolDefinition<
  Name extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
  Where extends RunsIn = RunsIn,
  Set extends Toolset = Toolset,
> {
  readonly name: Name;
  readonly aliases?: readonly string[];
  readonly title: string;
  /** For the model: what it gives, when to use it, what must run first. Clients cut it at 2 KB. */
  readonly description: string;
  readonly toolset: Set;
  readonly runsIn: Where;
  /** Without projectRoot, which only the stdio door adds. Strict: an unknown key is an error, not silence. */
  readonly input: Input;
  readonly output: Output;
  readonly annotations: ToolAnnotations;
  /** What it may answer besides COMMON_ERRORS. A handler cannot throw any other. */
  readonly errors: readonly ErrorCode[];
  /** The gate's deadline. A `timeoutMs` in the input, where there is one, takes its place. */
  readonly timeoutMs: number;
  /** The deadline of a tool that waits by itself: behind the time it was given, so that its own answer wins. */
  deadlineMs?(input: z.output<Input>): number;
  readonly text: TextForm;
  readonly words: ToolWords;
  /** For what runs in the editor and is not read-only; the database's tools judge each statement themselves. */
  readonly approval?: Approval<z.output<Input>>;
  readonly examples: readonly Example[];
}

/** Codes that any tool may answer. */
export const COMMON_ERRORS = [
  'E_INVALID_PARAMS',
  'E_TIMEOUT',
  'E_CANCELLED',
  'E_DISABLED',
  'E_EDITOR_NOT_ATTACHED',
  'E_UNTRUSTED_WORKSPACE',
  'E_CONFIRMATION_REQUIRED',
  'E_APPROVAL_DENIED',
  'E_INTERNAL',
] as const satisfies readonly ErrorCode[];

export const READ_ONLY: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

export const READS = { effect: 'reads' } as const satisfies ToolWords;

/** Keeps the definition's own types while checking its shape. */
export function defineTool<
  const Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodObject,
  const Where extends RunsIn,
  const Set extends Toolset,
>(definition: ToolDefinition<Name, Input, Output, Where, Set>): ToolDefinition<Name, Input, Output, Where, Set> {
  return definition;
}
