import type { EngineKind } from '../../engines/engine.ts';
import type { AppFolder } from '../app-folder.ts';
import { Collector, type Place } from '../collector.ts';
import { publishedBy } from '../compose-variables.ts';
import { type Detector, PRIORITY } from '../detector.ts';
import { addDsn } from '../dsn-finding.ts';
import { emptyReferences } from '../empty-references.ts';
import type { Environment } from '../environment.ts';
import { environmentInName, environmentOf } from '../environment-names.ts';
import { type Dsn, readDsn } from '../readers/dsn.ts';
import { engineKindOf } from '../readers/engine-names.ts';
import { isSqlitePath } from '../readers/url.ts';
import { engineOf } from './environment-engine.ts';
import { type Group, groupsIn } from './environment-groups.ts';

const NAME = 'variables';
/** DATABASE_URL has a detector of its own. */
const DATABASE_URL = /^([A-Z0-9_]+_)?DATABASE_URL$/;
/** A server's URL may leave out the host: `postgresql:///shop`. */
const SCHEME = /^([a-z][a-z0-9_-]*)(?:\+[a-z0-9_+]+)?:\/\/\/?[^\s/]/i;
/** A scheme of files may mean anything, so the name has to speak of a database. */
const FILE_URL = /^(?:sqlite3?(?:\+[a-z0-9_]+)?:|file:)/i;
const OF_DATABASE = /(^|_)(DB|DATABASE|SQLITE|SQL)(_|$)/;
const OF_SOURCE = /(^|_)(DB|DATABASE|SQL|DSN|MYSQL|MARIADB|POSTGRES(QL)?|PG|GORM|DATASOURCE|DATA_SOURCE)(_|$)/;
const SCRATCH = /SHADOW/;
const LOCAL = /^(localhost|127\.0\.0\.1)$/i;
const POOLED = /POOL|PRISMA_URL|REPLICA|READ|SLAVE|FOLLOWER/;
const DIRECT = /NON_?POOL|UNPOOL|NO_POOL|DIRECT/;
/** How hosting services and Prisma mark a pool in the URL itself. */
const POOLED_URL = /[?&]pgbouncer=true|-pooler\./;
const PLAIN_GROUP = /^(DB|DATABASE|PG|POSTGRES(QL)?|MYSQL|MARIADB|MSSQL|SQLSERVER|TYPEORM|SQLITE)(_DB|_DATABASE)?$/;
/** Without an engine a path is a database's only under a plain name: `DB_PATH`, `DATABASE_FILE`. */
const FILE_GROUP = /^(DB|DATABASE|SQLITE)(_DB|_DATABASE|_FILE)?$/;
const KNOWN =
  /^(DB_UR[IL]|DATABASE_UR[IL]|DATABASE_DSN|DB_DSN|DB_SOURCE|DIRECT_URL|POSTGRES(QL)?_UR[IL]|PG_UR[IL]|MYSQL_UR[IL]|MARIADB_UR[IL]|(FLASK_)?SQLALCHEMY_DATABASE_UR[IL])$/;

/** Databases that variables name by a value or by a group of names, whatever framework reads them. */
export const environmentVariables: Detector = {
  name: NAME,
  looksFor: [
    'variables of .env files whose value is a database URL, e.g. POSTGRES_URL',
    'groups of variables such as DB_HOST, DB_PORT and DB_NAME',
  ],
  async detect(project, signal) {
    const collector = new Collector(NAME, PRIORITY.variables);
    for (const app of await project.apps(signal)) {
      signal.throwIfAborted();
      const environment = await project.environment(app, signal);
      for (const name of environment.environments) {
        await addUrls(app, environment, name, collector);
        // Laravel and WordPress say themselves what their variables mean.
        if (app.has('artisan')) continue;
        const groups = groupsIn(environment, name);
        for (const group of groups) await addGroup(app, environment, { name, groups }, group, collector, signal);
      }
    }
    return collector.detection;
  },
};

async function addUrls(app: AppFolder, all: Environment, environment: string, collector: Collector): Promise<void> {
  const names = new Set((all.sets.get(environment) ?? []).map(({ entry }) => entry.name.toUpperCase()));
  const said = saidKinds(all, environment);
  for (const { file, entry } of all.sets.get(environment) ?? []) {
    const variable = entry.name.toUpperCase().replaceAll(/[.-]+/g, '_');
    const definition = all.definition(entry.name, environment);
    if (DATABASE_URL.test(variable) || definition?.entry !== entry) continue;
    const resolved = all.expand(definition, environment);
    const written = entry.segments.map((segment) => (segment.kind === 'text' ? segment.text : 'x')).join('');
    const text = resolved.state === 'set' ? resolved.text : written;
    const isUrl = isDatabaseUrl(variable, text);
    const dsn = isUrl ? undefined : dataSource(variable, text, said);
    if (dsn === undefined && !isUrl) continue;
    const empty = emptyReferences(all, definition, environment);
    if (resolved.state === 'missing') {
      const missing = resolved.names.slice(0, 5).join(', ');
      collector.skip(file, entry.line, `${entry.name} refers to ${missing}, which the .env files do not set`);
    } else if (empty.length > 0) {
      collector.skip(file, entry.line, `${entry.name} refers to ${empty.join(', ')}, which the .env files leave empty`);
    } else if (SCRATCH.test(variable)) {
      collector.skip(file, entry.line, `${entry.name} is a scratch database for migrations`);
    } else {
      const hasDirect = names.has(`${variable}_NON_POOLING`) || names.has(`${variable}_UNPOOLED`);
      const rank = rankOf(variable, hasDirect || POOLED_URL.test(resolved.text));
      const place = placeOf(entry.name, file, entry.line, environment, rank);
      if (dsn === undefined) await collector.url(app, place, resolved.text.trim());
      else await addDsn(collector, app, place, dsn);
    }
  }
}

