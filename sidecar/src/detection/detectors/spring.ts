import { posix } from 'node:path';
import { Secret } from '../../host/secret.ts';
import type { AppFolder } from '../app-folder.ts';
import { Collector, type Place } from '../collector.ts';
import type { Detector } from '../detector.ts';
import type { Environment } from '../environment.ts';
import { environmentInName, environmentOf } from '../environment-names.ts';
import { readJdbc } from '../readers/jdbc.ts';
import { readDatabaseUrl } from '../readers/url.ts';
import { devServices } from './quarkus-dev-services.ts';
import { type Document, Documents } from './spring-documents.ts';

const NAME = 'spring';
const MARKERS = ['pom.xml', 'build.gradle', 'build.gradle.kts'];
const GRAILS = 'grails-app/conf';
const FOLDERS = ['src/main/resources', 'config', 'src/main/resources/config', GRAILS];
const FILE = /^application(?:-([\w-]+))?\.(properties|ya?ml)$/;
/** With spring.config.name an application names its settings as it likes. */
const OTHER_FILE = /^[\w-]+\.(properties|ya?ml)$/;
const HAS_SOURCE = [/^spring:/m, /^ +datasource:/m];
/** The application's own source, before those of parts such as a scheduler. */
const OWN = /^(spring|quarkus)\.(datasource|r2dbc)(\.jdbc)?$/;
const URL_KEY = /^(.*\.)?(jdbc-?url|url)$/i;

/** The data sources of Spring and Grails applications: `application.properties`, `application.yml`, and the files of profiles. */
export const spring: Detector = {
  name: NAME,
  looksFor: [
    'src/main/resources/application.properties',
    'application.yml',
    'application-<profile>.*',
    'grails-app/conf/application.yml',
  ],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    for (const app of await project.apps(signal)) {
      if (!MARKERS.some((marker) => app.has(marker))) continue;
      const environment = await project.environment(app, signal);
      for (const folder of FOLDERS.filter((one) => app.has(one.split('/')[0] ?? ''))) {
        await readFolder(app, folder, environment, collector, signal);
      }
      await addEmbedded(app, collector);
    }
    return collector.detection;
  },
};

/** Without a URL, Spring starts the embedded engine that is among the packages. */
async function addEmbedded(app: AppFolder, collector: Collector): Promise<void> {
  const { found } = collector.detection;
  if (found.some(({ environment, source }) => environment === undefined && source.file.startsWith(app.path(''))))
    return;
  for (const marker of MARKERS.filter((name) => app.has(name))) {
    const read = await app.read(marker);
    const engine = read.state === 'text' ? /com\.h2database|org\.hsqldb/.exec(read.text)?.[0] : undefined;
    if (engine === undefined) continue;
    const name = engine === 'com.h2database' ? 'H2' : 'HSQLDB';
    const reason = `the application has no other data source for development than ${name} in its own process, which DevDB cannot reach; name a database in .devdbrc`;
    collector.skipEngine(app.path(marker), undefined, reason);
  }
}

async function readFolder(
  app: AppFolder,
  folder: string,
  environment: Environment,
  collector: Collector,
  signal: AbortSignal,
): Promise<void> {
  const listing = await app.project.list(app.path(folder), { files: OTHER_FILE }, signal);
  if (listing.state !== 'listed') return;
  const usual = listing.items.filter(({ name }) => FILE.test(name));
  const documents = new Documents();
  for (const { name } of usual.length > 0 ? usual : listing.items) {
    const file = app.path(posix.join(folder, name));
    const text = await collector.textOf(app, file);
    if (text === undefined || (usual.length === 0 && !HAS_SOURCE.every((part) => part.test(text)))) continue;
    for (const { line, reason } of documents.add(file, text, FILE.exec(name)?.[1] ?? '')) {
      collector.skip(file, line, reason, true);
    }
  }
  const base = documents.all.filter(({ profile }) => profile === '');
  const active = activeProfiles(new Resolver(base, environment, ''));
  for (const profile of documents.profiles) {
    const own = documents.all.filter((document) => document.profile === profile);
    // A profile that does not mention the data source is not another database.
    const use = { profile, active: active.has(profile) };
    await readProfile(app, use, profile === '' ? base : [...base, ...own], own, environment, collector);
  }
}

/** The profiles that the settings themselves switch on, but for those of tests and production. */
function activeProfiles(resolver: Resolver): ReadonlySet<string> {
  const keys = ['spring.profiles.active', 'spring.profiles.include'];
  const texts = keys.flatMap((key) => [key, ...[0, 1, 2, 3].map((index) => `${key}[${index}]`)]);
  const names = texts.flatMap((key) => resolver.text(resolver.property(key)?.value ?? '').split(','));
  return new Set(names.map((name) => name.trim()).filter((name) => name !== '' && environmentInName(name) === ''));
}

interface ProfileUse {
  readonly profile: string;
  readonly active: boolean;
}

