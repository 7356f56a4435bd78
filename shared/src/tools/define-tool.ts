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

/** What a tool says about itself beyond its description, so that shared code knows no single tool. */
export interface ToolWords {
  /** Its effect on the project, for the README's table: "reads", "writes a file". */
  readonly effect: string;
  /** What to do after a timeout. */
  readonly afterTimeout?: string;
  /** What VS Code's own agent tells its user before a call that is not read-only. */
  readonly beforeRun?: string;
}

/** The question to the user before an editor tool changes something. */
export interface ChangeQuestion {
  /** One sentence with a question mark. */
  readonly ask: PlainText;
  /** What would run, whole: a command line, an expression. */
  readonly statement?: string;
  readonly facts: readonly { readonly label: PlainText; readonly value: PlainText }[];
}

/** How an editor tool asks for approval. Methods, so that one list can hold tools with different inputs. */
export interface Approval<Input> {
  /** Whether a call with this input changes anything; by default every one does. */
  changes?(input: Input): boolean;
  /** Whether the editor cannot undo it. By default from the annotations: what is destructive cannot be undone. */
  isFinal?(input: Input): boolean;
  /**
   * Whether the input only names what runs, so that the editor says what that is before it runs it, and the user is
   * asked then. The editor runs nothing that was not agreed to in this way.
   */
  shownByEditor?(input: Input): boolean;
  /** Why it is never done for an agent, in a sentence: E_FORBIDDEN, without a question. */
  refusal?(input: Input): string | undefined;
  question(input: Input): ChangeQuestion;
  /** What a yes "for this session" covers: a command's exact text, or the tool itself for an edit. */
  covers(input: Input): string;
  /** That yes covers this very input and no other like it; a question says so. */
  readonly coversSameOnly?: true;
  /**
   * The caller's own things need no yes, or have it: a debug session to whose start the user agreed, breakpoints that the
   * caller set. The editor knows which they are.
   */
  readonly inOwnSession?: boolean;
}

/** A call and its expected outcome. Every door is tested with them, so they fit the tests' fixture projects. */
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
  /** For the model: what the tool returns, when to use it, what must run first. Clients cut it at 2 KB. */
  readonly description: string;
  readonly toolset: Set;
  readonly runsIn: Where;
  /** Without projectRoot, which only the stdio door adds. Strict: an unknown key is an error, not ignored. */
  readonly input: Input;
  readonly output: Output;
  readonly annotations: ToolAnnotations;
  /** The codes it may answer besides COMMON_ERRORS. The gate lets no other through. */
  readonly errors: readonly ErrorCode[];
  /** The gate's deadline. A `timeoutMs` in the input replaces it. */
  readonly timeoutMs: number;
  /**
   * The deadline of a tool that waits for something itself: later than its own timeout, so that its own answer wins.
   */
  deadlineMs?(input: z.output<Input>): number;
  readonly text: TextForm;
  readonly words: ToolWords;
  /** For editor tools that are not read-only; the database tools judge each statement themselves. */
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