function isDatabaseUrl(variable: string, text: string): boolean {
  const value = text.trim();
  if (FILE_URL.test(value)) return OF_DATABASE.test(variable);
  if (KNOWN.test(variable) && isSqlitePath(value)) return true;
  const scheme = SCHEME.exec(value)?.[1];
  return scheme !== undefined && engineKindOf(scheme) !== undefined;
}

/** Go's `user:password@tcp(host)/database`, and the words of libpq, of the engine that the other variables choose. */
function dataSource(variable: string, text: string, said: readonly EngineKind[]): Dsn | undefined {
  if (!OF_SOURCE.test(variable)) return undefined;
  const dsn = readDsn(text);
  if (dsn === undefined || !('kind' in dsn) || dsn.host === '') return undefined;
  return said.length === 0 || said.includes(dsn.kind) ? dsn : undefined;
}

/** A direct connection comes before the pool to the same database. */
function rankOf(variable: string, isPool: boolean): number {
  if (DIRECT.test(variable)) return KNOWN.test(variable) ? 0 : 1;
  return (KNOWN.test(variable) ? 0 : 3) + (isPool || POOLED.test(variable) ? 2 : 0);
}

/** A group that is called like a database and nothing else is the application's own. */
function rankOfGroup(prefix: string): number {
  return (PLAIN_GROUP.test(prefix) ? 1 : 4) + (POOLED.test(prefix) ? 2 : 0);
}

function placeOf(name: string, file: string, line: number, environment: string, rank: number): Place {
  const own = environment === '' ? environmentInName(name) : environment;
  const what = environment === '' ? name : `${name}@${environment}`;
  return { what, file, line, environment: environmentOf(own), rank };
}

/** Whether another variable chooses an engine with a server, beside which a file is only what could be used instead. */
function usesServer(all: Environment, environment: string): boolean {
  return saidKinds(all, environment).some((kind) => kind !== 'sqlite');
}

/** The engines that variables choose: `DB_DRIVER=mysql`. */
function saidKinds(all: Environment, environment: string): readonly EngineKind[] {
  return (all.sets.get(environment) ?? []).flatMap((definition) => {
    if (!/(^|_)(DB|DATABASE|SQL)_(CLIENT|DIALECT|DRIVER|ENGINE|CONNECTION|TYPE|ADAPTER)$/.test(definition.entry.name))
      return [];
    const said = all.expand(definition, environment);
    const kind = said.state === 'set' ? engineKindOf(said.text.trim()) : undefined;
    return kind === undefined ? [] : [kind];
  });
}

/** The port that this machine reaches, where the group's own is the one inside the container. */
async function portOutside(
  app: AppFolder,
  all: Environment,
  { environment, group: { fields } }: { readonly environment: string; readonly group: Group },
  signal: AbortSignal,
): Promise<string | undefined> {
  if (fields.port === undefined) return undefined;
  const variable = await publishedBy(app.project, fields.port.entry.name, signal);
  const resolved = variable === undefined ? undefined : all.resolve(variable, environment);
  return resolved?.state === 'set' && /^\d{1,5}$/.test(resolved.text.trim()) ? resolved.text.trim() : undefined;
}

async function addGroup(
  app: AppFolder,
  all: Environment,
  { name: environment, groups }: { readonly name: string; readonly groups: readonly Group[] },
  group: Group,
  collector: Collector,
  signal: AbortSignal,
): Promise<void> {
  const { prefix, fields, file, line } = group;
  const text = (field: keyof Group['fields']): string | undefined => {
    const definition = fields[field];
    const resolved = definition && all.expand(definition, environment);
    return resolved?.state === 'set' ? resolved.text.trim() : undefined;
  };
  const host = text('host');
  const written = text('port');
  const outside = LOCAL.test(host ?? '') ? await portOutside(app, all, { environment, group }, signal) : undefined;
  const port = outside ?? written;
  const missing = Object.values(fields).flatMap((definition) => {
    const resolved = definition && all.expand(definition, environment);
    return resolved?.state === 'missing' ? resolved.names : [];
  });
  const database = text('database');
  // No server's database is called so: the name says that a file is used.
  const said = text('kind') ?? (/^sqlite3?$/i.test(database ?? '') ? database : undefined);
  const engine = await engineOf(app, { prefix, said, port: written });
  const place = placeOf(prefix.toLowerCase(), file, line, environment, rankOfGroup(prefix));
  const path = text('file');
  const isPath =
    FILE_GROUP.test(prefix) &&
    isSqlitePath(path ?? '') &&
    text('kind') === undefined &&
    groups.every(({ fields }) => fields.host === undefined);
  if (engine.kind === 'sqlite' || isPath) {
    if (path && !usesServer(all, environment)) collector.file(app, place, path);
  } else if (missing.length > 0) {
    const names = [...new Set(missing)].slice(0, 5).join(', ');
    collector.skip(file, line, `${prefix}_*: refers to ${names}, which the .env files do not set`);
  } else if (host === undefined || database === undefined) return;
  else if (engine.kind === undefined) collector.skip(file, line, `${prefix}_*: ${engine.reason}`);
  else {
    const account = { user: text('user'), password: text('password'), database };
    collector.server(app, place, { kind: engine.kind, host, port, ...account });
  }
}
