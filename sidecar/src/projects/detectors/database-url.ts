import { basename } from 'node:path';
import { MAX_DETECTED_DATABASES } from '@devdb/shared/limits';
import { type Detection, type Detector, type Finding, PRIORITY, type Skipped } from '../detector.ts';
import type { ProjectView } from '../project-view.ts';
import { type DotenvEntry, expand, readDotenv } from '../readers/dotenv.ts';
import { type DatabaseUrl, readDatabaseUrl } from '../readers/url.ts';
import { resolveSqlitePath } from '../sqlite-path.ts';

const NAME = 'database-url';
const MAX_NAMED = 5;
const VARIABLE = /^([A-Z0-9_]+_)?DATABASE_URL$/;
const SHADOW = /^SHADOW_DATABASE_URL$/;

const DEVELOPMENT = new Set(['development', 'dev', 'local']);
const TEST = new Set(['test', 'testing', 'ci', 'e2e']);
const EXAMPLE = new Set([
  'example',
  'sample',
  'template',
  'tpl',
  'dist',
  'defaults',
  'schema',
  'vault',
  'keys',
  'me',
  'enc',
  'bak',
  'backup',
  'old',
  'orig',
  'swp',
]);

interface EnvFile {
  readonly name: string;
  /** '' for development, else what the file's name says. */
  readonly environment: string;
  /** More specific files win over others of their environment. */
  readonly rank: number;
}

interface Definition {
  readonly file: string;
  readonly entry: DotenvEntry;
}

/** `DATABASE_URL` and `<NAME>_DATABASE_URL` in the `.env` files of the project's root. */
export const databaseUrl: Detector = {
  name: NAME,
  looksFor: ['.env', '.env.local', '.env.development', '.env.development.local', '.env.<environment>'],
  async detect(project, signal) {
    const listing = await project.list('', (item) => item.type !== 'folder' && /^\.env(\.|$)/.test(item.name), signal);
    if (listing.state !== 'listed') return { found: [], skipped: [] };
    const skipped: Skipped[] = [];
    const definitions = new Map<string, Definition[]>();
    for (const { name, environment } of envFiles(
      listing.items.map((item) => item.name),
      skipped,
    )) {
      signal.throwIfAborted();
      const list = definitions.get(environment) ?? [];
      definitions.set(environment, list);
      list.push(...(await readDefinitions(project, name, skipped)));
    }
    const found: Finding[] = [];
    for (const [environment, own] of definitions) {
      const part = await findIn(project, environment, own, definitions.get('') ?? []);
      found.push(...part.found);
      skipped.push(...part.skipped);
    }
    return { found, skipped };
  },
};

/** Development files first, the most specific first: .env.development.local, .env.local, .env.development, .env. */
function envFiles(names: readonly string[], skipped: Skipped[]): EnvFile[] {
  const files: EnvFile[] = [];
  for (const name of names) {
    const parts = name.toLowerCase().split('.').slice(2);
    if (parts.some((part) => EXAMPLE.has(part))) {
      skipped.push({ file: name, reason: 'is an example or a copy, not settings in use' });
      continue;
    }
    const environment = parts.filter((part) => !DEVELOPMENT.has(part)).join('.');
    const local = parts.includes('local') ? 2 : 0;
    const named = parts.some((part) => part !== 'local') ? 1 : 0;
    files.push({ name, environment, rank: local + named });
  }
  return files.sort((a, b) => b.rank - a.rank || (a.name < b.name ? -1 : 1));
}

async function readDefinitions(project: ProjectView, file: string, skipped: Skipped[]): Promise<Definition[]> {
  const read = await project.read(file);
  if (read.state === 'refused') skipped.push({ file, reason: read.reason });
  if (read.state !== 'text') return [];
  const { entries, problems } = readDotenv(read.text);
  skipped.push(...problems.map(({ line, reason }): Skipped => ({ file, line, reason, mistake: true })));
  // Within one file the last definition holds.
  return entries.toReversed().map((entry) => ({ file, entry }));
}

async function findIn(
  project: ProjectView,
  environment: string,
  own: readonly Definition[],
  base: readonly Definition[],
): Promise<Detection> {
  const all = new Map<string, Definition>();
  for (const definition of [...own, ...base]) {
    if (!all.has(definition.entry.name)) all.set(definition.entry.name, definition);
  }
  const found: Finding[] = [];
  const skipped: Skipped[] = [];
  const named = own.filter(({ entry }) => VARIABLE.test(entry.name)).slice(0, MAX_DETECTED_DATABASES);
  for (const definition of named) {
    const holds = all.get(definition.entry.name) ?? definition;
    const result =
      holds === definition
        ? await readVariable(project, environment, definition, (name) => all.get(name)?.entry)
        : `${definition.entry.name} is overridden by ${holds.file} line ${holds.entry.line}`;
    if (typeof result === 'string')
      skipped.push({ file: definition.file, line: definition.entry.line, reason: result });
    else found.push(result);
  }
  return { found, skipped };
}

/** The finding, or why there is none. */
async function readVariable(
  project: ProjectView,
  environment: string,
  { file, entry }: Definition,
  lookup: (name: string) => DotenvEntry | undefined,
): Promise<Finding | string> {
  const { name: variable, line } = entry;
  if (SHADOW.test(variable)) return `${variable} is a scratch database for migrations`;
  const { value, missing } = expand(entry.segments, lookup, [variable]);
  const names = [...new Set(missing)].slice(0, MAX_NAMED).join(', ');
  if (missing.length > 0) return `${variable} refers to ${names}, which the .env files do not set`;
  if (value === '') return `${variable} is empty`;
  const url = readDatabaseUrl(value);
  if (url.kind === 'problem') return `${variable} ${url.reason}`;
  const found = {
    id: `${environment === '' ? 'env' : `env.${environment}`}:${variable}`,
    source: { file, line, by: NAME },
    priority: priorityOf(environment, variable),
    environment: environment === '' || isTest(environment) ? undefined : environment,
  };
  return { ...found, ...(await targetOf(project, url)) };
}

async function targetOf(
  project: ProjectView,
  url: Exclude<DatabaseUrl, { kind: 'problem' }>,
): Promise<Pick<Finding, 'kind' | 'target' | 'name'>> {
  if (url.kind !== 'sqlite') return { kind: url.kind, target: url.target, name: url.target.database || url.kind };
  const file = await resolveSqlitePath(project, url.paths, url.scheme);
  return { kind: 'sqlite', target: { file }, name: basename(file) };
}

function priorityOf(environment: string, variable: string): number {
  const group =
    environment === ''
      ? PRIORITY.environment
      : isTest(environment)
        ? PRIORITY.testEnvironment
        : PRIORITY.otherEnvironment;
  return group + (variable === 'DATABASE_URL' ? 0 : 1);
}

function isTest(environment: string): boolean {
  return environment.split('.').every((part) => TEST.has(part));
}
