import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { LEAST_NODE_FOR_STDIO, nodeProblem } from '../../host/node-version.ts';
import { findProgram } from '../../host/programs.ts';

/** How to start the launcher on this machine. */
export interface NodeCommand {
  readonly command: string;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

export interface RunningNode {
  readonly execPath: string;
  /** Whether that is an editor's binary, which runs as Node only with a variable set. */
  readonly isElectron: boolean;
}

const VERSION_TIMEOUT_MS = 5_000;
const run = promisify(execFile);

/**
 * `node` from PATH where it exists and is new enough, because it outlives updates of the editor. Otherwise the one
 * running now.
 */
export async function fitNode(
  env: Readonly<Record<string, string | undefined>>,
  { execPath, isElectron }: RunningNode,
  signal: AbortSignal,
): Promise<NodeCommand> {
  const version = await versionOnPath(env, signal);
  if (version !== undefined && nodeProblem(version, LEAST_NODE_FOR_STDIO, 'DevDB') === undefined)
    return { command: 'node' };
  return { command: execPath, env: isElectron ? { ELECTRON_RUN_AS_NODE: '1' } : undefined };
}

async function versionOnPath(env: Readonly<Record<string, string | undefined>>, signal: AbortSignal) {
  try {
    const node = findProgram('node', env);
    if (node === undefined) return undefined;
    // In its own folder: a version manager's shim would read the settings of the project in the working directory.
    const options = { env, signal, timeout: VERSION_TIMEOUT_MS, cwd: dirname(node) };
    const { stdout } = await run(node, ['--version'], options);
    return /^v\d+\.\d+\.\d+/.exec(stdout)?.[0];
  } catch {
    signal.throwIfAborted();
    // It does not report its version.
    return undefined;
  }
}
