import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { AppError } from '@devdb/shared/errors';
import { cannotOpen, type ProjectPath } from './paths.ts';

/** Without waiting for a pipe's other end, without following what has become a link meanwhile. */
const FLAGS =
  constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0) | (constants.O_NOCTTY ?? 0);
const CHUNK_BYTES = 256 * 1024;

/**
 * The bytes of a regular file of the project, at most so many. A repository may hold pipes and devices under any name,
 * and a file that grows while it is read.
 */
export async function readProjectFile(
  { absolute, relative }: ProjectPath,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const file = await opened(absolute, relative);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw cannotOpen(relative);
    if (stats.size > maxBytes) throw tooLarge(relative, maxBytes);
    return await contentOf(file, { relative, size: stats.size, maxBytes, signal });
  } finally {
    await file.close();
  }
}

async function opened(absolute: string, relative: string): Promise<FileHandle> {
  try {
    // Opening some devices does something already.
    if (!(await lstat(absolute)).isFile()) throw cannotOpen(relative);
    return await open(absolute, FLAGS);
  } catch (error) {
    throw error instanceof AppError ? error : cannotOpen(relative);
  }
}

interface Reading {
  readonly relative: string;
  readonly size: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

async function contentOf(file: FileHandle, { relative, size, maxBytes, signal }: Reading): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    signal.throwIfAborted();
    // One byte more than is left tells that there is no more.
    const room = Buffer.allocUnsafe(Math.max(size - bytes + 1, CHUNK_BYTES));
    const { bytesRead } = await file.read(room, 0, room.length, null);
    bytes += bytesRead;
    if (bytes > maxBytes) throw tooLarge(relative, maxBytes);
    if (bytesRead === 0) return Buffer.concat(chunks, bytes);
    chunks.push(room.subarray(0, bytesRead));
  }
}

function tooLarge(file: string, maxBytes: number): AppError {
  return new AppError('E_FILE_TOO_LARGE', `${file} is larger than ${maxBytes / 1024 / 1024} MiB.`, {
    hint: 'search_in_files_content looks into files of any size; read such a file outside the editor.',
  });
}
