import { inputJsonSchema } from '@devdb/shared/json-schema';
import { allTools, type Toolset } from '@devdb/shared/tools';

/** What a toolset's list may take of a model's context, in tokens of o200k. A toolset without tools takes nothing. */
export const LIST_BUDGETS = {
  database: 1_900,
  refactor: 550,
  code: 1_000,
  // Both together 4,700; the second is listed only where that costs nothing or was asked for.
  debug: 3_400,
  trace: 1_300,
  ide: 2_600,
} as const satisfies Record<Toolset, number>;

/** What it takes: names, descriptions and input schemas. */
export function listTokens(toolset: Toolset, tokens: (text: string) => number): number {
  return allTools
    .filter((tool) => tool.toolset === toolset)
    .reduce(
      (sum, { name, description, input }) => sum + tokens(name + description + JSON.stringify(inputJsonSchema(input))),
      0,
    );
}
