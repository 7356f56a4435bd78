import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '@devdb/shared/errors';
import { codeOf } from './error-code.ts';

/** A place in the project. It need not exist. */
export interface ProjectPath {
  /** Through links, except for the last part. */
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

/** How a file that the editor names is called in answers: from the root, or whole where it lies elsewhere. */
export function shownPath(root: string, file: string): string {
  try {
    return projectPath(root, file).relative;
  } catch (error) {
    if (error instanceof AppError) return file;
    throw error;
  }
}

/**
 * A real path as the editor names it: it may have opened the project's folder by way of a link, and knows the settings
 * and the language servers of a file by the name of its folder.
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
    // It was deleted while it is open: nothing of the project lies there.
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

/** Through links as far as the path exists; the last part is taken as it is, since a link itself may be renamed. */
function realPath(path: string): string {
  let folder = dirname(path);
  const rest = [basename(path)];
  for (;;) {
    try {
      return join(realpathSync(folder), ...rest);
    } catch (error) {
      // A link that leads nowhere yet may lead out later.
      if (!isMissing(error) || isLink(folder)) throw outside();
    }
    if (folder === dirname(folder)) return path;
    rest.unshift(basename(folder));
    folder = dirname(folder);
  }
}

/** Below a file there is nothing either. */
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
