import { DEFAULT_TOOLSETS, type ToolDefinition } from '@devdb/shared/tools';

export interface ToolSelection {
  readonly toolsets?: readonly string[] | undefined;
  readonly disabledTools?: readonly string[] | undefined;
}

/** Which tools are on: those in the chosen toolsets (the default ones when none is chosen), except disabled tools. */
export function isOn({ toolsets, disabledTools = [] }: ToolSelection): (tool: ToolDefinition) => boolean {
  const chosen: readonly string[] = toolsets ?? DEFAULT_TOOLSETS;
  return (tool) => chosen.includes(tool.toolset) && !disabledTools.includes(tool.name);
}
