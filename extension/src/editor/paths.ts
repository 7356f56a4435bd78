import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '@devdb/shared/errors';
import { codeOf } from './error-code.ts';

/** A path in the project; it need not exist. */
export interface ProjectPath {
  /** With links resolved, except for the last part. */
  readonly absolute: string;
  /** Relative to the project's root, with slashes. */
  readonly relative: string;
}

/**
 * The path given by a file: URI, an absolute path or a path relative to the project's root. E_OUTSIDE_PROJECT when it
 * is not below the root, before or after resolving links.
 */
export function projectPath(root: string, given: string): ProjectPath {
  const lexical = resolve(root, pathOf(given));
  const real = realPath(lexical);
  const way = relative(root, real);
  if (way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) throw outside();
  return { absolute: real, relative: way.split(sep).join('/') };
}

/**
 * What a path leads to, through a link at its end too: what is read and written has to lie in the project itself, not
 * its name alone. E_FILE_NOT_FOUND where nothing is there.
 */
export function existingPath(root: string, given: string): ProjectPath {
  const { absolute, relative } = projectPath(root, given);
  const real = realOrMissing(absolute);
  if (real === undefined) throw cannotOpen(relative);
  return projectPath(root, real);
}

/** The same for a folder, which may be the root itself. */
export function existingFolder(root: string, given: string): ProjectPath {
  if (realOrMissing(root) === undefined) throw noProjectFolder();
  const isRoot = given === '/' || (!given.includes('\0') && resolve(root, given) === root);
  return isRoot ? { absolute: root, relative: '' } : existingPath(root, given);
}

/** What is said of a file that is not there, is no file, or may not be read. */
export function cannotOpen(file: string): AppError {
  return new AppError('E_FILE_NOT_FOUND', "file doesn't exist or can't be opened", {
    hint: 'Paths are relative to the project root. find_files_by_name_substring finds files by their names.',
    details: { path: file },
  });
}

function noProjectFolder(): AppError {
  return new AppError('E_FILE_NOT_FOUND', 'project dir not found', {
    hint: 'The folder was moved or deleted while it is open. Ask the user to open it again.',
  });
}

function realOrMissing(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // Nothing there, a link that leads nowhere or round in a circle, or a folder that may not be entered.
    return undefined;
  }
}

/** A file's path as shown in answers: relative to the root, or absolute when it is elsewhere. */
export function shownPath(root: string, file: string): string {
  try {
    return projectPath(root, file).relative;
  } catch (error) {
    if (error instanceof AppError) return file;
    throw error;
  }
}

/**
 * A real path in the editor's spelling: it may have opened the project's folder through a link, and then knows a file's
 * settings and language servers under that path.
 */
export function editorPath(path: string, folders: readonly string[]): string {
  for (const folder of folders) {
    const real = realFolder(folder);
    if (real === undefined || real === folder) continue;
    const way = relative(real, path);
    if (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)) return join(folder, way);
  }
  return path;
}

function realFolder(folder: string): string | undefined {
  try {
    return realpathSync(folder);
  } catch {
    // It was deleted while open, so it holds nothing of the project.
    return undefined;
  }
}

function pathOf(given: string): string {
  if (given.includes('\0')) throw outside();
  const scheme = /^([a-z][a-z\d+.-]+):/i.exec(given)?.[1]?.toLowerCase();
  if (scheme === 'file') return pathOfUri(given);
  if (scheme !== undefined && given.startsWith('//', scheme.length + 1)) throw outside();
  return given;
}

function pathOfUri(given: string): string {
  try {
    return fileURLToPath(given);
  } catch {
    // Malformed, or on another machine.
    throw outside();
  }
}

/** Resolves links as far as the path exists, except in the last part, since a link itself may be renamed. */
function realPath(path: string): string {
  let folder = dirname(path);
  const rest = [basename(path)];
  for (;;) {
    try {
      return join(realpathSync(folder), ...rest);
    } catch (error) {
      // A dangling link may later point outside.
      if (!isMissing(error) || isLink(folder)) throw outside();
    }
    if (folder === dirname(folder)) return path;
    rest.unshift(basename(folder));
    folder = dirname(folder);
  }
}

/** A path below a file does not exist either. */
function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

function outside(): AppError {
  return new AppError('E_OUTSIDE_PROJECT', 'path is outside project directory', {
    hint: 'Name a file below the project root: a file: URI, an absolute path, or a path from the root.',
  });
}
