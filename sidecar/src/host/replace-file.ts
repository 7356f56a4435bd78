import { isUtf8 } from 'node:buffer';
import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hasCode } from './error-code.ts';
import { atomicWrite } from './files.ts';
import { readForeignSync, UnfitFile } from './foreign-file.ts';
import { isInside } from './inside.ts';

/** The file is not to be written: its mode says so, or it is no text. The message is a reason, without the file. */
export class NotReplaceable extends Error {}

// Claude Code's own file has been seen with some megabytes.
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Where the bytes of a file lie, or would lie; or why it must not be written. */
export type Target = { readonly file: string } | { readonly file: undefined; readonly reason: string };

/** Follows a link in the place of a file, but out of none of these folders: nobody asked to change other files. */
export function targetWithin(folders: readonly string[], path: string): Target {
  const there = join(realFolder(dirname(path)), basename(path));
  if (!isLink(there)) return { file: there };
  const file = realPathOf(there);
  if (file === undefined) return { file, reason: 'it is a link to a missing file' };
  if (folders.some((folder) => isInside(realFolder(folder), file))) return { file };
  return { file: undefined, reason: `it is a link that leads out of ${folders[0]}` };
}

/** Whether the path itself is a link. */
export function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** Whether a path that was free of links still is, so that writing there changes no file elsewhere. */
export function isFreeOfLinks(file: string): boolean {
  return !isLink(file) && realFolder(dirname(file)) === dirname(file);
}

/**
 * The whole text of somebody's file, undefined when there is none. Bytes that are no text are not guessed at, and no
 * link is followed: the caller has done that, and what became one meanwhile leads elsewhere.
 */
export function readExactly(file: string, maxBytes = MAX_FILE_BYTES): string | undefined {
  const bytes = readBytes(file, maxBytes);
  if (bytes === undefined) return undefined;
  if (!isUtf8(bytes)) throw new NotReplaceable('it is not UTF-8 text');
  return bytes.toString('utf8');
}

function readBytes(file: string, maxBytes: number): Buffer | undefined {
  try {
    return readForeignSync(file, maxBytes, 'not through a link');
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    if (error instanceof UnfitFile) throw new NotReplaceable(`it ${error.message}`);
    throw error;
  }
}

export interface ReplaceOptions {
  /** Of a file that was not there. */
  readonly newMode: number;
  /** In place of the mode that the file has. */
  readonly mode?: number | undefined;
  readonly maskMode?: number;
}

/**
 * Replaces a file that others write too, if it still holds `before`, and says whether it did. Mode and owner stay. The
 * path is free of links: the new text takes the place of whatever has that name, and is written through no link.
 */
export function replaceIfSame(
  file: string,
  before: string | undefined,
  after: string,
  { newMode, mode, maskMode = 0o7777 }: ReplaceOptions,
): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  // The rename would not ask: it needs the folder's permission alone.
  if (stats !== undefined && (stats.mode & 0o222) === 0) throw new NotReplaceable('it is read-only');
  const onlyIf = () => {
    if (!isFreeOfLinks(file)) throw new NotReplaceable('a link took its place');
    return readExactly(file) === before;
  };
  return atomicWrite(file, after, {
    mode: (mode ?? stats?.mode ?? newMode) & maskMode,
    exactMode: stats !== undefined,
    onlyIf,
    // Who runs as root in a container must not take a file away from its owner.
    ...(stats !== undefined && process.getuid?.() === 0 && { owner: stats }),
  });
}

/** The folder without links, also when it has yet to be made. */
function realFolder(folder: string): string {
  const real = realPathOf(folder);
  if (real !== undefined || dirname(folder) === folder) return real ?? folder;
  return join(realFolder(dirname(folder)), basename(folder));
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return undefined;
    throw error;
  }
}
