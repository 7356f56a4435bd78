import { basename, dirname, isAbsolute, join, normalize, parse, sep } from 'node:path';
import type { AppFolder } from './app-folder.ts';
import { isInside } from './containment.ts';
import { prismaFolder } from './prisma-folder.ts';
import type { ProjectView } from './project-view.ts';

const PROJECT_FOLDER = /%kernel\.project_dir%/;

/** The file a URL's path means: one that exists inside the project wins over one that exists elsewhere. */
export async function resolveSqlitePath(
  project: ProjectView,
  paths: readonly string[],
  folders: readonly string[] = [project.root],
): Promise<string> {
  const candidates = paths.flatMap((path) =>
    isAbsolute(path) ? [normalize(path)] : folders.map((folder) => join(folder, path)),
  );
  const inside = candidates.filter((path) => isInside(project.root, path));
  for (const path of [...inside, ...candidates]) {
    if ((await project.locate(path)).exists) return path;
  }
  const written = paths.find((path) => isAbsolute(path) && isInside(project.root, path));
  return written ?? (await firstPlausible(project, candidates)) ?? join(project.root, basename(paths[0] ?? ''));
}

/** The folders a path in a URL is relative to: for Prisma's `file:` the schema's, for others the application's own. */
export async function sqliteFolders(app: AppFolder, scheme: string): Promise<readonly string[]> {
  if (scheme !== 'file') return [app.absolute()];
  const folder = await prismaFolder(app);
  return folder === undefined ? [app.absolute()] : [app.absolute(folder), app.absolute()];
}

/** Symfony writes its project folder and the environment as parameters. */
export function withProjectFolder(app: AppFolder, url: string, environment = ''): string {
  const name = environment === '' ? 'dev' : environment;
  return url.replace(PROJECT_FOLDER, () => app.absolute()).replaceAll('%kernel.environment%', () => name);
}

const SYSTEM: ReadonlySet<string> = new Set(['var', 'usr', 'etc', 'lib', 'bin', 'opt', 'srv', 'home']);

/** None of them exists yet. A path counts as absolute when its first folder exists. */
async function firstPlausible(project: ProjectView, candidates: readonly string[]): Promise<string | undefined> {
  for (const path of candidates.filter((candidate) => !isInside(project.root, candidate))) {
    const { root } = parse(path);
    const first = path.slice(root.length).split(sep)[0] ?? '';
    // No program keeps its database right in a folder of the system.
    if (SYSTEM.has(first) && dirname(path) === join(root, first)) continue;
    if (path.slice(root.length) !== first && (await project.locate(join(root, first))).exists) return path;
  }
  return candidates[0];
}
