import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, realpath, rm, rmdir } from 'node:fs/promises';
import { dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AppError } from '@devdb/shared/errors';
import { codeOf, hasCode } from './error-code.ts';

/** The disk, the user's share of it or the length of a file is used up. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** A file of ours that is being written: kept by close, gone without a trace by discard. */
export interface NewFile {
  /** From the project's root, with forward slashes. */
  readonly relativePath: string;
  append(chunk: Buffer): Promise<void>;
  close(): Promise<void>;
  discard(): Promise<void>;
}

/**
 * Makes a file that did not exist, inside the project by real path: no link is followed, nothing is overwritten, and
 * names that begin with a dot (settings, hooks, environment files) are refused.
 */
export async function createNewFile(projectRoot: string, path: string, ending: string): Promise<NewFile> {
  if (path.includes('\0')) {
    throw new AppError('E_INVALID_PARAMS', 'path has a NUL character.', {
      hint: 'Give a path without it, e.g. exports/rows.csv.',
    });
  }
  const root = await realpath(projectRoot);
  const wanted = isAbsolute(path) ? resolve(path) : resolve(root, path);
  const inside = relative(root, await throughExistingFolders(wanted));
  checkName(path, inside, ending);
  const file = join(root, inside);
  const madeFolder = await makeFolder(dirname(file), path);
  const handle = await openNew(file, path);
  try {
    // A folder may have been swapped for a link between the check and the open: look where the file really is.
    const [real, mine, there] = [await realpath(file), await handle.stat(), await lstat(file)];
    if (real !== file || !sameFile(mine, there)) throw outside(path);
  } catch (error) {
    await handle.close();
    await rm(file, { force: true });
    throw error;
  }
  return {
    relativePath: inside.split(sep).join('/'),
    append: (chunk) => writeAll(handle, chunk, path),
    close: () => handle.close(),
    discard: async () => {
      await handle.close();
      await rm(file, { force: true });
      if (madeFolder !== undefined) await removeEmptyFolders(dirname(file), madeFolder);
    },
  };
}

/** The path with its nearest existing folder resolved to where it really is. */
async function throughExistingFolders(path: string): Promise<string> {
  const folder = dirname(path);
  if (folder === path) return path;
  try {
    return join(await realpath(folder), path.slice(folder.length));
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw notWritable(path, error);
    // A dangling link looks absent to realpath, and mkdir would follow it.
    if (await exists(folder)) throw outside(path);
    return join(await throughExistingFolders(folder), path.slice(folder.length));
  }
}

function checkName(path: string, inside: string, ending: string): void {
  if (inside === '' || isAbsolute(inside) || inside.split(sep)[0] === '..') throw outside(path);
  if (inside.split(sep).some((part) => part.startsWith('.'))) {
    throw new AppError('E_OUTSIDE_PROJECT', `path may not go through a name that begins with a dot: ${path}`, {
      hint: 'Choose an ordinary folder and file name, e.g. exports/rows.csv.',
    });
  }
  if (extname(inside).toLowerCase() !== ending) {
    throw new AppError('E_INVALID_PARAMS', `path must end with ${ending} for this format: ${path}`, {
      hint: `Give a path such as exports/rows${ending}.`,
    });
  }
}

/** The outermost folder that had to be made, if any. */
async function makeFolder(folder: string, path: string): Promise<string | undefined> {
  try {
    return await mkdir(folder, { recursive: true });
  } catch (error) {
    throw notWritable(path, error);
  }
}

async function openNew(file: string, path: string): Promise<FileHandle> {
  // O_NOFOLLOW does not exist on Windows, where O_EXCL alone refuses a link that is there.
  const noFollow = constants.O_NOFOLLOW ?? 0;
  try {
    return await open(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow, 0o644);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) {
      throw new AppError('E_INVALID_PARAMS', `path exists already: ${path}`, {
        hint: 'Choose a name that does not exist; nothing is ever overwritten.',
      });
    }
    throw notWritable(path, error);
  }
}

async function writeAll(handle: FileHandle, chunk: Buffer, path: string): Promise<void> {
  try {
    for (let done = 0; done < chunk.byteLength; ) {
      const { bytesWritten } = await handle.write(chunk, done, chunk.byteLength - done);
      done += bytesWritten;
    }
  } catch (error) {
    throw notWritable(path, error);
  }
}

async function removeEmptyFolders(from: string, upTo: string): Promise<void> {
  for (let folder = from; folder.startsWith(upTo); folder = dirname(folder)) {
    try {
      await rmdir(folder);
    } catch (error) {
      // Somebody else put something into it meanwhile: it stays.
      if (hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) return;
      throw error;
    }
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

function sameFile(a: Stats, b: Stats): boolean {
  return a.ino === b.ino && a.dev === b.dev;
}

function outside(path: string): AppError {
  return new AppError('E_OUTSIDE_PROJECT', `path is outside project directory: ${path}`, {
    hint: 'Give a path below the project root, e.g. exports/rows.csv.',
  });
}

function notWritable(path: string, error: unknown): AppError {
  const reason = codeOf(error, 'unknown reason');
  const isFull = FULL.has(reason);
  return new AppError('E_INVALID_PARAMS', `path cannot be written (${reason}): ${path}`, {
    hint: isFull
      ? 'There is no room left for the file, which was removed. Free space on that disk, or export fewer rows.'
      : 'Choose a folder that exists or can be made, and that you may write to.',
    cause: error,
  });
}
