import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { McpClient } from '../../../fixtures/labs/mcp-client.ts';
import type { Subject } from './subject.ts';
import { MANY_ROWS } from './tables.ts';

const CAPPED_ROWS = 1_000;
const EXPORTED_ROWS = 2_000;
/** More than a slow statement may need to start, less than it takes. */
const SHORT_TIMEOUT_MS = 60;
const SHORTEST_CANCEL_MS = 2;
const CANCEL_SPREAD_MS = 40;

/** How many of a hundred calls are of each kind. Connections are dropped between the hundreds. */
const SHARES = {
  'small read': 56,
  'capped read': 8,
  'error of the database': 8,
  'refused input': 4,
  schema: 6,
  write: 4,
  export: 4,
  'cancelled export': 2,
  'cancelled read': 4,
  'time-out': 4,
} as const;

export type CallKind = keyof typeof SHARES;

/** The kinds of a hundred calls, well mixed and always in the same order. */
const ORDER: readonly CallKind[] = mixed();

function mixed(): CallKind[] {
  const kinds = Object.entries(SHARES).flatMap(([kind, share]) => new Array<string>(share).fill(kind));
  const known = kinds.filter((kind): kind is CallKind => Object.hasOwn(SHARES, kind));
  // 37 and 100 have no common divisor, so each position occurs once.
  return known.map((_, place) => known[(place * 37) % known.length] ?? 'small read');
}

export function kindOf(call: number): CallKind {
  return ORDER[call % ORDER.length] ?? 'small read';
}

const resultSchema = z.object({
  isError: z.boolean().optional(),
  content: z.array(z.object({ text: z.string() })),
});

export interface Answer {
  readonly isError: boolean;
  readonly text: string;
}

/** Calls a tool; rejects for anything that is not a proper answer. */
export async function ask(
  client: McpClient,
  tool: string,
  args: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<Answer> {
  const { isError, content } = resultSchema.parse(await client.callTool(tool, { ...args }, signal));
  return { isError: isError === true, text: content.map((part) => part.text).join('') };
}

export interface Scene {
  readonly client: McpClient;
  readonly subject: Subject;
  readonly root: string;
}

/** Makes one call; throws when its answer is not as expected. */
export async function perform(scene: Scene, call: number): Promise<CallKind> {
  const kind = kindOf(call);
  await PERFORMERS[kind](scene, call);
  return kind;
}

const PERFORMERS = {
  'small read': async ({ client, root }, call) => {
    const id = 1 + ((call * 7919) % MANY_ROWS);
    const query = `SELECT id, name FROM items WHERE id = ${id} /* ${call} */`;
    expectText(await ask(client, 'run-query', { projectRoot: root, query }), `id\tname\n${id}\titem ${id}`);
  },
  'capped read': async ({ client, root }, call) => {
    const query = `SELECT id, name FROM items WHERE id <> -${call}`;
    const answer = await ask(client, 'run-query', { projectRoot: root, query, limit: CAPPED_ROWS });
    expectText(answer, `-- truncated after ${CAPPED_ROWS} rows`);
  },
  'error of the database': async ({ client, root }, call) => {
    const queries = [`SELECT nothing_${call} FROM items`, 'SELECT FROM WHERE', `SELECT id FROM no_such_table_${call}`];
    const query = queries[call % queries.length] ?? '';
    expectError(await ask(client, 'run-query', { projectRoot: root, query }), /^\[E_(SQL|UNKNOWN_TABLE)\]/);
  },
  'refused input': async ({ client, root }, call) => {
    const args = call % 2 === 0 ? { query: '' } : { query: 'SELECT 1', limit: -call };
    expectError(await ask(client, 'run-query', { projectRoot: root, ...args }), /^\[E_INVALID_PARAMS\]/);
  },
  schema: async ({ client, root }, call) => {
    const tools = [
      ['get-tables', {}],
      ['get-schema', { table: 'items' }],
      ['get-overview', {}],
      ['search-schema', { pattern: 'item' }],
      ['list-connections', {}],
      ['explain-query', { query: 'SELECT id FROM items WHERE id = 1' }],
    ] as const;
    const [tool, args] = tools[Math.floor(call / 7) % tools.length] ?? tools[0];
    const answer = await ask(client, tool, { projectRoot: root, ...args });
    if (answer.isError) throw wrong(answer);
  },
  write: async ({ client, root }) => {
    const query = 'UPDATE counter SET n = n + 1';
    expectText(await ask(client, 'run-query', { projectRoot: root, query }), '-- affectedRows: 1');
  },
  export: async ({ client, root }, call) => {
    const format = call % 2 === 0 ? 'csv' : 'jsonl';
    const path = `export-${call}.${format}`;
    const query = `SELECT id, name FROM items WHERE id <= ${EXPORTED_ROWS}`;
    expectText(await ask(client, 'export-query', { projectRoot: root, query, path, format }), `${EXPORTED_ROWS} rows,`);
    rmSync(join(root, path));
  },
  'cancelled export': ({ client, root, subject }, call) =>
    cancelled(call, (signal) => {
      const query = subject.slowQuery(`export ${call}`);
      const args = { projectRoot: root, query, path: `cancelled-${call}.csv`, format: 'csv' };
      return ask(client, 'export-query', args, signal);
    }),
  'cancelled read': ({ client, root, subject }, call) =>
    cancelled(call, (signal) =>
      ask(client, 'run-query', { projectRoot: root, query: subject.slowQuery(`read ${call}`) }, signal),
    ),
  'time-out': async ({ client, root, subject }, call) => {
    const args = { projectRoot: root, query: subject.slowQuery(`late ${call}`), timeoutMs: SHORT_TIMEOUT_MS };
    expectError(await ask(client, 'run-query', args), /^\[E_TIMEOUT\]/);
  },
} as const satisfies Record<CallKind, (scene: Scene, call: number) => Promise<void>>;

/** Cancels at varying moments, so that some calls are cancelled before they reach the server. */
async function cancelled(call: number, run: (signal: AbortSignal) => Promise<Answer>): Promise<void> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), SHORTEST_CANCEL_MS + ((call * 13) % CANCEL_SPREAD_MS));
  try {
    const answer = await run(controller.signal);
    throw wrong(answer);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
}

function expectText(answer: Answer, part: string): void {
  if (answer.isError || !answer.text.includes(part)) throw wrong(answer);
}

export function expectError(answer: Answer, pattern: RegExp): void {
  if (!answer.isError || !pattern.test(answer.text)) throw wrong(answer);
}

function wrong({ text }: Answer): Error {
  return new Error(`answered ${text.slice(0, 300)}`);
}
