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
const TEXTS_RATIO = 1.15;

type Asked = readonly [what: string, sql: string, limit?: number];

const LETTER =
  "'Dear customer ' || id || ',' || char(10, 10) || replace(printf('%.*c', 40, 'x'), 'x', 'your order was sent on the ' || (id % 28 + 1) || 'th and will arrive soon. ') || char(10) || 'Yours'";

/** Reads as agents make them, each with the query that gets the same from the other server. */
const ANSWERS: readonly Asked[] = [
  ['one number', 'SELECT count(*) AS items FROM items'],
  ['one row', 'SELECT * FROM items WHERE id = 7'],
  ['10 rows', 'SELECT * FROM events LIMIT 10'],
  ['100 rows', 'SELECT * FROM events LIMIT 100'],
  ['100 rows of two columns', 'SELECT id, name FROM items LIMIT 100'],
  ['no rows', 'SELECT * FROM events WHERE id < 0'],
  ['groups', 'SELECT id % 7 AS kind, count(*) AS items, sum(price) AS total FROM items GROUP BY 1'],
  ['nulls', 'SELECT id, NULL AS a, NULL AS b FROM items LIMIT 50'],
  ['names of the tables', "SELECT name FROM sqlite_master WHERE type = 'table'"],
  ['50 letters, with a limit that allows them', `SELECT id, ${LETTER} AS body FROM items LIMIT 50`, 50],
];

/**
 * Answers that are mostly texts. Both servers have to say those, and they alone are over a third of dbhub's answer, so
 * that no form that leaves nothing out can meet its ratio: measured is what ours adds to the values.
 */
const LONG_TEXTS: readonly Asked[] = [
  ['50 sentences', "SELECT id, 'The quick brown fox jumps over the lazy dog' AS note FROM items LIMIT 50"],
  [
    '50 descriptions',
    "SELECT id, name, price, 'The ' || name || ' replaces part ' || (id * 7) || '. It fits all models since ' || (2000 + id % 20) || ', comes with screws and a cable of ' || id || ' cm, and is shipped from our own warehouse within two days.' AS description FROM items LIMIT 50",
  ],
  [
    '50 payloads in JSON',
    "SELECT id, json_object('id', id, 'type', 'item.changed', 'actor', json_object('name', 'user' || id, 'role', 'admin'), 'changes', json_array(json_object('field', 'price', 'from', price, 'to', price + 1))) AS payload FROM items LIMIT 50",
  ],
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
