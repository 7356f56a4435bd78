import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { hasCode } from './error-code.ts';

/** Something else stands where a file is expected. The message is a reason, without the file's name. */
export class NotRegular extends Error {}

// A pipe or a device of that name must neither hold the process up nor fill its memory; a link leads elsewhere.
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * The bytes of a file at a path that somebody else chose; undefined when nothing is there. A link in the place of the
 * file is not followed, and what is no regular file or larger than `maxBytes` is not read.
 */
export function readRegularFile(file: string, maxBytes: number): Buffer | undefined {
  const descriptor = openToRead(file);
  if (descriptor === undefined) return undefined;
  try {
    const stats = fstatSync(descriptor);
    if (stats.isDirectory()) throw new NotRegular('it is a folder');
    if (!stats.isFile()) throw new NotRegular('it is not a regular file');
    if (stats.size > maxBytes) throw new NotRegular('it is too large');
    return readUpTo(descriptor, stats.size, maxBytes);
  } finally {
    closeSync(descriptor);
  }
}

function openToRead(file: string): number | undefined {
  try {
    return openSync(file, READ_FLAGS);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    if (hasCode(error, 'ELOOP', 'EMLINK')) throw new NotRegular('it is a link');
    // A socket.
    if (hasCode(error, 'ENXIO', 'EOPNOTSUPP')) throw new NotRegular('it is not a regular file');
    if (hasCode(error, 'EISDIR')) throw new NotRegular('it is a folder');
    throw error;
  }
}

/** One byte more than it had, since it may have grown, and files of the kernel say that they have none. */
function readUpTo(descriptor: number, size: number, maxBytes: number): Buffer {
  let bytes = Buffer.allocUnsafe(size + 1);
  for (let length = 0; ; ) {
    const count = readSync(descriptor, bytes, length, bytes.length - length, null);
    length += count;
    if (length > maxBytes) throw new NotRegular('it is too large');
    if (count === 0) return bytes.subarray(0, length);
    if (length === bytes.length) bytes = Buffer.concat([bytes], bytes.length * 2);
  }
}
