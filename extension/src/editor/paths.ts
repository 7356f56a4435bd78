import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '@devdb/shared/errors';

/** A place in the project. It need not exist. */
export interface ProjectPath {
  readonly absolute: string;
  /** From the project's root, with slashes. */
  readonly relative: string;
}

/**
 * The place that a file: URI, an absolute path or a path from the project's root names. E_OUTSIDE_PROJECT where it, or
 * what it leads to through links, is not below the root.
 */
export function projectPath(root: string, given: string): ProjectPath {
  const lexical = resolve(root, pathOf(given));
  const real = realPath(lexical);
  const way = relative(root, real);
  if (way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) throw outside();
  return { absolute: real, relative: way.split(sep).join('/') };
}

/** The same for a file that is known to lie there; undefined for any other. */
export function relativeInProject(root: string, file: string): string | undefined {
  try {
    return projectPath(root, file).relative;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

function pathOf(given: string): string {
  if (given.includes('\0')) throw outside();
  const scheme = /^([a-z][a-z\d+.-]+):\/\//i.exec(given)?.[1]?.toLowerCase();
  if (scheme === undefined) return given;
  if (scheme !== 'file') throw outside();
  try {
    return fileURLToPath(given);
  } catch {
    // Malformed, or on another machine.
    throw outside();
  }
}

/** Through links as far as the path exists; the last part is taken as it is, since a link itself may be renamed. */
function realPath(path: string): string {
  let folder = dirname(path);
  const rest = [basename(path)];
  for (;;) {
    try {
      return join(realpathSync(folder), ...rest);
    } catch (error) {
      if (!isMissing(error)) throw outside();
    }
    if (folder === dirname(folder)) return path;
    rest.unshift(basename(folder));
    folder = dirname(folder);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function outside(): AppError {
  return new AppError('E_OUTSIDE_PROJECT', 'path is outside project directory', {
    hint: 'Name a file below the project root: a file: URI, an absolute path, or a path from the root.',
  });
}
