import type * as z from 'zod';
import { tools } from './catalog.ts';
import { COMMON_ERRORS, type RunsIn, type ToolDefinition } from './define-tool.ts';
import type { Toolset } from './toolsets.ts';

type Tools = (typeof tools)[number];
export type ToolName = Tools['name'];
export type ToolNamed<Name extends ToolName> = Extract<Tools, { readonly name: Name }>;
export type ToolNameIn<Where extends RunsIn> = Extract<Tools, { readonly runsIn: Where }>['name'];
export type ToolInput<Name extends ToolName> = z.output<ToolNamed<Name>['input']>;
export type ToolOutput<Name extends ToolName> = z.input<ToolNamed<Name>['output']>;

/** Runs one tool: parsed input in, data out. `Context` is what its process provides. */
export type Handler<Name extends ToolName, Context> = (
  input: ToolInput<Name>,
  context: Context,
) => Promise<ToolOutput<Name>>;

/** A handler for every tool that runs in this place, and no others. */
export type Handlers<Where extends RunsIn, Context> = {
  readonly [Name in ToolNameIn<Where>]: Handler<Name, Context>;
};

/** The same for one toolset, whose handlers are loaded together. */
export type HandlersOfSet<Where extends RunsIn, Set extends Toolset, Context> = {
  readonly [Name in Extract<Tools, { readonly runsIn: Where; readonly toolset: Set }>['name']]: Handler<Name, Context>;
};

/** Finds a tool by its name or an alias. */
export function findTool(name: string): ToolDefinition | undefined {
  return byName.get(name);
}

/** The same list without each tool's own types, for code that treats all tools alike. */
export const allTools: readonly ToolDefinition[] = tools;

const byName = new Map<string, ToolDefinition>();
for (const tool of allTools) {
  for (const name of [tool.name, ...(tool.aliases ?? [])]) byName.set(name, tool);
}

/** Whether a tool's definition allows this code. */
export function mayAnswer(tool: ToolDefinition, code: string): boolean {
  return [...COMMON_ERRORS, ...tool.errors].some((declared) => declared === code);
}

export type { RunsIn, ToolDefinition } from './define-tool.ts';
export { DEFAULT_TOOLSETS, isChosen, isListed, TOOLSETS, type Toolset } from './toolsets.ts';
