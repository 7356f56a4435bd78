import { join } from 'node:path';
import type { FolderItem, Wanted } from './folder.ts';
import { MAX_APP_FOLDERS } from './limits.ts';
import type { FileRead, ProjectView } from './project-view.ts';

/** Folders that hold several applications, each in a folder of its own. */
const GROUPS: ReadonlySet<string> = new Set(['apps', 'packages', 'services', 'src', 'projects', 'modules', 'libs']);
/** Looked into first when there are more folders than the bound. */
const LIKELY: ReadonlySet<string> = new Set([...GROUPS, 'backend', 'server', 'api', 'app', 'web', 'database', 'db']);
/** Folders whose name begins with a dot and that tell of a database. */
const DOTTED: ReadonlySet<string> = new Set(['.ddev', '.docker', '.devcontainer']);
/** Files that tell of an application or of its database. What else lies in a folder may come and go unseen. */
const TELLING =
  /^(\.env(\..+)?|(docker-)?compose([.-].*)?\.ya?ml|.*\.(csproj|fsproj|vbproj)|appsettings(\..+)?\.json|drizzle([.-]\w+)?\.config\..+|prisma\.config\..+|.*\.prisma|ormconfig\..+|\.sequelizerc|knexfile\..+|.*data-?source\.[cm]?[jt]s|wp-config\.php|application(-.+)?\.(properties|ya?ml)|package\.json|manage\.py|artisan|ace(\.js)?|\.?adonisrc\..+|Gemfile|Rakefile|config\.ru|composer\.json|symfony\.lock|pom\.xml|build\.gradle(\.kts)?)$/;

/** A link may lead to a folder of settings. */
const WANTED: Wanted = { files: TELLING, folders: { names: [], others: 'all' } };

/** A folder that may hold an application: the project's root, and those below it where projects keep them. */
export class AppFolder {
  readonly project: ProjectView;
  /** Relative to the project's root; '' is the root. */
  readonly folder: string;
  /** The root is 0; what lies deeper ranks after it. */
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

  /** The file's path as the project's view takes it. */
  path(file: string): string {
    return this.folder === '' ? file : `${this.folder}/${file}`;
  }

  /** The file's absolute path. */
  absolute(file = ''): string {
    return join(this.project.root, this.folder, file);
  }

  /** Whether a file or folder of this name lies here; only names that tell of databases are known. */
  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** The telling files here whose name fits, sorted. */
  files(pattern: RegExp): readonly string[] {
    return this.items.filter(({ type, name }) => type !== 'folder' && pattern.test(name)).map(({ name }) => name);
  }

  read(file: string): Promise<FileRead> {
    return this.project.read(this.path(file));
  }

  /** A finding's id: what was found, after who found it and the folder where it is not the root. */
  id(by: string, what: string): string {
    return `${by}:${this.path(what)}`;
  }
}

/** What was found of them. */
export interface AppFolders {
  /** The root first. */
  readonly apps: readonly AppFolder[];
  /** Whether there were more than are looked into. */
  readonly cut: boolean;
}

/**
 * The folders of a project that may hold applications; so many at most that a huge tree stays quick. The likely ones
 * come first, then those that they group, then any other.
 */
export async function findApps(project: ProjectView, signal: AbortSignal): Promise<AppFolders> {
  const apps: AppFolder[] = [];
  const waiting: string[] = [''];
  const rest: string[] = [];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift() ?? rest.shift()) {
    if (apps.length >= MAX_APP_FOLDERS) return { apps, cut: true };
    const listing = await project.list(next, WANTED, signal);
    if (listing.state !== 'listed') continue;
    const app = new AppFolder(project, next, apps.length, listing.items);
    apps.push(app);
    const inner = listing.items.filter(isEntered).map(({ name }) => name);
    if (next === '') {
      waiting.push(...inner.filter((name) => LIKELY.has(name)));
      rest.push(...inner.filter((name) => !LIKELY.has(name)));
    } else if (GROUPS.has(next)) waiting.push(...inner.map((name) => app.path(name)));
  }
  return { apps, cut: false };
}

function isEntered({ type, name }: FolderItem): boolean {
  return type === 'folder' && (!name.startsWith('.') || DOTTED.has(name));
}
