import { join, posix } from 'node:path';
import type { FolderItem, Wanted } from './folder.ts';
import { MAX_APP_FOLDERS } from './limits.ts';
import type { FileRead, ProjectView } from './project-view.ts';

/** Folders that hold several applications, each in its own folder. */
const GROUPS: ReadonlySet<string> = new Set([
  'apps',
  'packages',
  'services',
  'src',
  'projects',
  'modules',
  'libs',
  'crates',
]);
/** What the folder of a project's main program is called. */
const MAIN = ['backend', 'server', 'api', 'app', 'web'];
/** Searched first when there are more folders than the limit. */
export const LIKELY_APPS: ReadonlySet<string> = new Set([...GROUPS, ...MAIN, 'database', 'db']);
/** Folders without an application that anybody develops. */
const ASIDE: ReadonlySet<string> = new Set([
  'doc',
  'docs',
  'test',
  'tests',
  'example',
  'examples',
  'sample',
  'samples',
]);
/** `data-example`, `example-data` */
const EXAMPLE =
  /^(?:(?:.{1,60}[-_.])?(?:examples?|samples?|templates?|dist)|(?:example|sample|template|dist)[-_.].{1,60})$/i;
/** Folders of what a developer starts beside an application, sometimes sorted once more. */
const TOOLING: ReadonlySet<string> = new Set([
  'dev',
  '.dev',
  'development',
  'docker',
  '.docker',
  'infra',
  'environments',
]);
/** How deep applications are looked for where the project's root has nothing but folders. */
const MAX_BARE_DEPTH = 2;
/** Folders below a list of Python packages in which a project of Django is looked for. */
const MAX_PACKAGES = 30;
/** Hidden folders that may name a database. */
const DOTTED: ReadonlySet<string> = new Set(['.ddev', '.dev', '.docker', '.devcontainer']);
/**
 * Files that point to an application or its database. Other files in a folder may come and go without a new detection.
 */
const TELLING =
  /^(\.env(\..+)?|\.envrc|\.flaskenv|(app|dev|development|local|test|prod|production|staging)\.env|\.lando(\.\w+)?\.yml|\.wp-env(\.override)?\.json|(docker-)?compose([.-].*)?\.ya?ml|.*\.(csproj|fsproj|vbproj)|([\w-]+\.)?appsettings(\..+)?\.json|drizzle([.-]\w+)?\.config\..+|prisma\.config\..+|.*\.prisma|ormconfig\..+|\.sequelizerc|knexfile\..+|.*data-?source\.[cm]?[jt]s|wp-config\.php|application(-.+)?\.(properties|ya?ml)|package\.json|deno\.jsonc?|manage\.py|artisan|ace(\.js)?|\.?adonisrc\..+|Gemfile|Rakefile|config\.ru|composer\.json|symfony\.lock|pom\.xml|build\.gradle(\.kts)?|reqs?\.txt|requirements?\.txt|pyproject\.toml|Pipfile|setup\.(py|cfg)|(app|application|main|run|server|wsgi)\.py|alembic\.ini|mix\.exs|go\.mod|sqlc\.ya?ml|Makefile|spark|yii|craft|dbt_project\.yml|Cargo\.toml|wrangler(\.[\w-]+)?\.(toml|jsonc?)|mikro-orm\.config\..+|kysely\.config\..+|payload\.config\..+)$/;

/** Files that an application has: without one, a folder of settings is somebody else's. */
const APPLICATION =
  /^(package\.json|deno\.jsonc?|manage\.py|artisan|Gemfile|composer\.json|pom\.xml|build\.gradle(\.kts)?|requirements\.txt|pyproject\.toml|Pipfile|setup\.(py|cfg)|mix\.exs|go\.mod|Cargo\.toml|dbt_project\.yml|.*\.(csproj|fsproj|vbproj))$/;

const COMPOSE = /^(docker-)?compose([.-].*)?\.ya?ml$/;

/** Files for all applications below a folder. */
const AROUND = /^(\.env(\..+)?|(docker-)?compose([.-].*)?\.ya?ml)$/;

/** A link may point to a folder of settings. */
const WANTED: Wanted = { files: TELLING, folders: { names: [], others: 'all' } };

/** A folder that may hold an application: the project's root, and folders below it where projects keep applications. */
export class AppFolder {
  readonly project: ProjectView;
  /** Relative to the project's root; '' is the root. */
  readonly folder: string;
  /** 0 for the root; deeper folders rank after it. */
  readonly rank: number;
  readonly items: readonly FolderItem[];
  readonly #names: ReadonlySet<string>;

  constructor(project: ProjectView, folder: string, rank: number, items: readonly FolderItem[]) {
    this.project = project;
    this.folder = folder;
    this.rank = rank;
    this.items = items;
    this.#names = new Set(items.map(({ name }) => name));
  }

  /** Whether it only holds what a developer starts beside the applications: its variables are for containers. */
  get isTooling(): boolean {
    const [top = ''] = this.folder.split('/');
    return TOOLING.has(top.toLowerCase()) && !this.isApplication;
  }

  /** Whether it has a list of packages or something like it. */
  get isApplication(): boolean {
    return this.items.some(({ name }) => APPLICATION.test(name));
  }

  /** Whether it holds examples and nothing to start: `data-example/.env` is there to be copied. */
  get isExample(): boolean {
    const isStarted = ({ name }: FolderItem): boolean => APPLICATION.test(name) || COMPOSE.test(name);
    return EXAMPLE.test(posix.basename(this.folder)) && !this.items.some(isStarted);
  }

