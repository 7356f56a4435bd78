import * as z from 'zod';
import type { McpClient } from '../../fixtures/labs/mcp-client.ts';
import type { Figure } from './measure.ts';

/** Calls on the wide schema whose text is a form of its own. */
const CALLS: readonly (readonly [what: string, tool: string, input: Readonly<Record<string, unknown>>])[] = [
  ['an overview of two tables', 'get-overview', { tables: ['orders', 'customers'] }],
  ['the wide overview', 'get-overview', {}],
  ['a search for columns', 'search-schema', { pattern: 'customer_id|order_id', kind: 'column' }],
  [
    'a plan',
    'explain-query',
    {
      query: 'SELECT * FROM order_lines l JOIN products p ON p.id = l.product_id WHERE l.quantity > 3 ORDER BY p.title',
    },
  ],
  [
    'an export',
    'export-query',
    {
      query: 'SELECT id, order_id, quantity, price FROM order_lines LIMIT 100',
      path: 'lines.csv',
      format: 'csv',
    },
  ],
  ['the only connection', 'list-connections', {}],
];

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
  for (const [what, tool, input] of CALLS) {
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
