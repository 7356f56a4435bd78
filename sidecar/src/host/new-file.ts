import type { Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, realpath, rm, rmdir } from 'node:fs/promises';
import { dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AppError } from '@devdb/shared/errors';
import { codeOf, hasCode } from './error-code.ts';
import { type FileBeside, giveName, openBeside } from './file-beside.ts';

/** The disk, the user's quota or the maximum file size is used up. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** A file of ours being written: close gives it its name, discard leaves no trace of it. */
export interface NewFile {
  /** Relative to the project's root, with forward slashes. */
  readonly relativePath: string;
  append(chunk: Buffer): Promise<void>;
  close(): Promise<void>;
  discard(): Promise<void>;
}

/**
 * Makes a new file inside the project by real path: no link is followed, nothing is overwritten, and names that begin
 * with a dot (settings, hooks, environment files) are refused. Until it is complete the file has a temporary name, so
 * that a part is never taken for the whole, however this process ends.
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
  const beside = await openFor(file, path);
  const drop = async () => {
    const ours = await isInside(beside);
    await beside.handle.close();
    if (ours) await rm(beside.path, { force: true });
  };
  try {
    await mustBeInside(beside, path);
  } catch (error) {
    await drop();
    throw error;
  }
  return {
    relativePath: inside.split(sep).join('/'),
    append: (chunk) => writeAll(beside.handle, chunk, path),
    close: () => publish(beside, file, path),
    discard: async () => {
      await drop();
      if (madeFolder !== undefined) await removeEmptyFolders(dirname(file), madeFolder);
    },
  };
}

async function openFor(file: string, path: string): Promise<FileBeside> {
  if (await exists(file)) throw existsAlready(path);
  try {
    return await openBeside(file);
  } catch (error) {
    throw notWritable(path, error);
  }
}

async function mustBeInside(beside: FileBeside, wanted: string): Promise<void> {
  if (!(await isInside(beside))) throw outside(wanted);
}

/** A folder may be swapped for a link between a check and its use, so check where the opened file really is. */
async function isInside({ path, handle }: FileBeside): Promise<boolean> {
  try {
    const [real, mine, there] = [await realpath(path), await handle.stat(), await lstat(path)];
    return real === path && sameFile(mine, there);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return false;
    throw error;
  }
}

/** From here on the file has its name and is complete. */
async function publish(beside: FileBeside, file: string, path: string): Promise<void> {
  try {
    await mustBeInside(beside, path);
    // On disk before it gets its name: a crash of the machine must not leave half a file either.
    await beside.handle.sync();
    await giveName(beside, file);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw hasCode(error, 'EEXIST') ? existsAlready(path) : notWritable(path, error);
  }
  await beside.handle.close();
}

/** The path with its nearest existing folder resolved to its real path. */
async function throughExistingFolders(path: string): Promise<string> {
  const folder = dirname(path);
  if (folder === path) return path;
  try {
    return join(await realpath(folder), path.slice(folder.length));
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw notWritable(path, error);
    // realpath reports a dangling link as missing, and mkdir would follow it.
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
      // Another program has put something into it meanwhile, so it stays.
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

function existsAlready(path: string): AppError {
  return new AppError('E_INVALID_PARAMS', `path exists already: ${path}`, {
    hint: 'Choose a name that does not exist; nothing is ever overwritten.',
  });
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
      ? 'The disk is full and the file was removed. Free space on that disk, or export fewer rows.'
      : 'Choose a folder that exists or can be created, and that you can write to.',
    cause: error,
  });
}
