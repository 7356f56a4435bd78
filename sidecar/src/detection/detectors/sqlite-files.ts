import { join } from 'node:path';
import { type Detector, type Finding, PRIORITY, type Skipped } from '../detector.ts';
import { type FolderItem, LEFT_OUT, type Wanted } from '../folder.ts';
import { MAX_DETECTED_DATABASES, MAX_DETECTED_FOLDERS, MAX_FOLDER_ENTRIES } from '../limits.ts';
import type { ProjectView } from '../project-view.ts';
import { isOfSeveralPrograms } from './rust.ts';

const NAME = 'sqlite-files';
const DATABASE = /\.(sqlite3?|db)$/i;

/** Usual folders of database files; `*` is any folder. The order is the ranking. */
const PLACES = [
  '',
  'db',
  'data',
  'database',
  'databases',
  'storage',
  'prisma',
  'var',
  'var/data',
  'instance',
  'src',
  'src/db',
  'src/data',
  'src/database',
  'src/prisma',
  'server',
  'server/db',
  'server/data',
  'backend',
  'backend/db',
  'backend/data',
  'backend/prisma',
  'backend/instance',
  'api',
  'api/db',
  'app',
  'app/db',
  'app/data',
  'config',
  'resources',
  'assets',
  'tmp',
  '.data',
  '.data/content',
  '.tmp',
  'pb_data',
  '.wrangler/state/v3/d1/miniflare-D1DatabaseObject',
  ...['packages', 'apps', 'services'].flatMap((group) =>
    ['', '/db', '/data', '/database', '/prisma', '/storage', '/instance'].map((place) => `${group}/*${place}`),
  ),
] as const;

interface Place {
  /** The position in the list; undefined for a folder that only leads to one. */
  rank: number | undefined;
  readonly below: Map<string, Place>;
}

interface Candidate {
  readonly file: string;
  readonly rank: number;
}

/** SQLite files in the usual places, recognized by their first bytes. */
export const sqliteFiles: Detector = {
  name: NAME,
  looksFor: ['*.sqlite, *.sqlite3 and *.db', ...PLACES.map((place) => `in ${place === '' ? 'the root' : `${place}/`}`)],
  async detect(project, signal) {
    const skipped: Skipped[] = [];
    const found: Finding[] = [];
    const candidates = await new Walk(project, signal, skipped).candidates();
    // Which program made a file in the root then nobody says.
    const isOpen = candidates.some(({ rank }) => rank === 0) && (await isOfSeveralPrograms(project));
    for (const candidate of candidates) {
      signal.throwIfAborted();
      const result = await judge(project, candidate);
      if (typeof result === 'string') skipped.push({ file: candidate.file, reason: result });
      else if (isOpen && candidate.rank === 0) found.push({ neverDefault: 'undecided', ...result });
      else found.push(result);
    }
    return { found, skipped };
  },
};

class Walk {
  readonly #project: ProjectView;
  readonly #signal: AbortSignal;
  readonly #skipped: Skipped[];
  readonly #candidates: Candidate[] = [];
  #folders = 0;

  constructor(project: ProjectView, signal: AbortSignal, skipped: Skipped[]) {
    this.#project = project;
    this.#signal = signal;
    this.#skipped = skipped;
  }

  async candidates(): Promise<readonly Candidate[]> {
    await this.#visit('', placeTree());
    const all = this.#candidates.sort((a, b) => a.rank - b.rank);
    if (all.length > MAX_DETECTED_DATABASES) {
      const reason = `and ${all.length - MAX_DETECTED_DATABASES} more database files: only ${MAX_DETECTED_DATABASES} are listed; name the ones that matter in .devdbrc`;
      this.#skipped.push({ file: all[MAX_DETECTED_DATABASES]?.file ?? '', reason });
    }
    return all.slice(0, MAX_DETECTED_DATABASES);
  }

