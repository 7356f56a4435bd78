import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { devNull } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { GIT_TIMEOUT_MS } from '@devdb/shared/limits';
import { canonicalRoot } from '../registry/project-root.ts';

/** What Git thinks of a file. */
export type GitFacts =
  /** In no working tree. */
  | { readonly kind: 'none' }
  /** In one, but Git is not there or does not answer: nobody knows whether it is tracked. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'tracked' }
  | {
      readonly kind: 'untracked';
      readonly ignored: boolean;
      /** The exclude file that holds for this working tree, and the line that names the file in it. */
      readonly exclude: { readonly file: string; readonly line: string } | undefined;
    };

export interface GitOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** After this a Git that has not answered does not count; GIT_TIMEOUT_MS by default. */
  readonly timeoutMs?: number;
}

/** They would make Git look at another repository than the file's. */
const REPOSITORY_VARIABLES = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_COMMON_DIR',
  'GIT_OBJECT_DIRECTORY',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
];

/** Asks Git about a file, which need not exist. Nothing of the repository is run or changed. Rejects only on abort. */
export async function gitFacts(file: string, options: GitOptions): Promise<GitFacts> {
  const folder = dirname(file);
  if (!isInWorkingTree(folder)) return { kind: 'none' };
  const where = await git(folder, ['rev-parse', '--is-inside-work-tree'], options);
  if (where.code !== 0) return { kind: 'unknown' };
  // The inside of a repository's own folder.
  if (where.stdout.trim() !== 'true') return { kind: 'none' };
  const name = basename(file);
  const [tracked, ignored, prefix, excludeFile] = await Promise.all([
    git(folder, ['--literal-pathspecs', 'ls-files', '--error-unmatch', '--', name], options),
    isIgnored(file, options),
    git(folder, ['rev-parse', '--show-prefix'], options),
    git(folder, ['rev-parse', '--git-path', 'info/exclude'], options),
  ]);
  if (tracked.code === 0) return { kind: 'tracked' };
  if (tracked.code !== 1) return { kind: 'unknown' };
  const line = prefix.code === 0 ? ignoreLine(withoutLineEnd(prefix.stdout) + name) : undefined;
  const path = excludeFile.code === 0 ? withoutLineEnd(excludeFile.stdout) : '';
  const exclude = line === undefined || path === '' ? undefined : { file: resolve(folder, path), line };
  return { kind: 'untracked', ignored, exclude };
}

/** Whether Git leaves the file out by itself. */
export async function isIgnored(file: string, options: GitOptions): Promise<boolean> {
  // It knows no literal names; with the dot none begins like a pattern of another kind.
  return (await git(dirname(file), ['check-ignore', '-q', '--', `./${basename(file)}`], options)).code === 0;
}

/** The folder of the repository's first working tree; undefined where there is none. */
export async function mainWorkTree(folder: string, options: GitOptions): Promise<string | undefined> {
  if (!isInWorkingTree(folder)) return undefined;
  const { code, stdout } = await git(folder, ['rev-parse', '--git-common-dir'], options);
  const common = resolve(folder, withoutLineEnd(stdout));
  if (code !== 0 || basename(common) !== '.git') return undefined;
  const found = canonicalRoot(dirname(common));
  return found.ok ? found.root : undefined;
}

/** Whether a folder lies in something that Git may know. */
export function isInWorkingTree(start: string): boolean {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return true;
    if (folder === dirname(folder)) return false;
  }
}

interface GitAnswer {
  /** Undefined when it could not be run, or not to its end. */
  readonly code: number | undefined;
  readonly stdout: string;
}

function git(folder: string, args: readonly string[], options: GitOptions): Promise<GitAnswer> {
  const { env, signal, timeoutMs = GIT_TIMEOUT_MS } = options;
  const quiet = ['-c', 'core.fsmonitor=false', '-c', `core.hooksPath=${devNull}`, '--no-pager'];
  return new Promise((done, fail) => {
    execFile(
      'git',
      [...quiet, ...args],
      { cwd: folder, env: gitEnvironment(env), signal, timeout: timeoutMs, windowsHide: true },
      (error, stdout) => {
        if (signal.aborted) fail(signal.reason);
        else if (error === null) done({ code: 0, stdout });
        else done({ code: typeof error.code === 'number' ? error.code : undefined, stdout });
      },
    );
  });
}

function gitEnvironment(env: GitOptions['env']): Record<string, string | undefined> {
  const kept = Object.entries(env).filter(([name]) => !REPOSITORY_VARIABLES.includes(name));
  return {
    ...Object.fromEntries(kept),
    // No index is refreshed on the way, and nobody is asked.
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  };
}

function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '');
}

/** The path from the top of the working tree as a line of an exclude file; undefined where none can name it. */
function ignoreLine(path: string): string | undefined {
  if (/[\r\n]/.test(path)) return undefined;
  return `/${path.replace(/[\\*?[]/g, '\\$&').replace(/ $/, '\\ ')}`;
}
