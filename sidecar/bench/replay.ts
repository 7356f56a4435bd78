import { join } from 'node:path';
import * as z from 'zod';
import type { McpClient } from '../../fixtures/labs/mcp-client.ts';
import { dbhubOverStdio, sqliteDsn } from './dbhub.ts';
import type { Figure } from './measure.ts';
import { CALLS, type Call, QUESTIONS, STATEMENTS } from './shop-questions.ts';
import { call, openStage } from './stage.ts';
import { formFigures } from './text-forms.ts';
import { makeWideProject } from './wide-project.ts';

/** All that the other server tells about tables, in one call. */
const THEIR_FIRST_LOOK: Call = ['search_objects', { object_type: 'table', detail_level: 'full', limit: 1000 }];

/** The other server's good run: the names, all about the tables it takes, the codes, and as many statements in a call. */
const THEIR_TABLES =
  'customers products suppliers employees warehouses orders order_lines invoices payments shipments stock_levels'.split(
    ' ',
  );
const THEIR_CODES = 'order_statuses payment_kinds shipment_states employee_roles'.split(' ');
const THEIR_CALLS: readonly Call[] = [
  ['search_objects', { object_type: 'table', limit: 1000 }],
  ...THEIR_TABLES.map((pattern): Call => ['search_objects', { object_type: 'table', pattern, detail_level: 'full' }]),
  ['execute_sql', { sql: THEIR_CODES.map((table) => `SELECT * FROM ${table}`).join('; ') }],
  ['execute_sql', { sql: STATEMENTS.slice(0, 12).join('; ') }],
  ['execute_sql', { sql: STATEMENTS.slice(12).join('; ') }],
];
const MOST_CALLS = 12;

const answerSchema = z.object({ isError: z.boolean().optional(), content: z.array(z.object({ text: z.string() })) });

/** The tokens of a fixed list of calls on a wide schema, beside those of the other server's. */
export async function replayFigures(cache: string, tokens: (text: string) => number): Promise<Figure[]> {
  const project = makeWideProject(join(cache, 'wide'));
  const stage = await openStage(project, join(cache, 'wide-home'));
  const theirs = dbhubOverStdio(sqliteDsn(project.database));
  const ours = await stage.client();
  try {
    await theirs.initialize('bench');
    const own: number[] = [];
    for (const [tool, input] of CALLS)
      own.push(tokens(await answered(ours, tool, { projectRoot: project.root, ...input })));
    const other: number[] = [];
    for (const [tool, input] of THEIR_CALLS) other.push(tokens(await textOf(theirs, tool, input)));
    const [tool, input] = THEIR_FIRST_LOOK;
    const whole = tokens(await textOf(theirs, tool, input));
    return [
      firstLook(own[0] ?? 0, whole),
      questions(sum(own), sum(other)),
      ...(await formFigures(ours, project.root, tokens)),
    ];
  } finally {
    await Promise.all([ours.close(), theirs.close()]);
    await stage.sidecar.stop();
  }
}

/** Where a statement fails, its error stands among the answers of the others. */
async function answered(client: McpClient, tool: string, input: Record<string, unknown>): Promise<string> {
  const text = await call(client, tool, input);
  if (/^-- \d+: /m.test(text)) throw new Error(`${tool}: ${text.slice(0, 500)}`);
  return text;
}

async function textOf(client: McpClient, tool: string, input: Readonly<Record<string, unknown>>): Promise<string> {
  const { isError, content } = answerSchema.parse(await client.callTool(tool, { ...input }));
  const text = content.map((part) => part.text).join('');
  if (isError === true) throw new Error(`dbhub, ${tool}: ${text.slice(0, 500)}`);
  return text;
}

function firstLook(own: number, other: number): Figure {
  return {
    what: 'tokens of the first look at a schema of 50 tables',
    budget: '≤ 0.15x dbhub',
    figure: `${own} to ${other} (${(own / other).toFixed(2)}x)`,
    met: own <= other * 0.15,
    numbers: { tokens: own, dbhubTokens: other },
  };
}

function questions(own: number, other: number): Figure {
  return {
    what: `tokens of ${QUESTIONS.length} questions on it, in ${CALLS.length} calls (dbhub: ${THEIR_CALLS.length})`,
    budget: `≤ 0.5x dbhub, ≤ ${MOST_CALLS} calls`,
    figure: `${own} to ${other} (${(own / other).toFixed(2)}x)`,
    met: own <= other / 2 && CALLS.length <= MOST_CALLS,
    numbers: { tokens: own, dbhubTokens: other, calls: CALLS.length },
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
