import type { ServerKind } from '@devdb/shared/engines';
import type { AppFolder } from '../app-folder.ts';
import { Collector, type Place } from '../collector.ts';
import type { Detector } from '../detector.ts';
import { environmentOf } from '../environment-names.ts';
import { readConnectionString } from '../readers/ado-net.ts';
import { engineKindOf } from '../readers/engine-names.ts';
import { readJsonc } from '../readers/jsonc.ts';
import { at, entriesOf, type Located, textOf } from '../readers/located.ts';
import { type AdoKind, engineOfOptions, isOfPart, kindOfString, namesEngine } from './dotnet-kind.ts';
import { type ProjectTexts, projectTexts } from './dotnet-projects.ts';
import { launchStrings } from './launch-settings.ts';

const NAME = 'dotnet';
/** A module of a program may have its own: `catalogs.appsettings.json`. */
const SETTINGS = /^(?:[\w-]+\.)?appsettings(?:\.([\w-]+))?\.json$/i;
const PROJECT = /\.(cs|fs|vb)proj$/i;
const USER_SECRETS = /<UserSecretsId>/i;

interface ConnectionString {
  readonly name: string;
  readonly section: string;
  readonly text: string;
  readonly file: string;
  readonly line: number;
  readonly environment: string;
  /** The engine as the settings name it. */
  readonly provider: string | undefined;
  /** The engine that its name or the settings around it speak of, for a text that does not say its own. */
  readonly hint: string | undefined;
  /** It is that of a part beside the application's own data. */
  readonly beside: true | undefined;
}

const MAX_DEPTH = 3;
/** Strings for jobs, logs and accounts come after the application's own. */
const LATER = 5;
const CONNECTION = /^Conn(ection)?Str(ing)?$/i;
/** A section of one's own in place of `ConnectionStrings`: `Data: { Web: "Data Source=web.db" }`. */
const SECTION = /^(Data|Databases?|Db|Connections?)$/i;
const PROVIDERS = ['Provider', 'DatabaseProvider', 'DbProvider', 'DatabaseType', 'DbType'];

/** The connection strings of .NET applications: `appsettings.json`, overridden by `appsettings.Development.json`. */
export const dotnet: Detector = {
  name: NAME,
  looksFor: [
    'appsettings.json',
    'appsettings.Development.json',
    'appsettings.<environment>.json',
    '<module>.appsettings.json',
    'connection strings among the variables of Properties/launchSettings.json',
  ],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    for (const app of await project.apps(signal)) {
      if (app.files(SETTINGS).length > 0 || app.has('Properties')) await readApp(app, collector);
    }
    return collector.detection;
  },
};

async function readApp(app: AppFolder, collector: Collector): Promise<void> {
  const projects = await projectTexts(app);
  const holding = new Map<string, ConnectionString>();
  for (const name of orderedSettings(app)) {
    for (const one of await readSettings(app, name, collector)) {
      // A value for Development replaces the common one.
      holding.set(keyOf(one), one);
    }
  }
  // The program takes a variable before what its settings say.
  for (const one of await launchStrings(app, collector)) {
    const held = { ...one, section: '', provider: undefined, hint: engineOfOptions(one.name), beside: undefined };
    holding.set(keyOf(held), held);
  }
  let rank = 0;
  const names = new Set<string>();
  for (const one of holding.values()) {
    const named = { ...one, name: names.has(nameOf(one)) ? `${one.section}.${one.name}` : one.name };
    names.add(nameOf(one));
    const isLater = isOfPart(one.name) || /identity/i.test(one.name);
    add(app, collector, named, projects, (isLater ? LATER : 0) + rank++);
  }
  if (holding.size === 0 && app.files(SETTINGS).length > 0 && USER_SECRETS.test(projects.own)) {
    const [file = ''] = app.files(PROJECT);
    collector.skip(
      app.path(file),
      undefined,
      'keeps settings in user secrets, which are not read; name the database in .devdbrc',
    );
  }
}

function keyOf({ environment, section, name }: ConnectionString): string {
  return JSON.stringify([environment, section, name]);
}

