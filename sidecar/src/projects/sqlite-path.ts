import { basename, isAbsolute, join, parse, sep } from 'node:path';
import { isInside } from './containment.ts';
import type { ProjectView } from './project-view.ts';

const PRISMA_SCHEMAS = ['prisma/schema.prisma', 'prisma/schema'];

/** Which file a URL's path means: what exists inside the project wins over what exists elsewhere. */
export async function resolveSqlitePath(
  project: ProjectView,
  paths: readonly string[],
  scheme: string,
): Promise<string> {
  const folders = scheme === 'file' ? await prismaFolders(project) : [project.root];
  const candidates = paths.flatMap((path) => (isAbsolute(path) ? [path] : folders.map((folder) => join(folder, path))));
  const inside = candidates.filter((path) => isInside(project.root, path));
  for (const path of [...inside, ...candidates]) {
    if ((await project.locate(path)).exists) return path;
  }
  const written = paths.find((path) => isAbsolute(path) && isInside(project.root, path));
  return written ?? (await firstPlausible(project, candidates)) ?? join(project.root, basename(paths[0] ?? ''));
}

/** Prisma counts `file:` from the folder of its schema; others from the project's root. */
async function prismaFolders(project: ProjectView): Promise<readonly string[]> {
  for (const schema of PRISMA_SCHEMAS) {
    if ((await project.locate(join(project.root, schema))).exists) return [join(project.root, 'prisma'), project.root];
  }
  return [project.root];
}

/** Nothing is there yet. An absolute path is meant as one when its first folder exists. */
async function firstPlausible(project: ProjectView, candidates: readonly string[]): Promise<string | undefined> {
  for (const path of candidates.filter((candidate) => !isInside(project.root, candidate))) {
    const { root } = parse(path);
    const first = path.slice(root.length).split(sep)[0] ?? '';
    if (path.slice(root.length) !== first && (await project.locate(join(root, first))).exists) return path;
  }
  return candidates[0];
}
