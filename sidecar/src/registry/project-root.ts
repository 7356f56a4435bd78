import { realpathSync, type Stats, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';

export type CanonicalRoot =
  | { readonly ok: true; readonly root: string }
  | { readonly ok: false; readonly why: 'relative' | 'missing' };

/**
 * The one spelling of a project's folder: equal folders give equal strings, and a result maps to itself. A path that
 * cannot be read (no permission, a loop, a NUL byte) counts as missing: no window can have it open.
 */
export function canonicalRoot(path: string): CanonicalRoot {
  const lexical = lexicalRoot(path, process.platform);
  if (lexical === undefined) return { ok: false, why: 'relative' };
  const real = realPath(lexical);
  if (real === undefined || !namesTheSame(real, lexical)) return { ok: false, why: 'missing' };
  return { ok: true, root: real === lexical ? real : (lexicalRoot(real, process.platform) ?? real) };
}

/**
 * The path without `.`, `..`, double and trailing separators, with an upper-case drive letter. Undefined when it
 * depends on the working directory: relative, or on Windows without a drive (`\folder`).
 */
export function lexicalRoot(path: string, platform: NodeJS.Platform): string | undefined {
  if (platform !== 'win32') return posix.isAbsolute(path) ? posix.resolve(path) : undefined;
  if (win32.parse(path).root.length < 3) return undefined;
  const plain = withoutTrailingSeparator(win32.resolve(path));
  return plain.replace(/^[a-z]:/, (drive) => drive.toUpperCase());
}

/** Besides a drive's, `\\server\share\` is the only root that win32.resolve leaves with its separator. */
function withoutTrailingSeparator(path: string): string {
  if (/^[A-Za-z]:\\$/.test(path)) return path;
  let end = path.length;
  while (path[end - 1] === '\\') end -= 1;
  return path.slice(0, end);
}

function realPath(path: string): string | undefined {
  try {
    // The native form returns letter case and Unicode form as the file system stores them.
    return realpathSync.native(path);
  } catch {
    return plainRealPath(path);
  }
}

/** Some Windows drives (RAM disks, mapped ones) have no final path by handle; elsewhere both forms fail alike. */
function plainRealPath(path: string): string | undefined {
  if (process.platform !== 'win32') return undefined;
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** A name that is not UTF-8 comes back with replacement characters, and might then equal another folder's name. */
function namesTheSame(real: string, asked: string): boolean {
  if (!real.includes('\ufffd')) return true;
  const [one, other] = [statsOf(real), statsOf(asked)];
  return one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev;
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    // Not there, or longer than a name can be: a replacement character takes three bytes for each byte it replaces.
    return undefined;
  }
}
