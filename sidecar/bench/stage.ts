import { join } from 'node:path';
import * as z from 'zod';
import { McpClient } from '../../fixtures/labs/mcp-client.ts';
import { type Serving, serve } from '../../fixtures/labs/sidecar.ts';
import type { BenchProject } from './bench-project.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const CLI = join(ROOT, 'sidecar', 'dist', 'cli.js');

const resultSchema = z.object({
  isError: z.boolean().optional(),
  content: z.array(z.object({ text: z.string() })),
});

export type Env = Readonly<Record<string, string | undefined>>;

/** What every measurement works on: one project, one sidecar, one separate home. */
export interface Stage {
  readonly project: BenchProject;
  readonly sidecar: Serving;
  readonly env: Env;
  readonly launcher: string;
  /** A new stdio entry, started through the launcher and initialized. */
  client(): Promise<McpClient>;
}

export async function openStage(
  project: BenchProject,
  home: string,
  serveArgs: readonly string[] = [],
): Promise<Stage> {
  // At the default level the log's line for each call would go to the terminal too, and bury the table.
  const env = { DEVDB_LOG_LEVEL: 'error', ...process.env, DEVDB_HOME: home };
  const sidecar = await serve({ cli: CLI, projectRoot: project.root, env, args: ['--writes', 'deny', ...serveArgs] });
  const launcher = join(home, 'bin', 'devdb-mcp.cjs');
  const client = async () => {
    const opened = new McpClient({ command: process.execPath, args: [launcher], env });
    await opened.initialize('bench');
    return opened;
  };
  return { project, sidecar, env, launcher, client };
}

/** Calls a tool and returns its text; an error is thrown. */
export async function call(client: McpClient, tool: string, args: Record<string, unknown>): Promise<string> {
  const { isError, content } = resultSchema.parse(await client.callTool(tool, args));
  const text = content.map((part) => part.text).join('');
  if (isError === true) throw new Error(`${tool}: ${text.slice(0, 300)}`);
  return text;
}
