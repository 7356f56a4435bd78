import { DEFAULT_TOOLSETS, isChosen, type ToolDefinition } from '@devdb/shared/tools';

export interface ToolSelection {
  readonly toolsets?: readonly string[] | undefined;
  readonly disabledTools?: readonly string[] | undefined;
}

/** Which tools are on: those in the chosen toolsets (the default ones when none is chosen), except disabled tools. */
export function isOn({ toolsets, disabledTools = [] }: ToolSelection): (tool: ToolDefinition) => boolean {
  const chosen: readonly string[] = toolsets ?? DEFAULT_TOOLSETS;
  return (tool) => isChosen(tool.toolset, chosen) && !disabledTools.includes(tool.name);
}
