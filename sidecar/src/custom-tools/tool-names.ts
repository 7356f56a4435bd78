import { allTools } from '@devdb/shared/tools';
import type { CustomTool, ReadTools, ToolProblem } from './custom-tool.ts';

/** Leaves out tools whose name is taken by a DevDB tool or another file. A disabled tool takes no name. */
export function withoutClashes(tools: readonly CustomTool[]): ReadTools {
  const taken = new Map<string, string>();
  for (const { name, aliases = [] } of allTools) {
    for (const own of [name, ...aliases]) taken.set(folded(own), `DevDB's own tool ${own}`);
  }
  const kept: CustomTool[] = [];
  const problems: ToolProblem[] = [];
  for (const tool of tools) {
    const names = [tool.definition.name, tool.alias];
    const clash = names.map((name) => ({ name, by: taken.get(folded(name)) })).find(({ by }) => by !== undefined);
    if (clash?.by !== undefined && (tool.enabled || clash.by.startsWith('DevDB'))) {
      problems.push({ file: tool.file, reason: `the name ${clash.name} is taken by ${clash.by}` });
      continue;
    }
    kept.push(tool);
    if (tool.enabled) for (const name of names) taken.set(folded(name), tool.file);
  }
  return { tools: kept, problems };
}

/** Names that a model could confuse count as equal. */
function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[._-]+/g, '_');
}
