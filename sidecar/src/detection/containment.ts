import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

import { isInside } from '../host/inside.ts';

export { isInside };

const MAX_LINKS = 40;

export interface Located {
  /** With every link resolved, even if the file does not exist yet. */
  readonly file: string;
  readonly exists: boolean;
}

/** The real path of a path. A link to a missing file resolves to where that file would be. */
export async function locate(path: string): Promise<Located> {
  return await follow(resolve(path), 0);
}

async function follow(path: string, links: number): Promise<Located> {
  if (links > MAX_LINKS) return { file: path, exists: false };
  try {
    return { file: await realpath(path), exists: true };
  } catch {
    const parent = dirname(path);
    if (parent === path) return { file: path, exists: false };
    const target = await linkTarget(path);
    if (target !== undefined) return await follow(resolve(parent, target), links + 1);
    const above = await follow(parent, links + 1);
    return { file: join(above.file, basename(path)), exists: false };
  }
}

/** Why a path of the project is not read; undefined for what exists inside it. */
export async function refusalOf(
  root: string,
  path: string,
): Promise<{ readonly state: 'absent' } | { readonly state: 'refused'; readonly reason: string } | undefined> {
  const located = await locate(path);
  if (!isInside(root, located.file)) {
    return { state: 'refused', reason: 'is a link that leads out of the project; it is not followed' };
  }
  if (located.exists) return undefined;
  // Somebody made the link for a reason, so its missing target is reported, unlike a plain missing file.
  return (await linkTarget(path)) === undefined
    ? { state: 'absent' }
    : { state: 'refused', reason: 'is a link to a missing file' };
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
  } catch {
    return undefined;
  }
}
