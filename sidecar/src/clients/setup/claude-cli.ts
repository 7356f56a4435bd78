import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findProgram } from '../../host/programs.ts';
import type { Machine, Server } from './clients.ts';
import { SERVER_NAME } from './merge-file.ts';

const CLAUDE_TIMEOUT_MS = 30_000;
const run = promisify(execFile);

/** The path of the `claude` command; undefined where it is not installed. */
export function claudeOnPath({ env, platform }: Machine): string | undefined {
  return findProgram('claude', env, platform);
}

/** The arguments of `claude` that add the server for all the user's projects. */
export function claudeAddArgs({ command, args, env = {} }: Extract<Server, { kind: 'stdio' }>): string[] {
  const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  return ['mcp', 'add', '--scope', 'user', SERVER_NAME, ...variables, '--', command, ...args];
}

interface AddOptions extends Pick<Machine, 'env' | 'userHome'> {
  readonly replace: boolean;
  readonly signal: AbortSignal;
}

/** Adds the server with the `claude` command; `replace` first removes the existing entry. */
export async function addWithClaude(
  claude: string,
  server: Extract<Server, { kind: 'stdio' }>,
  { replace, env, userHome, signal }: AddOptions,
): Promise<string | undefined> {
  // Not in the working directory: inside a project, Claude Code reads its settings, which can name programs.
  const options = { env, signal, timeout: CLAUDE_TIMEOUT_MS, cwd: userHome };
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
