import { join } from 'node:path';
import type { AppFolder } from '../app-folder.ts';
import { CodeFile } from '../code-file.ts';
import { Collector, type ServerParts } from '../collector.ts';
import { addDescribed, type FieldNames, wordOf } from '../connection-fields.ts';
import type { Detector } from '../detector.ts';
import type { Definition, Environment } from '../environment.ts';
import { Evaluator } from '../readers/code/evaluate.ts';
import type { Expr } from '../readers/code/expression.ts';
import { bindingsOf, exported } from '../readers/code/program.ts';
import { engineKindOf } from '../readers/engine-names.ts';

const NAME = 'laravel';
const VARIABLE = /^DB_(CONNECTION|URL|HOST|PORT|DATABASE|USERNAME|PASSWORD|SOCKET)$/;
/** Laravel reads these words as no value. */
const NOTHING = /^\(?(null|empty)\)?$/i;
const CONFIGS = ['config/database.php', 'app/Config/database.php'];
/** What the framework's own configuration chooses, where the application has none. */
const FRAMEWORK_DEFAULT = 'sqlite';
/** The templates in every new application; only the chosen one is in use. */
const STOCK: ReadonlySet<string> = new Set(['sqlite', 'mysql', 'mariadb', 'pgsql', 'sqlsrv']);
const FIELDS: FieldNames = {
  url: ['url'],
  host: ['unix_socket', 'host'],
  port: ['port'],
  user: ['username'],
  password: ['password'],
  database: ['database'],
  file: ['database'],
  ssl: ['sslmode'],
  encrypt: ['encrypt'],
  trust: ['trust_server_certificate'],
};

/** The connection chosen in a Laravel application's `.env`, and additional connections in `config/database.php`. */
export const laravel: Detector = {
  name: NAME,
  looksFor: ['.env with DB_CONNECTION beside artisan', 'config/database.php'],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    for (const app of await project.apps(signal)) {
      if (!app.has('artisan')) continue;
      const environment = await project.environment(app, signal);
      const config = await readConfig(app, environment, collector);
      const chosen = config?.chosen ?? FRAMEWORK_DEFAULT;
      const sqliteFile = (config && sqliteFileOf(config)) ?? SQLITE_FILE;
      const own = environment.environments.filter((name) => sets(environment, name));
      for (const name of own) await readChosen(app, environment, name, { chosen, sqliteFile, config }, collector);
      if (config) await readOthers(app, config, collector);
      if (own.length > 0) continue;
      const stock = config && STOCK.has(chosen) ? config.connections.get(chosen) : undefined;
      // Without variables the configuration's own fallbacks hold; the framework's file is a template.
      if (environment.sets.has('') && chosen === 'sqlite') {
        const place = { what: chosen, file: config?.code.file ?? app.path('.env'), line: stock?.line };
        collector.file(app, place, sqliteFile);
      } else collector.skip(app.path('.env'), undefined, 'sets no DB_CONNECTION; copy .env.example to begin');
    }
    return collector.detection;
  },
};

function sets(environment: Environment, name: string): boolean {
  return environment.sets.get(name)?.some(({ entry }) => VARIABLE.test(entry.name)) ?? false;
}

/** What the configuration says, or the framework's own. */
interface Configured {
  readonly chosen: string;
  readonly sqliteFile: string;
  readonly config: Config | undefined;
}

async function readChosen(
  app: AppFolder,
  environment: Environment,
  name: string,
  { chosen, sqliteFile, config }: Configured,
  collector: Collector,
): Promise<void> {
  const own = environment.sets.get(name)?.findLast(({ entry }) => VARIABLE.test(entry.name));
  const first = environment.sets.get(name)?.find(({ entry }) => entry.name === 'DB_CONNECTION') ?? own;
  if (first === undefined) return;
  const { file } = own ?? first;
  const line = file === first.file ? first.entry.line : own?.entry.line;
  const values = new Values(environment, name);
  const named = values.get('DB_CONNECTION') ?? '';
  const connection = named || fallback(chosen, values);
  const url = values.get('DB_URL') ?? '';
  const kind = engineKindOf(connection);
  const what = name === '' ? connection : `${connection}@${name}`;
  const place = { what, file, line, environment: name };
  const variables = {
    host: values.get('DB_SOCKET') || values.get('DB_HOST') || '127.0.0.1',
    port: values.get('DB_PORT'),
    user: values.get('DB_USERNAME'),
    password: values.get('DB_PASSWORD'),
    database: values.get('DB_DATABASE'),
  };
  const configured = config && databaseIn(config, connection, new Values(environment, name));
  if (values.missing.length > 0) {
    collector.skip(file, line, `refers to ${values.missing.join(', ')}, which the .env files do not set`);
  } else if (connection === '') collector.skip(file, line, 'sets no DB_CONNECTION');
  else if (kind === undefined) {
    // The application's own connections are reported when those are read.
    if (!app.has('config')) collector.skip(file, line, 'DB_CONNECTION names an engine that DevDB does not support');
  } else if (url !== '') await collector.url(app, place, url);
  else if (kind === 'sqlite' && named === '' && describesServer(variables)) {
    collector.skip(file, line, 'describes the database of a server, but sets no DB_CONNECTION that says which');
  } else if (kind === 'sqlite') collector.file(app, place, configured || variables.database || sqliteFile);
  else collector.server(app, place, { kind, ...variables, database: configured || variables.database });
}

