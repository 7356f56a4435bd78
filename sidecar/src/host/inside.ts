import { isAbsolute, relative, sep } from 'node:path';

/** Whether `path` is `root` or below it. Both are absolute and free of links. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
