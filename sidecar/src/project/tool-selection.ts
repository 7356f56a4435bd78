import { DEFAULT_TOOLSETS, isChosen, type ToolDefinition } from '@devdb/shared/tools';

export interface ToolSelection {
  readonly toolsets?: readonly string[] | undefined;
  readonly disabledTools?: readonly string[] | undefined;
}

/** Which tools are on: those of the chosen toolsets (the defaults when none is chosen) that are not switched off. */
export function isOn({ toolsets, disabledTools = [] }: ToolSelection): (tool: ToolDefinition) => boolean {
  const chosen: readonly string[] = toolsets ?? DEFAULT_TOOLSETS;
  return (tool) => isChosen(tool.toolset, chosen) && !disabledTools.includes(tool.name);
}
