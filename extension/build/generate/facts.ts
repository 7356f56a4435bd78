import { join } from 'node:path';
import type { ToolDefinition } from '@devdb/shared/tools';
import type { Generated } from './generated.ts';

/** The facts the extension registers tools from, so that no schema is evaluated while the editor starts. */
export function toolFacts(tools: readonly ToolDefinition[]): Generated {
  const rows = tools.map(
    ({ name, title, toolset, annotations, words }) =>
      `  ${JSON.stringify({
        name,
        title,
        toolset,
        readOnly: annotations.readOnlyHint,
        ...(words.beforeRun === undefined ? {} : { beforeRun: words.beforeRun }),
      })},\n`,
  );
  const text = `// Made by \`npm run generate\` from the definitions of the tools. Change those.
import type { ToolFacts } from '@devdb/shared/tools/tool-facts';

/** Every tool, as far as registering it needs. */
export const TOOL_FACTS: readonly ToolFacts[] = [
${rows.join('')}];
`;
  return { file: join('extension', 'src', 'agent', 'tool-facts.ts'), text };
}
