import { AppError } from '@devdb/shared/errors';
import type { ToolDefinition } from '@devdb/shared/tools';
import { nearNames } from '../engines/near-names.ts';
import type { CustomTool, ReadTools, ToolProblem } from './custom-tool.ts';

/** The tools of a project's own, and which of them are on. */
export class CustomTools {
  /** Of all of them, those that are off first. */
  readonly definitions: readonly ToolDefinition[];
  /** Those that are listed. */
  readonly on: readonly CustomTool[];
  readonly problems: readonly ToolProblem[];
  readonly #byName = new Map<string, CustomTool>();
  readonly #byDefinition: ReadonlyMap<ToolDefinition, CustomTool>;

  constructor({ tools, problems }: ReadTools, isOn: (tool: ToolDefinition) => boolean) {
    this.on = tools.filter(({ enabled, definition }) => enabled && isOn(definition));
    this.problems = problems;
    // Of two with one name the last is found: the one that is on.
    const ordered = [...tools.filter((tool) => !this.on.includes(tool)), ...this.on];
    this.definitions = ordered.map(({ definition }) => definition);
    this.#byDefinition = new Map(ordered.map((tool) => [tool.definition, tool]));
    for (const tool of ordered) {
      for (const name of [tool.alias, tool.definition.name]) this.#byName.set(name, tool);
    }
  }

  /** By its name or its alias. E_NOT_FOUND has the names like it. */
  find(name: string): CustomTool {
    const tool = this.named(name);
    if (tool !== undefined && this.on.includes(tool)) return tool;
    if (tool !== undefined) throw switchedOff(tool);
    const near = nearNames(
      name,
      this.on.map(({ definition }) => definition.name),
    );
    throw new AppError('E_NOT_FOUND', `This project has no tool ${JSON.stringify(name)} of its own.`, {
      hint:
        near.length > 0
          ? `Names like it: ${near.join(', ')}.`
          : 'list-project-tools has the names, and says which files were left out and why.',
    });
  }

  /** By its name or its alias, whether it is on or off. */
  named(name: string): CustomTool | undefined {
    return this.#byName.get(name);
  }

  /** The tool behind a definition; undefined for one of DevDB's own. */
  behind(definition: ToolDefinition): CustomTool | undefined {
    return this.#byDefinition.get(definition);
  }

  isOff(definition: ToolDefinition): boolean {
    const tool = this.behind(definition);
    return tool !== undefined && !this.on.includes(tool);
  }
}

function switchedOff({ definition, file }: CustomTool): AppError {
  return new AppError('E_DISABLED', `The tool ${definition.name} is switched off.`, {
    hint: `Its file ${file} says so (mcp.enabled), or the settings Devdb.mcp.toolsets and Devdb.mcp.disabledTools do.`,
  });
}
