import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
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
export function locate(path: string): Located {
  return follow(resolve(path), 0);
}

function follow(path: string, links: number): Located {
  if (links > MAX_LINKS) return { file: path, exists: false };
  try {
    return { file: realpathSync.native(path), exists: true };
  } catch {
    const parent = dirname(path);
    if (parent === path) return { file: path, exists: false };
    const target = linkTarget(path);
    if (target !== undefined) return follow(resolve(parent, target), links + 1);
    const above = follow(parent, links + 1);
    return { file: join(above.file, basename(path)), exists: false };
  }
}

/** Why a path of the project is not read; undefined for what exists inside it. */
export function refusalOf(
  root: string,
  path: string,
): { readonly state: 'absent' } | { readonly state: 'refused'; readonly reason: string } | undefined {
  const located = locate(path);
  if (!isInside(root, located.file)) {
    return { state: 'refused', reason: 'is a link that leads out of the project; it is not followed' };
  }
  if (located.exists) return undefined;
  // Somebody made the link for a reason, so its missing target is reported, unlike a plain missing file.
  return linkTarget(path) === undefined
    ? { state: 'absent' }
    : { state: 'refused', reason: 'is a link to a missing file' };
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}
