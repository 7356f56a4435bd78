import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

export { isInside } from '../host/inside.ts';

const MAX_LINKS = 40;

export interface Located {
  /** With every link resolved, also when the file itself is not there yet. */
  readonly file: string;
  readonly exists: boolean;
}

/** Where a path really leads. A link to something that is not there leads to where it would be. */
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

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
  } catch {
    return undefined;
  }
}
