import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { isIgnoredIn } from './ignored.ts';
import { isListed } from './index-file.ts';
import { findRepository } from './repository.ts';
import { Undecided } from './undecided.ts';

/** A file's state in Git. */
export type GitFacts =
  /** In no working tree. */
  | { readonly kind: 'none' }
  /** In one, but Git's answer cannot be derived from its files. */
  | { readonly kind: 'unknown'; readonly why: string }
  | { readonly kind: 'tracked' }
  | {
      readonly kind: 'untracked';
      /** Certainly ignored by the repository's rules. */
      readonly ignored: boolean;
      /** The exclude file of this working tree, and the line in it that names the file. */
      readonly exclude: { readonly file: string; readonly line: string } | undefined;
    };

/**
 * A file's state in Git; the file need not exist. Git itself is not started: in a folder that looks like a repository,
 * settings can name programs, and even a harmless question may run them.
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

/** The folder of the repository's main working tree; undefined where there is none. */
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

/** Whether a folder is inside something that may be a Git repository. */
export function isInWorkingTree(start: string): boolean {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return true;
    if (folder === dirname(folder)) return false;
  }
}

/** The path from the top of the working tree as a line of an exclude file; undefined where no line can name it. */
function ignoreLine(path: string): string | undefined {
  if (/[\r\n]/.test(path)) return undefined;
  return `/${path.replace(/[\\*?[]/g, '\\$&').replace(/ $/, '\\ ')}`;
}
