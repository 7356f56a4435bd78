import { isAbsolute, relative, resolve } from 'node:path';
import type { AppFolder } from '../app-folder.ts';
import { Collector, type Place } from '../collector.ts';
import type { Detector } from '../detector.ts';
import { DOCTRINE_FILES, PARAMETER_FILES } from '../doctrine-files.ts';
import type { Environment } from '../environment.ts';
import { environmentOf } from '../environment-names.ts';
import { engineKindOf } from '../readers/engine-names.ts';
import { readJsonc } from '../readers/jsonc.ts';
import { at, entriesOf, type Located, textOf } from '../readers/located.ts';
import { readYaml } from '../readers/yaml.ts';

const NAME = 'symfony';
/** `%name%`, but not `%env(NAME)%`. */
const PARAMETER = /%([A-Za-z_][\w.-]{0,100})%/g;
/** Parameters may refer to parameters; real projects do not nest them deeper. */
const MAX_ROUNDS = 5;
const MAX_CHARS = 16 * 1024;
const REFERENCE = /%env\(([^()%]+)\)%/g;
/** A value of a JSON file whose path a variable holds. */
const FROM_JSON = /%env\((?:string:)?key:(\w+):json:file:(\w+)\)%/g;
/** Processors that leave a value unchanged. */
const PLAIN: ReadonlySet<string> = new Set(['resolve', 'string', 'int', 'trim', 'not_empty']);

/** The Doctrine connections of a Symfony application. */
export const symfony: Detector = {
  name: NAME,
  looksFor: DOCTRINE_FILES,
  async detect(project, signal) {
    const collector = new Collector(NAME);
    for (const app of await project.apps(signal)) {
      if (!app.has('config') || !(app.has('symfony.lock') || app.has('composer.json'))) continue;
      const environment = await project.environment(app, signal);
      const parameters = await readParameters(app, collector);
      const files = await readFiles(app, environment, parameters, collector);
      const scope = { environment, parameters, files };
      for (const name of DOCTRINE_FILES) await readDoctrine(app, name, scope, collector);
    }
    return collector.detection;
  },
};

/** What the texts of Doctrine's settings may refer to. */
interface Scope {
  readonly environment: Environment;
  readonly parameters: ReadonlyMap<string, string>;
  /** The JSON files whose paths variables hold, by the variable. */
  readonly files: ReadonlyMap<string, Located>;
}

async function readParameters(app: AppFolder, collector: Collector): Promise<ReadonlyMap<string, string>> {
  const parameters = new Map<string, string>();
  for (const name of PARAMETER_FILES) {
    const text = await collector.textOf(app, app.path(name));
    if (text === undefined) continue;
    for (const [key, value] of entriesOf(at(readYaml(text).value, 'parameters'))) {
      const said = textOf(value);
      if (said !== undefined) parameters.set(key, said);
    }
  }
  return parameters;
}

/** The JSON files that parameters take values from, as Symfony's documentation does with a file of secrets. */
async function readFiles(
  app: AppFolder,
  environment: Environment,
  parameters: ReadonlyMap<string, string>,
  collector: Collector,
): Promise<ReadonlyMap<string, Located>> {
  const files = new Map<string, Located>();
  const texts = [...parameters.values()];
  for (const name of DOCTRINE_FILES) texts.push((await collector.textOf(app, app.path(name))) ?? '');
  const variables = texts.flatMap((text) => [...text.matchAll(FROM_JSON)].map(([, , variable = '']) => variable));
  for (const variable of new Set(variables)) {
    const resolved = environment.resolve(variable);
    const path = resolved.state === 'set' ? withParameters(app, resolved.text, { parameters }, '') : '';
    const file = relative(app.absolute(), resolve(app.absolute(), path)).replaceAll('\\', '/');
    if (path === '' || file.startsWith('..') || isAbsolute(file)) continue;
    const text = await collector.textOf(app, app.path(file));
    const { value } = text === undefined ? {} : readJsonc(text);
    if (value !== undefined) files.set(variable, value);
  }
  return files;
}

