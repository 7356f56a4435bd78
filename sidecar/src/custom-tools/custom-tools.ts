import { AppError } from '@devdb/shared/errors';
import type { ToolDefinition } from '@devdb/shared/tools';
import { nearNames } from '../engines/near-names.ts';
import type { CustomTool, ReadTools, ToolProblem } from './custom-tool.ts';

/** A project's custom tools, and which of them are on. */
export class CustomTools {
  /** All of them, disabled ones first. */
  readonly definitions: readonly ToolDefinition[];
  /** Those that are on, and so listed. */
  readonly on: readonly CustomTool[];
  readonly problems: readonly ToolProblem[];
  readonly #byName = new Map<string, CustomTool>();
  readonly #byDefinition: ReadonlyMap<ToolDefinition, CustomTool>;

  constructor({ tools, problems }: ReadTools, isOn: (tool: ToolDefinition) => boolean) {
    this.on = tools.filter(({ enabled, definition }) => enabled && isOn(definition));
    this.problems = problems;
    // The last of two with one name wins, so the ones that are on come last.
    const ordered = [...tools.filter((tool) => !this.on.includes(tool)), ...this.on];
    this.definitions = ordered.map(({ definition }) => definition);
    this.#byDefinition = new Map(ordered.map((tool) => [tool.definition, tool]));
    for (const tool of ordered) {
      for (const name of [tool.alias, tool.definition.name]) this.#byName.set(name, tool);
    }
  }

  /** By name or alias. E_NOT_FOUND suggests similar names. */
  find(name: string): CustomTool {
    const tool = this.named(name);
    if (tool !== undefined && this.on.includes(tool)) return tool;
    if (tool !== undefined) throw switchedOff(tool);
    const near = nearNames(
      name,
      this.on.map(({ definition }) => definition.name),
    );
    throw new AppError('E_NOT_FOUND', `This project has no custom tool ${JSON.stringify(name)}.`, {
      hint:
        near.length > 0
          ? `Names like it: ${near.join(', ')}.`
          : 'list-project-tools has the names, and says which files were left out and why.',
    });
  }

  /** By name or alias, whether on or off. */
  named(name: string): CustomTool | undefined {
    return this.#byName.get(name);
  }

  /** The custom tool behind a definition; undefined for DevDB's own tools. */
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
