import type * as z from 'zod';
import type { TextForm } from '../envelope.ts';
import type { ErrorCode } from '../errors.ts';
import type { Toolset } from './toolsets.ts';

export type RunsIn = 'sidecar' | 'editor';

export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** One tool, as data: every door, the manifest, the README table and VS Code's contributions are made from it. */
export interface ToolDefinition<
  Name extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
  Where extends RunsIn = RunsIn,
> {
  readonly name: Name;
  readonly aliases?: readonly string[];
  readonly title: string;
  /** For the model: what it gives, when to use it, what must run first. Clients cut it at 2 KB. */
  readonly description: string;
  readonly toolset: Toolset;
  readonly runsIn: Where;
  /** Without projectRoot, which only the stdio door adds. Strict: an unknown key is an error, not silence. */
  readonly input: Input;
  readonly output: Output;
  readonly annotations: ToolAnnotations;
  /** What it may answer besides COMMON_ERRORS. A handler cannot throw any other. */
  readonly errors: readonly ErrorCode[];
  /** The gate's deadline. A `timeoutMs` in the input, where there is one, takes its place. */
  readonly timeoutMs: number;
  readonly text: TextForm;
}

/** Codes that any tool may answer. */
export const COMMON_ERRORS = [
  'E_INVALID_PARAMS',
  'E_TIMEOUT',
  'E_CANCELLED',
  'E_DISABLED',
  'E_EDITOR_NOT_ATTACHED',
  'E_UNTRUSTED_WORKSPACE',
  'E_APPROVAL_DENIED',
  'E_INTERNAL',
] as const satisfies readonly ErrorCode[];

export const READ_ONLY: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Keeps the definition's own types while checking its shape. */
export function defineTool<
  const Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodObject,
  const Where extends RunsIn,
>(definition: ToolDefinition<Name, Input, Output, Where>): ToolDefinition<Name, Input, Output, Where> {
  return definition;
}