async function readProfile(
  app: AppFolder,
  { profile, active }: ProfileUse,
  all: readonly Document[],
  own: readonly Document[],
  environment: Environment,
  collector: Collector,
): Promise<void> {
  const name = active ? '' : environmentOf(profile);
  const resolver = new Resolver(all, environment, name);
  const prefixes = new Set(own.flatMap(({ values }) => [...values.keys()]).flatMap(prefixOf));
  for (const prefix of [...prefixes].sort((a, b) => Number(OWN.test(b)) - Number(OWN.test(a)))) {
    const urlKey = ['url', 'jdbc-url', 'jdbcUrl', 'jdbcurl'].find((key) => resolver.has(`${prefix}.${key}`));
    if (urlKey === undefined) continue;
    const url = resolver.property(`${prefix}.${urlKey}`);
    if (url === undefined || !/^(jdbc|r2dbc):|^\$\{/.test(url.value)) continue;
    const what = [prefix.replace(/^spring\./, ''), profile].filter((part) => part !== '').join('@');
    // Quarkus puts the profile in front of the key.
    const [, own = ''] = /^%([\w-]+)\./.exec(prefix) ?? [];
    const belongs = own === '' ? name : environmentOf(own);
    const rank = rankOf({ profile, active });
    const place = { what, file: url.file, line: url.line, environment: belongs, rank };
    await addSource(app, collector, place, prefix, url.value, resolver);
  }
  for (const service of devServices(own, resolver)) {
    const environmentOfService = service.profile === '' ? name : environmentOf(service.profile);
    const place = { what: service.what, file: service.file, line: service.line, environment: environmentOfService };
    collector.server(app, { ...place, rank: rankOf({ profile, active: false }) }, service.parts);
  }
}

/**
 * In development a profile wins over the general file, and the one that is switched on over the others. Of those `local`
 * is for the developer's own machine, where `dev` may be a server that many share.
 */
function rankOf({ profile, active }: ProfileUse): number {
  if (active) return 0;
  return profile === '' ? 3 : profile === 'local' ? 1 : 2;
}

/** Quarkus keeps the account beside the URL's group, and for all profiles without the profile's prefix. */
function accountKeys(prefix: string, key: string): string[] {
  const group = prefix.replace(/\.(jdbc|reactive)$/, '');
  return [prefix, group, group.replace(/^%[\w-]+\./, '')].map((one) => `${one}.${key}`);
}

/** The group a data source's key belongs to. */
function prefixOf(key: string): string[] {
  const prefix = key.slice(0, key.lastIndexOf('.'));
  const last = key.slice(key.lastIndexOf('.') + 1);
  return (URL_KEY.test(last) || /^(username|password)$/.test(last)) && /datasource|r2dbc|db|database/i.test(prefix)
    ? [prefix]
    : [];
}

async function addSource(
  app: AppFolder,
  collector: Collector,
  place: Place,
  prefix: string,
  written: string,
  resolver: Resolver,
): Promise<void> {
  const { file, line, what } = place;
  const texts = { url: resolver.text(written), user: '', password: '' };
  for (const [field, key] of [
    ['user', 'username'],
    ['password', 'password'],
  ] as const) {
    const property = accountKeys(prefix, key)
      .map((one) => resolver.property(one))
      .find((one) => one !== undefined);
    texts[field] = resolver.text(property?.value ?? '');
  }
  if (resolver.missing.length > 0) {
    const names = [...new Set(resolver.missing)].slice(0, 5).join(', ');
    resolver.missing.length = 0;
    collector.skip(file, line, `${what}: refers to ${names}, which neither the settings nor the .env files set`);
    return;
  }
  const jdbc = readJdbc(texts.url);
  if ('reason' in jdbc) {
    const reason = `${what}: the URL ${jdbc.reason}`;
    if (jdbc.otherEngine && !place.environment) collector.skipEngine(file, line, reason);
    else collector.skip(file, line, reason);
  } else if ('path' in jdbc) collector.file(app, place, jdbc.path);
  else {
    const url = readDatabaseUrl(jdbc.url);
    if (url.kind === 'problem') collector.skip(file, line, `${what}: the URL ${url.reason}`);
    else if (url.kind !== 'sqlite') {
      const { host, port, user, password, database, options } = url.target;
      const secret = texts.password === '' ? password : new Secret(texts.password);
      collector.server(app, place, {
        kind: url.kind,
        host,
        port,
        user: texts.user || user,
        password: secret?.open(),
        database,
        options,
      });
    }
  }
}

/** Fills in `${...}`: from other settings, then from variables, then from the default after the colon. */
class Resolver {
  readonly missing: string[] = [];
  readonly #documents: readonly Document[];
  readonly #environment: Environment;
  readonly #name: string;
  #steps = 0;

  constructor(documents: readonly Document[], environment: Environment, name: string) {
    this.#documents = documents;
    this.#environment = environment;
    this.#name = name;
  }

  has(key: string): boolean {
    return this.property(key) !== undefined;
  }

  /** The last document that defines it wins. */
  property(key: string): { readonly value: string; readonly file: string; readonly line: number } | undefined {
    const document = this.#documents.findLast(({ values }) => values.has(key));
    const property = document?.values.get(key);
    return document && property ? { ...property, file: document.file } : undefined;
  }

  text(written: string): string {
    this.#steps = 0;
    return this.#text(written);
  }

  #text(written: string): string {
    let out = '';
    let at = 0;
    while (at < written.length) {
      const start = written.indexOf('${', at);
      if (start === -1 || this.#steps > 200) return out + written.slice(at);
      this.#steps += 1;
      const end = closing(written, start + 2);
      if (end === undefined) return out + written.slice(at);
      out += written.slice(at, start) + this.#reference(written.slice(start + 2, end));
      at = end + 1;
    }
    return out;
  }

  #reference(inner: string): string {
    const [, name = '', fallback] = /^([^:]*)(?::([\s\S]*))?$/.exec(inner) ?? [];
    const property = this.property(name);
    if (property) return this.#text(property.value);
    for (const variable of [name, name.replaceAll(/[.-]/g, '_').toUpperCase()]) {
      const resolved = this.#environment.resolve(variable, this.#name);
      if (resolved.state === 'set') return resolved.text;
    }
    if (fallback !== undefined) return this.#text(fallback);
    this.missing.push(name);
    return '';
  }
}

function closing(text: string, from: number): number | undefined {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text.startsWith('${', at)) depth += 1;
    if (text[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}
