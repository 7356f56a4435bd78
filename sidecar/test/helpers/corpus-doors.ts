import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { ServerTarget } from '../../src/engines/engine.ts';
import { type McpClient, type ReadEnvelope, readEnvelope, rest } from './clients.ts';
import { type RunningSidecar, startSidecar } from './start-sidecar.ts';
import type { TempProject } from './temp-project.ts';

/** DevDB reads at most this many custom tools of a project. */
export const OWN_TOOLS_AT_ONCE = 60;

/** How a call ended: 'ok' ('planned' or 'analyzed' for a plan), or the code of its error. */
export type Ending = string;

/** How the tools that take a statement ended. */
export interface Endings {
  readonly run: Ending;
  readonly explain: Ending;
  readonly analyze: Ending;
  readonly exported: Ending;
}

/** A real sidecar, with the tools through which a statement of a corpus may reach the database. */
export interface CorpusDoors {
  readonly sidecar: RunningSidecar;
  /** Sends a statement through every tool that takes one. An exported file is removed at once. */
  send(query: string): Promise<Endings>;
  /** Calls the custom tool with this one of the statements. */
  sendOwn(at: number): Promise<Ending>;
}

interface DoorsOptions {
  readonly args?: readonly string[];
  /** Statements the project has as custom tools. `:n` stands for a number. */
  readonly own?: readonly string[];
}

const PARAMETER = /(?<!:):n\b/;
const VALUE = 1;

/** Serves a project while `use` runs, over REST, which has no user to ask. */
export async function withDoors<T>(
  project: TempProject,
  { args = [], own = [] }: DoorsOptions,
  use: (doors: CorpusDoors) => Promise<T>,
): Promise<T> {
  writeOwnTools(project.root, own);
  const sidecar = await startSidecar({ home: project.home, root: project.root, args });
  const call = async (tool: string, input: Record<string, unknown>): Promise<Ending> =>
    endingOf(project.root, tool, input, readEnvelope((await rest(sidecar, 'POST', `/tools/${tool}`, input)).body));
  let exports = 0;
  try {
    return await use({
      sidecar,
      send: async (query) => {
        exports += 1;
        const path = `rows${exports}.csv`;
        return {
          run: await call('run-query', { query }),
          explain: await call('explain-query', { query }),
          analyze: await call('explain-query', { query, analyze: true }),
          exported: await call('export-query', { query, format: 'csv', path }),
        };
      },
      sendOwn: (at) =>
        call('run-project-tool', {
          tool: `corpus_t${at}`,
          arguments: PARAMETER.test(own[at] ?? '') ? { n: VALUE } : {},
        }),
    });
  } finally {
    await sidecar.stop();
  }
}

/** Runs a statement for a client that can be asked. */
export async function runAsked({ call }: McpClient, root: string, query: string): Promise<Ending> {
  return endingOf(root, 'run-query', { query }, (await call('run-query', { query })).envelope);
}

/** A statement of a corpus with a value in place of its parameter. */
export function withValue(sql: string): string {
  return sql.replace(PARAMETER, String(VALUE));
}

/** Makes this the project's only database. */
export function writeDevdbrc(root: string, type: string, target: ServerTarget): void {
  const { host, port, user, password, database } = target;
  const entry = { type, host, port, username: user, password: password?.open(), database };
  writeFileSync(join(root, '.devdbrc'), JSON.stringify([entry]));
}

function writeOwnTools(root: string, own: readonly string[]): void {
  const folder = join(root, '.devdb/tools');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [at, sql] of own.entries()) {
    const params = PARAMETER.test(sql) ? { n: { type: 'integer', description: 'A number' } } : undefined;
    const tool = { alias: `corpus.t${at}`, params, sql, mcp: { description: 'Reads' } };
    // YAML also reads JSON.
    writeFileSync(join(folder, `t${at}.meta.yaml`), JSON.stringify(tool));
  }
}

const exportedFile = z.object({ path: z.string() });
const plan = z.object({ analyzed: z.boolean() });

/** No statement may end in an unexpected error. */
function endingOf(root: string, tool: string, input: unknown, { ok, data, error }: ReadEnvelope): Ending {
  if (!ok) {
    if (error !== undefined && error.code !== 'E_INTERNAL') return error.code;
    throw new Error(`${tool} ${JSON.stringify(input)} ended in ${JSON.stringify(error)}`);
  }
  if (tool === 'export-query') rmSync(join(root, exportedFile.parse(data).path));
  if (tool === 'explain-query') return plan.parse(data).analyzed ? 'analyzed' : 'planned';
  return 'ok';
}