function nameOf({ environment, name }: ConnectionString): string {
  return JSON.stringify([environment, name]);
}

/** The common file first, then Development, then others. */
function orderedSettings(app: AppFolder): string[] {
  const order = (name: string): number => {
    const environment = SETTINGS.exec(name)?.[1];
    return environment === undefined ? 0 : environmentOf(environment) === '' ? 1 : 2;
  };
  return [...app.files(SETTINGS)].sort((a, b) => order(a) - order(b));
}

async function readSettings(app: AppFolder, name: string, collector: Collector): Promise<ConnectionString[]> {
  const file = app.path(name);
  const text = await collector.textOf(app, file);
  if (text === undefined) return [];
  const { value, problems } = readJsonc(text.replace(/^\uFEFF/, ''));
  for (const { line, reason } of problems) collector.skip(file, line, reason, true);
  const environment = environmentOf(SETTINGS.exec(name)?.[1] ?? '').toLowerCase();
  return [...stringsIn(value, 0)].flatMap(({ name, section, located, provider, hint, beside }): ConnectionString[] => {
    const text = textOf(located) ?? '';
    if (text === '')
      collector.skip(file, located.line, `${name} is empty; user secrets and the environment are not read`);
    return text === '' ? [] : [{ name, section, text, file, line: located.line, environment, provider, hint, beside }];
  });
}

interface NamedString {
  readonly name: string;
  /** What holds its `ConnectionStrings`; '' at the top. Modules of one program may use the same name. */
  readonly section: string;
  readonly located: Located;
  readonly provider: string | undefined;
  readonly hint?: string | undefined;
  readonly beside?: true | undefined;
}

/**
 * `ConnectionStrings: { ... }`, also of a module, and `ConnectionString` where its provider stands beside it, its section
 * is called like one (`PostgresOptions`), or the text itself says enough.
 */
function* stringsIn(tree: Located | undefined, depth: number, section = ''): Generator<NamedString> {
  if (tree === undefined || depth > MAX_DEPTH) return;
  const type = textOf(at(tree, 'Type'));
  const provider =
    PROVIDERS.map((name) => textOf(at(tree, name))).find((text) => text !== undefined) ??
    // Other services have a type too.
    (type !== undefined && engineKindOf(type.toLowerCase()) !== undefined ? type : undefined);
  const only = SECTION.test(section) ? onlyString(tree) : undefined;
  for (const [key, located] of entriesOf(tree)) {
    if (key === 'ConnectionStrings') {
      for (const [inner, text] of entriesOf(located)) {
        const hint = engineOfOptions(inner) ?? provider ?? switchedOn(tree);
        yield { name: inner, section, located: text, provider: undefined, hint };
      }
    } else if (CONNECTION.test(key) && provider !== undefined) yield { name: section, section: '', located, provider };
    else if (CONNECTION.test(key) && namesEngine(textOf(located) ?? '', section)) {
      const beside = isOfPart(section) || undefined;
      yield { name: section || key, section: '', located, provider: engineOfOptions(section), beside };
    } else if (only === located)
      yield { name: key, section: '', located, provider: undefined, beside: isOfPart(key) || undefined };
    else yield* stringsIn(located, depth + 1, key);
  }
}

/** The one engine that a switch chooses: `UseMySql: true`. */
function switchedOn(tree: Located): string | undefined {
  const on = entriesOf(tree).flatMap(([key, value]) => {
    const [, word] = /^Use(\w{1,30})$/i.exec(key) ?? [];
    return word !== undefined && /^true$/i.test(textOf(value) ?? '') && engineKindOf(word) !== undefined ? [word] : [];
  });
  return on.length === 1 ? on[0] : undefined;
}

/** Of several texts a switch beside them chooses, which only the program reads, as it does one for a database in memory. */
function onlyString(section: Located): Located | undefined {
  const entries = entriesOf(section);
  if (entries.some(([key, value]) => /memory/i.test(key) && /^true$/i.test(textOf(value) ?? ''))) return undefined;
  const [first, ...others] = entries.filter(([, value]) => namesEngine(textOf(value) ?? '', ''));
  return others.length === 0 ? first?.[1] : undefined;
}

