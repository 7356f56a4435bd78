import { isUtf8 } from 'node:buffer';
import { chownSync, lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { hasCode } from './error-code.ts';
import { atomicWrite } from './files.ts';
import { readForeignSync, UnfitFile } from './foreign-file.ts';
import { MAX_FILE_BYTES } from './read-file.ts';

/** The file is not to be written: its mode says so, or it is no text. The message is a reason, without the file. */
export class NotReplaceable extends Error {}

/** Where the bytes really lie; undefined for a link into nothing. */
export function targetOf(path: string): string | undefined {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return path;
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  return realpathSync(path);
}

/** Whether the path itself is a link. */
export function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** The whole text of somebody's file, undefined when there is none. Bytes that are no text are not guessed at. */
export function readExactly(file: string): string | undefined {
  let bytes: Buffer;
  try {
    bytes = readForeignSync(file, MAX_FILE_BYTES);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    if (error instanceof UnfitFile) throw new NotReplaceable(`it ${error.message}`);
    throw error;
  }
  if (!isUtf8(bytes)) throw new NotReplaceable('it is not UTF-8 text');
  return bytes.toString('utf8');
}

/**
 * Replaces a file that others write too, if it still holds `before`, and says whether it did. Mode and owner stay; a
 * new file gets `newMode`.
 */
export function replaceIfSame(
  file: string,
  before: string | undefined,
  after: string,
  { newMode, maskMode = 0o7777 }: { readonly newMode: number; readonly maskMode?: number },
): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  // The rename would not ask: it needs the folder's permission alone.
  if (stats !== undefined && (stats.mode & 0o222) === 0) throw new NotReplaceable('it is read-only');
  const mode = (stats === undefined ? newMode : stats.mode) & maskMode;
  const onlyIf = () => readExactly(file) === before;
  const written = atomicWrite(file, after, { mode, exactMode: stats !== undefined, onlyIf });
  if (written && stats !== undefined) keepOwner(file, stats);
  return written;
}

/** Who runs as root in a container must not take a file away from its owner. */
function keepOwner(file: string, { uid, gid }: Stats): void {
  if (process.getuid?.() !== 0 || (uid === 0 && gid === 0)) return;
  chownSync(file, uid, gid);
}
