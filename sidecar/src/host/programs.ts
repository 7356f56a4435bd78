import { accessSync, constants, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The full path of a program on PATH; undefined when it is not there. Programs are started by full path, since a system
 * that searches for a name may look into the working directory first, which can be anybody's repository.
 */
export function findProgram(
  name: string,
  env: Environment,
  platform = process.platform,
  isThere = isProgram,
): string | undefined {
  const { join } = platform === 'win32' ? win32 : posix;
  // A batch file cannot be run without a shell.
  const file = platform === 'win32' && !/\.(exe|com)$/i.test(name) ? `${name}.exe` : name;
  return knownFolders(pathOf(env, platform), platform)
    .map((folder) => join(folder, file))
    .find(isThere);
}

/**
 * Removes from the process's environment what would make its children run a project's files: relative folders on PATH,
 * packages installed in a project, options for another Node.
 */
export function forgetProjectPrograms(env: Record<string, string | undefined>, platform = process.platform): void {
  delete env['NODE_OPTIONS'];
  const { delimiter } = platform === 'win32' ? win32 : posix;
  const path = pathOf(env, platform);
  if (path !== undefined) env[pathName(env, platform)] = knownFolders(path, platform).join(delimiter);
  if (platform === 'win32') env['NoDefaultCurrentDirectoryInExePath'] = '1';
}

function knownFolders(path: string | undefined, platform: NodeJS.Platform): string[] {
  const { delimiter, isAbsolute } = platform === 'win32' ? win32 : posix;
  return (path ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder));
}

function pathOf(env: Environment, platform: NodeJS.Platform): string | undefined {
  return env[pathName(env, platform)];
}

/** Windows treats `Path` and `PATH` as the same; a copy of its environment does not. */
function pathName(env: Environment, platform: NodeJS.Platform): string {
  if (platform !== 'win32') return 'PATH';
  return Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
