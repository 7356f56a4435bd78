import { ENGINES } from '@devdb/shared/engines';
import type { Finding, Skipped } from './detector.ts';
import { driversOf, packageLists } from './driver-packages.ts';
import type { ProjectView } from './project-view.ts';

/** The detector of files that no settings name. */
const STRAY = 'sqlite-files';
/** Of languages that bring SQLite along: their programs need no package for it. */
const BRINGS_SQLITE = /(^|\/)(requirements\.txt|pyproject\.toml|Pipfile|composer\.json|deno\.jsonc?)$/;
/** In a list of packages, what opens SQLite, or may. */
const MAY_OPEN = /sqlite|sql\.js|libsql|turso|prisma|wrangler|"bun/i;

type Candidate = Pick<Finding, 'source' | 'neverDefault' | 'environment'>;

/**
 * A database file that lies about is no default where the project's programs have drivers and none of them opens it:
 * the file is another tool's.
 */
export async function withoutUndrivenFiles<T extends Candidate>(
  project: ProjectView,
  found: readonly T[],
  signal: AbortSignal,
): Promise<{ readonly found: readonly T[]; readonly skipped: readonly Skipped[] }> {
  const first = found.find(({ neverDefault, environment }) => neverDefault === undefined && environment === undefined);
  if (first?.source.by !== STRAY) return { found, skipped: [] };
  const driver = await onlyServers(project, signal);
  if (driver === undefined) return { found, skipped: [] };
  const reason = `depends on a driver for ${ENGINES[driver.kind].type} and on none for SQLite, so ${first.source.file} is not its database; name the database in .devdbrc`;
  return {
    found: found.map((one) =>
      one.source.by === STRAY && one.neverDefault === undefined ? { ...one, neverDefault: 'undecided' } : one,
    ),
    skipped: [{ file: driver.file, reason, unread: 'settings' }],
  };
}

/** The first driver of the project's programs, where all of them are for servers and SQLite would need one. */
async function onlyServers(project: ProjectView, signal: AbortSignal) {
  const apps = await project.apps(signal);
  const lists = (await Promise.all(apps.map((app) => packageLists(app)))).flat();
  if (lists.some(({ file, text }) => BRINGS_SQLITE.test(file) || MAY_OPEN.test(text))) return undefined;
  const drivers = await Promise.all(apps.map((app) => driversOf(app)));
  return drivers.flat()[0];
}