function add(app: AppFolder, collector: Collector, one: ConnectionString, projects: ProjectTexts, rank: number): void {
  const { name, file, line, environment, beside } = one;
  const what = environment === '' ? name : `${name}@${environment}`;
  const place = { what, file, line, environment, rank, beside };
  const pairs = readConnectionString(one.text);
  if (pairs === undefined) {
    collector.skip(file, line, `${name}: is not a readable connection string`);
    return;
  }
  const kind = kindOfString(pairs, projects, one.provider, one.hint);
  if (typeof kind === 'string') collector.skip(file, line, `${name}: ${kind}`);
  else if (kind.kind === 'sqlite') addFile(app, collector, place, kind);
  else addServer(app, collector, place, { ...kind, kind: kind.kind });
}

function addFile(app: AppFolder, collector: Collector, place: Place, { field, pairs }: AdoKind): void {
  const path = (field('datasource', 'filename') ?? '').replaceAll('\\', '/');
  const inMemory = pairs.get('mode')?.toLowerCase() === 'memory';
  if (/\|\w+\|/.test(path)) {
    collector.skip(place.file, place.line, `${place.what}: |DataDirectory| is only known when the program runs`);
  } else collector.file(app, place, inMemory ? ':memory:' : path);
}

function addServer(
  app: AppFolder,
  collector: Collector,
  place: Place,
  { kind, field, pairs }: AdoKind & { readonly kind: ServerKind },
): void {
  const refuse = (reason: string): void => collector.skip(place.file, place.line, `${place.what}: ${reason}`);
  const server = field('server', 'host', 'datasource', 'address', 'addr', 'networkaddress') ?? '';
  const { host, port, instance } = serverOf(server);
  const integrated = field('integratedsecurity', 'trusted_connection') ?? 'false';
  if (/^\(localdb\)/i.test(server))
    refuse(
      'LocalDB is only reachable through a Windows pipe; name a server in .devdbrc, such as SQL Server in a container with a login and a password',
    );
  else if (/^(true|yes|sspi)$/i.test(integrated))
    refuse(
      'uses Windows authentication, which DevDB does not support; give a user and a password: name the server in .devdbrc with a SQL Server login',
    );
  else if (host.includes(',')) refuse('names several hosts; DevDB connects to one');
  else {
    collector.server(app, place, {
      kind,
      host: instance === undefined ? host : `${host}\\${instance}`,
      port: port ?? field('port'),
      user: field('userid', 'uid', 'user', 'username'),
      password: field('password', 'pwd'),
      database: field('database', 'initialcatalog'),
      options: encryption(kind, pairs),
    });
  }
}

/** `tcp:host\instance,port` */
function serverOf(text: string): { host: string; port: string | undefined; instance: string | undefined } {
  const match = /^(?:tcp:)?([^\\,]*)(?:\\([^,]+))?(?:,\s*(\d+))?$/i.exec(text.trim());
  if (match === null) return { host: text, port: undefined, instance: undefined };
  const [, written = '', instance, port] = match;
  const host = written === '.' || written.toLowerCase() === '(local)' ? 'localhost' : written;
  return { host, port, instance: port === undefined ? instance : undefined };
}

function encryption(kind: ServerKind, pairs: ReadonlyMap<string, string>): Record<string, unknown> {
  const names: Readonly<Record<ServerKind, Readonly<Record<string, string>>>> = {
    mssql: { encrypt: 'encrypt', trustservercertificate: 'trustServerCertificate' },
    postgres: { sslmode: 'sslmode', rootcertificate: 'sslrootcert' },
    mysql2: { sslmode: 'sslmode', sslca: 'sslca' },
  };
  const known = Object.entries(names[kind]).flatMap(([from, to]) => {
    const value = pairs.get(from);
    if (value === undefined) return [];
    const plain = /^(true|yes)$/i.test(value) ? true : /^(false|no)$/i.test(value) ? false : value.toLowerCase();
    return [[to, to === 'sslrootcert' || to === 'sslca' ? value : plain] as const];
  });
  return Object.fromEntries(known);
}
