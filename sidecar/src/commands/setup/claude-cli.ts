import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { Machine, Server } from './clients.ts';
import { SERVER_NAME } from './merge-file.ts';

const CLAUDE_TIMEOUT_MS = 30_000;
const run = promisify(execFile);

/** Claude Code's own command where it is installed. A batch file cannot be run without a shell, so it does not count. */
export function claudeOnPath({ env, platform }: Machine): string | undefined {
  const name = platform === 'win32' ? 'claude.exe' : 'claude';
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

/** The words after `claude` that add the server for all of the person's projects. */
export function claudeAddArgs({ command, args, env = {} }: Extract<Server, { kind: 'stdio' }>): string[] {
  const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  return ['mcp', 'add', '--scope', 'user', SERVER_NAME, ...variables, '--', command, ...args];
}

/** Adds the server with Claude Code's own command; `replace` takes away the entry that stands there first. */
export async function addWithClaude(
  claude: string,
  server: Extract<Server, { kind: 'stdio' }>,
  { replace, env, signal }: { replace: boolean; env: Machine['env']; signal: AbortSignal },
): Promise<string | undefined> {
  const options = { env, signal, timeout: CLAUDE_TIMEOUT_MS };
  try {
    if (replace) await run(claude, ['mcp', 'remove', '--scope', 'user', SERVER_NAME], options);
    await run(claude, claudeAddArgs(server), options);
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    const said = typeof error === 'object' && error !== null && 'stderr' in error ? String(error.stderr).trim() : '';
    return said === '' ? 'claude mcp add failed.' : `claude mcp add failed: ${said}`;
  }
}
