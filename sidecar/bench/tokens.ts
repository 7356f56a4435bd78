import { dirname } from 'node:path';
import { allTools, TOOLSETS, type Toolset } from '@devdb/shared/tools';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import * as z from 'zod';
import { dbhubOverStdio, sqliteDsn } from './dbhub.ts';
import { LIST_BUDGETS, listTokens } from './list-tokens.ts';
import type { Figure } from './measure.ts';
import { replayFigures } from './replay.ts';
import { call, type Stage } from './stage.ts';

const ANSWER_RATIO = 0.35;

/** Reads as agents make them, each with the query that gets the same from the other server. */
const ANSWERS: readonly (readonly [what: string, sql: string])[] = [
  ['one number', 'SELECT count(*) AS items FROM items'],
  ['one row', 'SELECT * FROM items WHERE id = 7'],
  ['10 rows', 'SELECT * FROM events LIMIT 10'],
  ['100 rows', 'SELECT * FROM events LIMIT 100'],
  ['100 rows of two columns', 'SELECT id, name FROM items LIMIT 100'],
  ['no rows', 'SELECT * FROM events WHERE id < 0'],
  ['groups', 'SELECT id % 7 AS kind, count(*) AS items, sum(price) AS total FROM items GROUP BY 1'],
  ['nulls', 'SELECT id, NULL AS a, NULL AS b FROM items LIMIT 50'],
  ['texts', "SELECT id, 'The quick brown fox jumps over the lazy dog' AS note FROM items LIMIT 50"],
  ['names of the tables', "SELECT name FROM sqlite_master WHERE type = 'table'"],
];

const answerSchema = z.object({ content: z.array(z.object({ text: z.string() })) });

/** Tokens in o200k: of the list per toolset, and of typical answers compared with the other server's. */
export async function measureTokens(stage: Stage): Promise<Figure[]> {
  const encoding = new Tiktoken(o200k);
  const tokens = (text: string) => encoding.encode(text, 'all').length;
  return [
    ...TOOLSETS.map((toolset) => listFigure(toolset, tokens)),
    ...(await answerFigures(stage, tokens)),
    ...(await replayFigures(dirname(stage.project.root), tokens)),
  ];
}

function listFigure(toolset: Toolset, tokens: (text: string) => number): Figure {
  const tools = allTools.filter((tool) => tool.toolset === toolset);
  const count = listTokens(toolset, tokens);
  const budget = LIST_BUDGETS[toolset];
  return {
    what: `tokens of the list, toolset ${toolset} (${tools.length} tools)`,
    budget: `≤ ${budget}`,
    figure: String(count),
    met: count <= budget,
    numbers: { tokens: count, tools: tools.length },
  };
}

async function answerFigures({ client, project }: Stage, tokens: (text: string) => number): Promise<Figure[]> {
  const ours = await client();
  const theirs = dbhubOverStdio(sqliteDsn(project.database));
  await theirs.initialize('bench');
  const figures: Figure[] = [];
  for (const [what, query] of ANSWERS) {
    const own = tokens(await call(ours, 'run-query', { projectRoot: project.root, query }));
    const { content } = answerSchema.parse(await theirs.callTool('execute_sql', { sql: query }));
    const other = tokens(content.map(({ text }) => text).join(''));
    figures.push({
      what: `tokens of an answer: ${what}`,
      budget: `≤ ${ANSWER_RATIO}x dbhub`,
      figure: `${own} to ${other} (${(own / other).toFixed(2)}x)`,
      met: own <= other * ANSWER_RATIO,
      numbers: { tokens: own, dbhubTokens: other },
    });
  }
  await Promise.all([ours.close(), theirs.close()]);
  return figures;
}
