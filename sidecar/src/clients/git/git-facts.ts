import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { isIgnoredIn } from './ignored.ts';
import { isListed } from './index-file.ts';
import { findRepository } from './repository.ts';
import { Undecided } from './undecided.ts';

/** What Git thinks of a file. */
export type GitFacts =
  /** In no working tree. */
  | { readonly kind: 'none' }
  /** In one, but what Git would say cannot be told from its files. */
  | { readonly kind: 'unknown'; readonly why: string }
  | { readonly kind: 'tracked' }
  | {
      readonly kind: 'untracked';
      /** Left out by the rules of the repository, for certain. */
      readonly ignored: boolean;
      /** The exclude file that holds for this working tree, and the line that names the file in it. */
      readonly exclude: { readonly file: string; readonly line: string } | undefined;
    };

/**
 * What Git thinks of a file, which need not exist. Git itself is not started: in a folder that looks like a repository
 * its settings name programs, and its answer to a harmless question may run them.
 */
export function gitFacts(path: string): GitFacts {
  try {
    const repository = findRepository(dirname(path));
    if (repository === undefined) return { kind: 'none' };
    const name = relative(repository.workTree, path).split(sep).join('/');
    if (isListed(repository, name)) return { kind: 'tracked' };
    const line = ignoreLine(name);
    const file = join(repository.commonDir, 'info', 'exclude');
    const exclude = line === undefined ? undefined : { file, line };
    return { kind: 'untracked', ignored: isIgnoredIn(repository, name), exclude };
  } catch (error) {
    if (error instanceof Undecided) return { kind: 'unknown', why: error.message };
    throw error;
  }
}

/** The folder of the repository's first working tree; undefined where there is none. */
export function mainWorkTree(folder: string): string | undefined {
  try {
    const repository = findRepository(folder);
    const isUsual = repository !== undefined && basename(repository.commonDir) === '.git';
    return isUsual ? dirname(repository.commonDir) : undefined;
  } catch (error) {
    if (error instanceof Undecided) return undefined;
    throw error;
  }
}

/** Whether a folder lies in something that Git may know. */
export function isInWorkingTree(start: string): boolean {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return true;
    if (folder === dirname(folder)) return false;
  }
}

/** The path from the top of the working tree as a line of an exclude file; undefined where none can name it. */
function ignoreLine(path: string): string | undefined {
  if (/[\r\n]/.test(path)) return undefined;
  return `/${path.replace(/[\\*?[]/g, '\\$&').replace(/ $/, '\\ ')}`;
}
