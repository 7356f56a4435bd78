import { QUERY_TIMEOUT_MS } from '@devdb/shared/limits';
import type { Handler, ToolDefinition } from '@devdb/shared/tools';
import { parseInput } from '@devdb/shared/tools/parse-input';
import type { CustomTool } from '../custom-tools/custom-tool.ts';
import type { CustomTools } from '../custom-tools/custom-tools.ts';
import type { Binding, Bindings, RowSet } from '../engines/engine.ts';
import { capsOf, runStatement } from './run-query.ts';
import type { ToolContext } from './tool-context.ts';

export const runProjectTool: Handler<'run-project-tool', ToolContext> = async (input, context) => {
  const tool = context.projectTools().find(input.tool);
  return runCustomTool(tool, parseInput(tool.definition, withoutNulls(input.arguments ?? {})), context);
};

/** A model that fills in every field passes null for those it means to omit. */
function withoutNulls(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

/** Runs a custom tool. Its input is already parsed. */
export async function runCustomTool(
  tool: CustomTool,
  input: Readonly<Record<string, unknown>>,
  context: ToolContext,
): Promise<RowSet> {
  const open = await context.open(tool.connection);
  const { sql: query, params, definition } = tool;
  if (params.size === 0) return runStatement({ query, tool: definition.name }, capsOf(undefined), open, context);
  const bound = { query, params: bindingsOf(params, input), tool: definition.name };
  return runStatement(bound, capsOf(undefined), open, context);
}

/** The timeout of a custom tool's call, whichever way it is called; undefined for any other tool. */
export function timeoutOfCustomTool(
  own: CustomTools,
  tool: ToolDefinition,
  input: Readonly<Record<string, unknown>>,
  callersDefaultMs: number | undefined,
): number | undefined {
  const asked = input['tool'];
  const named = tool.name === 'run-project-tool' && typeof asked === 'string' ? own.named(asked) : undefined;
  const meant = own.behind(tool) ?? named;
  // Not the input's timeoutMs: a custom tool may have a parameter of that name.
  return meant && (meant.timeoutMs ?? callersDefaultMs ?? QUERY_TIMEOUT_MS);
}

function bindingsOf(params: CustomTool['params'], input: Readonly<Record<string, unknown>>): Bindings {
  const given = new Map(Object.entries(input));
  return Object.fromEntries([...params].map(([name, type]) => [name, { type, value: scalar(given.get(name)) }]));
}

/** A missing value is NULL. The tool's input schema lets nothing else through. */
function scalar(value: unknown): Binding['value'] {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
