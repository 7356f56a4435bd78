import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findProgram } from '../../host/programs.ts';
import type { Machine, Server } from './clients.ts';
import { SERVER_NAME } from './merge-file.ts';

const CLAUDE_TIMEOUT_MS = 30_000;
const run = promisify(execFile);

/** Claude Code's own command where it is installed. */
export function claudeOnPath({ env, platform }: Machine): string | undefined {
  return findProgram('claude', env, platform);
}

/** The words after `claude` that add the server for all of the person's projects. */
export function claudeAddArgs({ command, args, env = {} }: Extract<Server, { kind: 'stdio' }>): string[] {
  const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  return ['mcp', 'add', '--scope', 'user', SERVER_NAME, ...variables, '--', command, ...args];
}

interface AddOptions extends Pick<Machine, 'env' | 'userHome'> {
  readonly replace: boolean;
  readonly signal: AbortSignal;
}

/** Adds the server with Claude Code's own command; `replace` takes away the entry that stands there first. */
export async function addWithClaude(
  claude: string,
  server: Extract<Server, { kind: 'stdio' }>,
  { replace, env, userHome, signal }: AddOptions,
): Promise<string | undefined> {
  // Not where DevDB stands: in a project Claude Code reads the project's settings, which can name programs.
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