/** Fills in `%name%`; what has no value here stays as it is. */
function withParameters(
  app: AppFolder,
  text: string,
  { parameters }: Pick<Scope, 'parameters'>,
  environment: string,
): string {
  const name = environment === '' ? 'dev' : environment;
  const kernel = new Map([
    ['kernel.environment', name],
    ['kernel.project_dir', app.absolute()],
    ['kernel.cache_dir', app.absolute(`var/cache/${name}`)],
    ['kernel.build_dir', app.absolute(`var/cache/${name}`)],
    ['kernel.logs_dir', app.absolute('var/log')],
    ['kernel.debug', name === 'dev' ? '1' : ''],
  ]);
  let value = text;
  for (let round = 0; round < MAX_ROUNDS && value.length < MAX_CHARS; round += 1) {
    value = value.replace(PARAMETER, (whole, key: string) => kernel.get(key) ?? parameters.get(key) ?? whole);
  }
  return value;
}

async function readDoctrine(app: AppFolder, name: string, scope: Scope, collector: Collector): Promise<void> {
  const file = app.path(name);
  const text = await collector.textOf(app, file);
  if (text === undefined) return;
  const { value, problems } = readYaml(text);
  for (const { line, reason } of problems) collector.skip(file, line, reason, true);
  for (const [section, settings] of entriesOf(value)) {
    const when = section === 'doctrine' ? '' : /^when@(\w+)$/.exec(section)?.[1];
    const dbal = at(settings, ...(section === 'doctrine' ? ['dbal'] : ['doctrine', 'dbal']));
    if (when === undefined || dbal === undefined) continue;
    const several = entriesOf(at(dbal, 'connections'));
    const chosen = textOf(at(dbal, 'default_connection'));
    const connections = several.length > 0 ? several : [['default', dbal] as const];
    for (const [what, connection] of connections) {
      const rank = what === (chosen ?? connections[0]?.[0]) ? 0 : 1;
      const place = { what, file, line: connection.line, environment: environmentOf(when), rank };
      await addConnection(app, collector, scope, place, connection);
    }
  }
}

async function addConnection(
  app: AppFolder,
  collector: Collector,
  scope: Scope,
  place: Place,
  connection: Located,
): Promise<void> {
  const { file, what } = place;
  const put = (field: string): string | undefined => {
    const located = at(connection, field);
    const text = textOf(located);
    if (text === undefined || failed) return undefined;
    const value = withVariables(
      withParameters(app, text, scope, place.environment ?? ''),
      scope,
      place.environment ?? '',
    );
    if ('text' in value) return value.text;
    failed = true;
    collector.skip(file, located?.line, `${what}: ${field} ${value.reason}`);
    return undefined;
  };
  let failed = false;
  const url = put('url');
  const path = put('path');
  const driver = put('driver') ?? '';
  const kind = engineKindOf(driver);
  const parts = {
    host: put('unix_socket') ?? put('host'),
    port: put('port'),
    user: put('user'),
    password: put('password'),
    database: put('dbname'),
  };
  if (failed) return;
  if (url !== undefined && url !== '') await collector.url(app, place, url);
  else if (kind === 'sqlite') {
    collector.file(
      app,
      place,
      (path ?? '').replace('%kernel.project_dir%', () => app.absolute()),
    );
  } else if (kind !== undefined) collector.server(app, place, { kind, ...parts });
  // An environment's section that only changes a detail names no database.
  else if (parts.host !== undefined || parts.database !== undefined || url === '') {
    collector.skip(file, place.line, `${what}: has neither a url nor a driver that DevDB supports`);
  }
}

function withVariables(
  text: string,
  { environment, parameters, files }: Scope,
  name: string,
): { readonly text: string } | { readonly reason: string } {
  let reason: string | undefined;
  const withFiles = (said: string): string =>
    said.replace(FROM_JSON, (whole, key: string, file: string) => textOf(at(files.get(file), key)) ?? whole);
  const value = withFiles(text).replace(REFERENCE, (_whole, inner: string) => {
    const parts = inner.split(':');
    const variable = parts.pop() ?? '';
    if (!parts.every((part) => PLAIN.has(part))) {
      reason ??= 'is computed in a way that DevDB does not follow';
      return '';
    }
    const resolved = environment.resolve(variable, name);
    if (resolved.state === 'set') return resolved.text;
    const otherwise = withFiles(parameters.get(`env(${variable})`) ?? '');
    if (otherwise.includes('%env(')) reason ??= 'is computed in a way that DevDB does not follow';
    if (otherwise !== '') return otherwise;
    reason ??= `refers to ${resolved.names.slice(0, 5).join(', ')}, which the .env files do not set`;
    return '';
  });
  return reason === undefined ? { text: value } : { reason };
}
