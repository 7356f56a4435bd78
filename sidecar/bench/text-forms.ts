import * as z from 'zod';
import type { McpClient } from '../../fixtures/labs/mcp-client.ts';
import type { Figure } from './measure.ts';
import { FORM_CALLS } from './shop-questions.ts';

const answer = z.object({
  content: z.array(z.object({ text: z.string() })),
  structuredContent: z.object({ data: z.unknown() }),
});

/** The tokens of answers as text, beside the JSON of the same data. */
export async function formFigures(
  client: McpClient,
  projectRoot: string,
  tokens: (text: string) => number,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [what, tool, input] of FORM_CALLS) {
    const { content, structuredContent } = answer.parse(await client.callTool(tool, { projectRoot, ...input }));
    const text = tokens(content.map((part) => part.text).join(''));
    const json = tokens(JSON.stringify(structuredContent.data));
    figures.push({
      what: `tokens of the text of ${what}`,
      budget: 'fewer than as JSON',
      figure: `${text} to ${json} (${(text / json).toFixed(2)}x)`,
      met: text < json,
      numbers: { tokens: text, jsonTokens: json },
    });
  }
  return figures;
}