  async #visit(folder: string, place: Place): Promise<void> {
    this.#folders += 1;
    if (this.#folders > MAX_DETECTED_FOLDERS) return;
    const listing = await this.#project.list(folder, wantedIn(place), this.#signal);
    if (listing.state === 'absent') return;
    const shown = folder === '' ? '.' : folder;
    if (listing.state === 'refused') {
      this.#skipped.push({ file: shown, reason: listing.reason });
      return;
    }
    if (listing.cut) {
      this.#skipped.push({
        file: shown,
        reason: `holds more than ${MAX_FOLDER_ENTRIES} entries; only those were searched`,
      });
    }
    for (const item of listing.items) {
      const path = folder === '' ? item.name : `${folder}/${item.name}`;
      if (place.rank !== undefined && isCandidate(item)) this.#candidates.push({ file: path, rank: place.rank });
      else for (const next of placesBelow(place, item)) await this.#visit(path, next);
    }
    if (this.#folders > MAX_DETECTED_FOLDERS && folder === '') {
      this.#skipped.push({
        file: '.',
        reason: `only the first ${MAX_DETECTED_FOLDERS} of the usual folders were searched`,
      });
    }
  }
}

function wantedIn({ rank, below }: Place): Wanted {
  const others = below.has('*') ? 'undotted' : 'none';
  return { files: rank === undefined ? undefined : DATABASE, folders: { names: [...below.keys()], others } };
}

function isCandidate(item: FolderItem): boolean {
  return item.type !== 'folder' && DATABASE.test(item.name);
}

function placesBelow(place: Place, item: FolderItem): Place[] {
  if (item.type === 'file' || LEFT_OUT.has(item.name)) return [];
  const any = item.name.startsWith('.') ? undefined : place.below.get('*');
  return [place.below.get(item.name), any].filter((next) => next !== undefined);
}

function placeTree(): Place {
  const root: Place = { rank: undefined, below: new Map() };
  for (const [rank, path] of PLACES.entries()) {
    let place = root;
    for (const name of path === '' ? [] : path.split('/')) {
      const next: Place = place.below.get(name) ?? { rank: undefined, below: new Map() };
      place.below.set(name, next);
      place = next;
    }
    place.rank = rank;
  }
  return root;
}

/** Files from which a program makes its own, and copies of one. */
const TEMPLATE = /(^|[._-])(template|dist|seed|skeleton|blank|empty|pristine|backup|bak|orig|old)([._-]|$)/i;
/** Often an example beside the application's own, and in a small project the only one. */
const EXAMPLE = /(^|[._-])(sample|example|demo|northwind|chinook|sakila)([._-]|$)/i;
/** What programs keep for themselves beside an application: caches, and records of jobs, runs and tests. */
const OF_TOOLS =
  /^(\w*cache|(\w+[._-])?sessions?|checkpoints|history|coverage|celery(beat)?([._-]schedule)?|mlflow|optuna|chroma|airflow|grafana|n8n|kuma)\.\w+$/i;

/** The finding, or why the file is left out. */
async function judge(project: ProjectView, { file, rank }: Candidate): Promise<Finding | string> {
  const path = join(project.root, file);
  const located = await project.locate(path);
  const name = file.slice(file.lastIndexOf('/') + 1);
  // Outside the project nothing is opened before approval, not even to read its first bytes.
  const header = located.inside ? await project.sqliteHeader(path) : 'sqlite';
  if (header === 'absent') return 'is a link to a missing file';
  if (header === 'unreadable') return 'cannot be read by this user';
  if (header === 'other') return "is not a SQLite database: it lacks SQLite's header (or is encrypted)";
  const isTemplate = TEMPLATE.test(name);
  const later =
    (isTemplate || EXAMPLE.test(name) ? 1_500 : 0) +
    (header === 'empty' ? 2_000 : 0) +
    (/(^|[._-])test(s|ing)?([._-]|$)/i.test(name) ? 1_000 : 0);
  return {
    id: file,
    name,
    kind: 'sqlite',
    target: { file: path },
    source: { file, by: NAME },
    priority: PRIORITY.file + later + rank,
    // What a tool keeps for itself.
    ...(name.startsWith('.') || OF_TOOLS.test(name) ? { neverDefault: 'unread' as const } : {}),
    ...(isTemplate ? { neverDefault: 'template' as const } : {}),
  };
}