/** What the configuration makes of the variables, e.g. `database_path(env('DB_DATABASE'))`. */
function databaseIn({ code, connections }: Config, connection: string, values: Values): string | undefined {
  const evaluator = new Evaluator({
    bindings: bindingsOf(code.program),
    env: (variable) => {
      const text = values.get(variable);
      return text === undefined ? { missing: [variable] } : { text };
    },
    file: join(code.app.project.root, code.file),
    root: code.app.absolute(),
  });
  const object = connections.get(connection);
  const database = object && evaluator.field(object, 'database');
  const value = database && evaluator.value(database);
  return value?.ok && typeof value.value === 'string' ? value.value : undefined;
}

/** Where the framework keeps the file that nothing names. */
const SQLITE_FILE = 'database/database.sqlite';

/** The file that the configuration names where no variable does. */
function sqliteFileOf({ code: { evaluator }, connections }: Config): string | undefined {
  const connection = connections.get('sqlite');
  const database = connection && evaluator.field(connection, 'database');
  const file = database && evaluator.value(database);
  return file?.ok && typeof file.value === 'string' && file.value !== '' ? file.value : undefined;
}

/** A server's address means a server, even where the framework's own file is absent. */
function fallback(chosen: string, values: Values): string {
  return chosen === 'sqlite' && values.get('DB_HOST') ? 'mysql' : chosen;
}

/** A user, and a database that is a name and no path: SQLite has neither. */
function describesServer({ user, database = '' }: Pick<ServerParts, 'user' | 'database'>): boolean {
  return user !== undefined && user !== '' && /^\w[\w-]*$/.test(database);
}

interface Config {
  readonly code: CodeFile;
  readonly chosen: string | undefined;
  readonly connections: ReadonlyMap<string, Expr>;
}

async function readConfig(app: AppFolder, environment: Environment, collector: Collector): Promise<Config | undefined> {
  for (const name of CONFIGS.filter((one) => app.has(one.split('/')[0] ?? ''))) {
    const code = await CodeFile.read(app, name, 'php', environment, collector);
    const config = code && exported(code.program);
    const connections = config && code?.evaluator.field(config, 'connections');
    const resolved = connections && code?.evaluator.resolve(connections);
    if (code === undefined || config === undefined || resolved?.kind !== 'object') continue;
    const chosen = wordOf(code.evaluator, code.evaluator.field(config, 'default'));
    return { code, chosen, connections: resolved.entries };
  }
  return undefined;
}

async function readOthers(app: AppFolder, { code, chosen, connections }: Config, collector: Collector): Promise<void> {
  const { evaluator, file } = code;
  for (const [what, object] of connections) {
    if (STOCK.has(what)) continue;
    const driver = wordOf(evaluator, evaluator.field(object, 'driver'));
    const kind = driver === undefined ? undefined : engineKindOf(driver);
    if (kind === undefined) {
      collector.skip(file, object.line, `${what}: the driver is missing, computed, or not supported`);
    } else if (evaluator.field(object, 'read') || evaluator.field(object, 'write')) {
      collector.skip(file, object.line, `${what}: has separate hosts for reading and writing; name one in .devdbrc`);
    } else {
      const place = { what, file, line: object.line, rank: what === chosen ? 0 : 5 };
      await addDescribed(collector, app, evaluator, place, { kind, object, names: FIELDS });
    }
  }
}

/** The values of one environment; records which ones are missing. */
class Values {
  readonly missing: string[] = [];
  readonly #environment: Environment;
  readonly #name: string;

  constructor(environment: Environment, name: string) {
    this.#environment = environment;
    this.#name = name;
  }

  /** Undefined when the variable is not set at all. */
  get(variable: string): string | undefined {
    const definition = this.#definition(variable);
    if (definition === undefined) return undefined;
    const resolved = this.#environment.expand(definition, this.#name);
    if (resolved.state === 'set') return NOTHING.test(resolved.text.trim()) ? '' : resolved.text;
    this.missing.push(...resolved.names);
    return undefined;
  }

  /** An environment's own file replaces `.env` altogether. */
  #definition(variable: string): Definition | undefined {
    if (this.#name === '') return this.#environment.definition(variable);
    return this.#environment.sets.get(this.#name)?.find(({ entry }) => entry.name === variable);
  }
}
