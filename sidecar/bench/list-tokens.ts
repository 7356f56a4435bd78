import { instructionsFor } from '@devdb/shared/instructions';
import { inputJsonSchema } from '@devdb/shared/json-schema';
import { allTools, type Toolset } from '@devdb/shared/tools';
import * as z from 'zod';
import { stdioToolList } from '../build/stdio-tools.ts';

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

/** What a client of the stdio entry may give for the toolset database alone: the list with projectRoot, the instructions. */
export const OFFER_BUDGET = 1_900;

type CountTokens = (text: string) => number;

/** What it takes: names, descriptions and input schemas. */
export function listTokens(toolset: Toolset, tokens: CountTokens): number {
  return sumOf(
    allTools
      .filter((tool) => tool.toolset === toolset)
      .map(({ name, description, input }) => ({ name, description, inputSchema: inputJsonSchema(input) })),
    tokens,
  );
}

const listed = z.object({ name: z.string(), description: z.string(), inputSchema: z.unknown() });

/** What a model reads before its first call where a client has the toolset database alone, over stdio. */
export function offerTokens(tokens: CountTokens): number {
  const tools = stdioToolList().flatMap(({ toolset, json }) =>
    toolset === 'database' ? listed.parse(JSON.parse(json)) : [],
  );
  return sumOf(tools, tokens) + tokens(instructionsFor('stdio', ['database']));
}

function sumOf(tools: readonly z.infer<typeof listed>[], tokens: CountTokens): number {
  return tools.reduce(
    (sum, { name, description, inputSchema }) => sum + tokens(name + description + JSON.stringify(inputSchema)),
    0,
  );
}
