import { dirname } from 'node:path';
import { allTools, TOOLSETS, type Toolset } from '@devdb/shared/tools';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import * as z from 'zod';
import { dbhubOverStdio, sqliteDsn } from './dbhub.ts';
import { LIST_BUDGETS, listTokens, OFFER_BUDGET, offerTokens } from './list-tokens.ts';
import type { Figure } from './measure.ts';
import { replayFigures } from './replay.ts';
import { call, type Stage } from './stage.ts';
import { ANSWERS, type Asked, LONG_TEXTS } from './typical-answers.ts';

const ANSWER_RATIO = 0.35;
const TEXTS_RATIO = 1.15;

const answerSchema = z.object({ content: z.array(z.object({ text: z.string() })) });

/** Tokens in o200k: of the list per toolset, and of typical answers compared with the other server's. */
export async function measureTokens(stage: Stage): Promise<Figure[]> {
  const encoding = new Tiktoken(o200k);
  const tokens = (text: string) => encoding.encode(text, 'all').length;
  return [
    ...TOOLSETS.map((toolset) => listFigure(toolset, tokens)),
    offerFigure(offerTokens(tokens)),
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

function offerFigure(count: number): Figure {
  return {
    what: 'tokens before the first call, database alone: list with projectRoot, instructions',
    budget: `≤ ${OFFER_BUDGET}`,
    figure: String(count),
    met: count <= OFFER_BUDGET,
    numbers: { tokens: count },
  };
}

async function answerFigures({ client, project }: Stage, tokens: (text: string) => number): Promise<Figure[]> {
  const ours = await client();
  const theirs = dbhubOverStdio(sqliteDsn(project.database));
  await theirs.initialize('bench');
  const answered = async ([, query, limit]: Asked) => {
    const text = await call(ours, 'run-query', { projectRoot: project.root, query, ...(limit && { limit }) });
    const { content } = answerSchema.parse(await theirs.callTool('execute_sql', { sql: query }));
    return { text, other: tokens(content.map((part) => part.text).join('')) };
  };
  const figures: Figure[] = [];
  for (const asked of ANSWERS) {
    const { text, other } = await answered(asked);
    figures.push(besideDbhub(asked[0], tokens(text), other));
  }
  for (const asked of LONG_TEXTS) {
    const { text, other } = await answered(asked);
    const [, ...rows] = text.split('\n');
    const values = rows.flatMap((row) => row.split('\t')).reduce((sum, value) => sum + tokens(value), 0);
    figures.push(besideValues(asked[0], tokens(text), values, other));
  }
  await Promise.all([ours.close(), theirs.close()]);
  return figures;
}

function besideDbhub(what: string, own: number, other: number): Figure {
  return {
    what: `tokens of an answer: ${what}`,
    budget: `≤ ${ANSWER_RATIO}x dbhub`,
    figure: `${own} to ${other} (${(own / other).toFixed(2)}x)`,
    met: own <= other * ANSWER_RATIO,
    numbers: { tokens: own, dbhubTokens: other },
  };
}

function besideValues(what: string, own: number, values: number, other: number): Figure {
  return {
    what: `tokens of an answer: ${what}`,
    budget: `≤ ${TEXTS_RATIO}x its values`,
    figure: `${own} to ${values} (${(own / values).toFixed(2)}x); dbhub: ${other}`,
    met: own <= values * TEXTS_RATIO,
    numbers: { tokens: own, valueTokens: values, dbhubTokens: other },
  };
}
