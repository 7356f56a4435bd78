import { inputJsonSchema } from '@devdb/shared/json-schema';
import { allTools, type ToolDefinition } from '@devdb/shared/tools';
import * as z from 'zod';
import type { ListedTool } from '../src/stdio/tool-list.ts';

const PROJECT_ROOT = "Absolute path of the project's root";

/**
 * Every tool as the stdio entry lists it: projectRoot first and required. No outputSchema, because clients check it on
 * errors too.
 */
export function stdioToolList(definitions: readonly ToolDefinition[] = allTools): readonly ListedTool[] {
  return definitions.map(({ name, aliases = [], toolset, title, description, input, annotations }) => {
    const withRoot = z.strictObject({ projectRoot: z.string().describe(PROJECT_ROOT), ...input.shape });
    const inputSchema = inputJsonSchema(withRoot);
    const json = JSON.stringify({ name, title, description, inputSchema, annotations });
    return { name, aliases, toolset, readOnly: annotations.readOnlyHint, json };
  });
}