  /** The file's path in the form the project's view takes. */
  path(file: string): string {
    return this.folder === '' ? file : `${this.folder}/${file}`;
  }

  /** The file's absolute path. */
  absolute(file = ''): string {
    return join(this.project.root, this.folder, file);
  }

  /** Whether a file or folder of this name is here; only names relevant to databases are known. */
  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** The relevant files here whose name matches, sorted. */
  files(pattern: RegExp): readonly string[] {
    return this.items.filter(({ type, name }) => type !== 'folder' && pattern.test(name)).map(({ name }) => name);
  }

  read(file: string): Promise<FileRead> {
    return this.project.read(this.path(file));
  }

  /** A finding's id: the detector and what was found, with the folder in between where it is not the root. */
  id(by: string, what: string): string {
    return `${by}:${this.path(what)}`;
  }
}

/** The application folders that were found. */
export interface AppFolders {
  /** The root first. */
  readonly apps: readonly AppFolder[];
  /** Whether there were more than the limit. */
  readonly cut: boolean;
}

/**
 * The folders of a project that may hold applications, up to a limit that keeps a huge tree quick. Likely ones come
 * first, then those inside them, then any other.
 */
export async function findApps(project: ProjectView, signal: AbortSignal): Promise<AppFolders> {
  const apps: AppFolder[] = [];
  let bare = false;
  const waiting: string[] = [''];
  const rest: string[] = [];
  /** Of these only a project of Django is an application: `backend/shop/manage.py` below `backend/requirements.txt`. */
  const besideList = new Set<string>();
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift() ?? rest.shift()) {
    if (apps.length >= MAX_APP_FOLDERS) return { apps, cut: true };
    const listing = await project.list(next, WANTED, signal);
    if (listing.state !== 'listed') continue;
    const app = new AppFolder(project, next, apps.length, listing.items);
    if (besideList.has(next) && !app.has('manage.py')) continue;
    apps.push(app);
    const names = listing.items.filter(isEntered).map(({ name }) => name);
    const isMain = (name: string): boolean => MAIN.includes(name.toLowerCase());
    const inner = [...names.filter(isMain), ...names.filter((name) => !isMain(name))];
    if (next === '') {
      bare = isOnlyFolders(listing.items);
      waiting.push(...names.filter((name) => LIKELY_APPS.has(name.toLowerCase())));
      rest.push(...names.filter((name) => !LIKELY_APPS.has(name.toLowerCase())));
    } else if (isGroup(next) || isWorkspaceGroup(next) || (bare && isGroup(posix.basename(next)))) {
      waiting.push(...inner.map((name) => app.path(name)));
    } else if (isSorted(app, bare)) rest.push(...inner.map((name) => app.path(name)));
    else if (isMain(posix.basename(next)) && isPythonList(app)) {
      const packages = inner.slice(0, MAX_PACKAGES).map((name) => app.path(name));
      for (const one of packages) besideList.add(one);
      rest.push(...packages);
    } else if (app.has('package.json')) rest.push(...inner.map((name) => app.path(name)).filter(isWorkspaceGroup));
  }
  return { apps, cut: false };
}

/** Whether a folder has a list of Python packages and no script that starts Django. */
function isPythonList(app: AppFolder): boolean {
  return ['requirements.txt', 'pyproject.toml', 'Pipfile'].some((name) => app.has(name)) && !app.has('manage.py');
}

/** Whether a folder has no application of its own, but folders with some. */
function isSorted(app: AppFolder, bare: boolean): boolean {
  // A project of Maven modules, a workspace of Cargo's.
  if (app.has('pom.xml') || app.has('Cargo.toml')) return !app.has('src');
  const holds = app.items.filter(({ name }) => !AROUND.test(name));
  if (!isOnlyFolders(holds) || ASIDE.has(posix.basename(app.folder).toLowerCase())) return false;
  if (TOOLING.has(app.folder.toLowerCase())) return true;
  // Some projects sort the applications of a group once more, and some keep nothing in their root.
  const around = posix.dirname(app.folder);
  return (
    isGroup(around) ||
    isServices(around) ||
    isServicesSource(app.folder) ||
    (bare && app.folder.split('/').length <= MAX_BARE_DEPTH)
  );
}

/** The packages of a workspace that is not the whole project: `web/package.json` beside `web/apps/shop`. */
const WORKSPACE_GROUP = /^[^/]+\/(apps|packages)$/;

function isWorkspaceGroup(folder: string): boolean {
  return WORKSPACE_GROUP.test(folder);
}

/** `src/Services/Catalog/Catalog.Api` and `src/Modules/Catalog/Catalog.Module`, as .NET lays them out. */
function isServices(folder: string): boolean {
  return isGroup(posix.dirname(folder)) && /^(services|modules|apps|projects)$/i.test(posix.basename(folder));
}

/** `src/Services/Catalog/src/Catalog.Api`, where each service is laid out like a repository of its own. */
function isServicesSource(folder: string): boolean {
  return /^src$/i.test(posix.basename(folder)) && isServices(posix.dirname(posix.dirname(folder)));
}

/** Whether a folder holds documents, tests or examples. */
export function isAsideFolder(folder: string): boolean {
  return folder.split('/').some((name) => ASIDE.has(name.toLowerCase()));
}

function isGroup(folder: string): boolean {
  return GROUPS.has(folder.toLowerCase());
}

function isOnlyFolders(items: readonly FolderItem[]): boolean {
  return items.every(({ type }) => type === 'folder');
}

function isEntered({ type, name }: FolderItem): boolean {
  return type === 'folder' && (!name.startsWith('.') || DOTTED.has(name));
}
