import { isUtf8 } from 'node:buffer';
import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hasCode } from './error-code.ts';
import { atomicWrite } from './files.ts';
import { readForeignSync, UnfitFile } from './foreign-file.ts';
import { isInside } from './inside.ts';

/**
 * The file must not be written: its mode forbids it, or it is not text. The message is the reason, without the file's
 * name.
 */
export class NotReplaceable extends Error {}

// Claude Code's own file can reach several megabytes.
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** The file that holds a path's bytes, or would; or why it must not be written. */
export type Target = { readonly file: string } | { readonly file: undefined; readonly reason: string };

/** Follows a link at a file's path, but not out of these folders: files elsewhere are not ours to change. */
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
 * The whole text of a file that is not ours, undefined when there is none. Invalid UTF-8 is refused, and no link is
 * followed: the caller has already resolved links, and a new one leads elsewhere.
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
  /** The mode of a file that did not exist. */
  readonly newMode: number;
  /** Replaces the file's own mode. */
  readonly mode?: number | undefined;
  readonly maskMode?: number;
}

/**
 * Replaces a file that others write too, if it still holds `before`, and returns whether it did. Mode and owner stay.
 * The path is free of links: the new text replaces whatever has that name and is not written through a link.
 */
export function replaceIfSame(
  file: string,
  before: string | undefined,
  after: string,
  { newMode, mode, maskMode = 0o7777 }: ReplaceOptions,
): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  // A rename needs only the folder's permission and would ignore the file's.
  if (stats !== undefined && (stats.mode & 0o222) === 0) throw new NotReplaceable('it is read-only');
  const onlyIf = () => {
    if (!isFreeOfLinks(file)) throw new NotReplaceable('a link took its place');
    return readExactly(file) === before;
  };
  return atomicWrite(file, after, {
    mode: (mode ?? stats?.mode ?? newMode) & maskMode,
    exactMode: stats !== undefined,
    onlyIf,
    // Root in a container must not change the file's owner.
    ...(stats !== undefined && process.getuid?.() === 0 && { owner: stats }),
  });
}

/** The folder without links, even if it does not exist yet. */
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
