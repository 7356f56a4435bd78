import { basename } from 'node:path';
import type { AppFolder } from '../app-folder.ts';
import { type Detection, type Detector, type Finding, PRIORITY, type Skipped } from '../detector.ts';
import { doctrineWithout } from '../doctrine-files.ts';
import { emptyReferences } from '../empty-references.ts';
import type { Definition, Environment } from '../environment.ts';
import { environmentInName, isTest } from '../environment-names.ts';
import { MAX_DETECTED_DATABASES } from '../limits.ts';
import { type DatabaseUrl, readDatabaseUrl, withUsersDatabase } from '../readers/url.ts';
import { rustWithout } from '../rust-sources.ts';
import { resolveSqlitePath, sqliteFolders, withProjectFolder } from '../sqlite-path.ts';

const NAME = 'database-url';
const MAX_NAMED = 5;
const VARIABLE = /^([A-Z0-9_]+_)?DATABASE_URL$/;
const SHADOW = /^SHADOW_DATABASE_URL$/;

/** `DATABASE_URL` and `<NAME>_DATABASE_URL` in the `.env` files of the folders that may hold applications. */
export const databaseUrl: Detector = {
  name: NAME,
  looksFor: ['.env', '.env.local', '.env.development', '.env.development.local', '.env.<environment>'],
  async detect(project, signal) {
    const found: Finding[] = [];
    const skipped: Skipped[] = [];
    for (const app of await project.apps(signal)) {
      signal.throwIfAborted();
      const environment = await project.environment(app, signal);
      skipped.push(...environment.skipped);
      for (const name of environment.environments) {
        const part = await findIn(app, environment, name, signal);
        found.push(...part.found);
        skipped.push(...part.skipped);
      }
    }
    return { found, skipped };
  },
};

async function findIn(app: AppFolder, all: Environment, environment: string, signal: AbortSignal): Promise<Detection> {
  const found: Finding[] = [];
  const skipped: Skipped[] = [];
  const own = all.sets.get(environment) ?? [];
  const named = own.filter(({ entry }) => VARIABLE.test(entry.name)).slice(0, MAX_DETECTED_DATABASES);
  for (const definition of named) {
    const holds = all.definition(definition.entry.name, environment) ?? definition;
    const result =
      holds === definition
        ? await readVariable(app, all, { environment, definition }, signal)
        : `${definition.entry.name} is overridden by ${holds.file} line ${holds.entry.line}`;
    if (typeof result !== 'string' && 'id' in result) found.push(result);
    else {
      const why = typeof result === 'string' ? { reason: result } : result;
      skipped.push({ file: definition.file, line: definition.entry.line, ...why });
    }
  }
  return { found, skipped };
}

/** The finding, or why there is none. */
async function readVariable(
  app: AppFolder,
  all: Environment,
  { environment, definition }: { readonly environment: string; readonly definition: Definition },
  signal: AbortSignal,
): Promise<Finding | Pick<Skipped, 'reason' | 'unread'> | string> {
  const { name: variable, line } = definition.entry;
  if (SHADOW.test(variable)) return `${variable} is a scratch database for migrations`;
  const resolved = all.expand(definition, environment);
  if (resolved.state === 'missing') {
    const names = resolved.names.slice(0, MAX_NAMED).join(', ');
    return `${variable} refers to ${names}, which the .env files do not set`;
  }
  if (resolved.text === '') return `${variable} is empty`;
  const empty = emptyReferences(all, definition, environment);
  if (empty.length > 0) {
    const reason = `${variable} refers to ${empty.join(', ')}, which the .env files leave empty`;
    return variable === 'DATABASE_URL' && environment === '' ? { reason, unread: 'settings' } : reason;
  }
  const url = readDatabaseUrl(withProjectFolder(app, await withAdapter(app, resolved.text), environment));
  if (url.kind === 'problem') {
    const reason = `${variable} ${url.reason}`;
    // Development's own, so no other one is the application's.
    const isOwn = url.isMemory || (url.isUnfilled && variable === 'DATABASE_URL');
    return isOwn && environment === '' ? { reason, unread: 'settings' } : reason;
  }
  if (url.kind !== 'sqlite' && url.target.database === '' && app.has('Gemfile')) {
    return `${variable} names no database; Rails takes it from config/database.yml`;
  }
  const unused = variable === 'DATABASE_URL' ? await doctrineWithout(app, variable) : undefined;
  if (unused !== undefined) return `${variable} is not used by ${unused}, which names another database`;
  if (variable === 'DATABASE_URL' && environment === '' && (await rustWithout(app, definition.file, signal))) {
    return `${variable} is in a file that the program does not load, and its code does not name the variable`;
  }
  const meant = environment === '' ? environmentInName(variable) : environment;
  const tests = meant !== '' && isTest(meant);
  const found = {
    id: app.id(environment === '' ? 'env' : `env.${environment}`, variable),
    source: { file: definition.file, line, by: NAME },
    priority: priorityOf(app, meant, variable) + app.rank * 10,
    environment: meant === '' || tests ? undefined : meant,
  };
  const named = await targetOf(app, url);
  // A program may put a database's name behind a server's URL.
  const isNameless = 'database' in named.target && named.target.database === '';
  const neverDefault = tests ? 'tests' : isNameless ? 'undecided' : undefined;
  return { ...found, ...named, ...(neverDefault === undefined ? {} : { neverDefault }) };
}

/** Ecto's URLs leave the engine to the repository's adapter. */
async function withAdapter(app: AppFolder, url: string): Promise<string> {
  if (!/^ecto:/i.test(url)) return url;
  const reads = [await app.read('mix.exs'), await app.project.read('mix.exs')];
  const texts = reads.map((read) => (read.state === 'text' ? read.text : '')).join('\n');
  const scheme = /:myxql\b/.test(texts) ? 'mysql' : /:tds\b/.test(texts) ? 'mssql' : 'postgres';
  return scheme + url.slice('ecto'.length);
}

async function targetOf(
  app: AppFolder,
  url: Exclude<DatabaseUrl, { kind: 'problem' }>,
): Promise<Pick<Finding, 'kind' | 'target' | 'name' | 'usersDatabase'>> {
  if (url.kind !== 'sqlite') {
    const server = withUsersDatabase(url);
    return { ...server, name: server.target.database || server.kind };
  }
  const file = await resolveSqlitePath(app.project, url.paths, await sqliteFolders(app, url.scheme));
  return { kind: 'sqlite', target: { file }, name: basename(file) };
}

function priorityOf(app: AppFolder, environment: string, variable: string): number {
  const group =
    environment === ''
      ? // What reads a variable of another name is not known.
        app.isTooling || variable !== 'DATABASE_URL'
        ? PRIORITY.variables
        : PRIORITY.environment
      : isTest(environment)
        ? PRIORITY.testEnvironment
        : PRIORITY.otherEnvironment;
  return group + (variable === 'DATABASE_URL' ? 0 : /POOL|REPLICA|READ/.test(variable) ? 3 : 2);
}
