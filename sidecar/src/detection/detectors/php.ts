import type { EngineKind } from '../../engines/engine.ts';
import type { AppFolder } from '../app-folder.ts';
import { CodeFile } from '../code-file.ts';
import { Collector } from '../collector.ts';
import { wordOf } from '../connection-fields.ts';
import type { Detector } from '../detector.ts';
import type { Environment } from '../environment.ts';
import { filesBelow, type Search } from '../listed-files.ts';
import { addPhpConnection } from '../php-connection.ts';
import type { Expr } from '../readers/code/expression.ts';
import { type Assignment, callsOf, type Program, readProgram } from '../readers/code/program.ts';
import { engineKindOf } from '../readers/engine-names.ts';
import { readPdoDsn } from '../readers/pdo-dsn.ts';
import { arrayGroups, constantGroups, type Group } from './php-groups.ts';

const NAME = 'php';
const FOLDERS =
  /^(config|configs|conf|configuration|includes?|inc|application|app|core|lib|libs|src|system|database|db|connections?|admin|public|classes|settings|user|protected|etc|web|www|htdocs|public_html|backend|server|common)$/i;
const SEARCH: Search = {
  files:
    /^(?:(?:db|database|app|site|global|main|local|mysql)?[_.-]?(?:config|conf|configuration|configure|settings?|constants?|define[sd]?|connection|connect|conn|koneksi|conexion|credentials|bootstrap|init)(?:[_.-]?(?:db|database|local|inc))?|db|database|mysql)(?:\.inc|\.class|\.local)?\.php$/i,
  enters: (name, depth) => depth <= 2 && FOLDERS.test(name),
  most: 40,
};
const MAX_FILES = 40;
/** A small program connects in a file of any name beside its pages. */
const BESIDE: Search = { files: /\.php$/i, enters: () => false, most: 1 };
/** Programs that people call once, and tests, may use another database. */
const ASIDE = /install|setup|migrat|seed|test|backup|export|import|example|sample|demo/i;
/** Frameworks whose own detectors know where their settings are. */
const FRAMEWORKS = ['artisan', 'spark', 'yii', 'craft', 'symfony.lock', 'wp-config.php'];
/** What the names of the fields in an object made here are. */
const NAMES = {
  host: ['host'],
  user: ['user'],
  password: ['password'],
  database: ['database'],
  port: ['port'],
  file: ['file'],
} as const;

/** The connection of a PHP application without a framework: its settings, or the call that connects. */
export const php: Detector = {
  name: NAME,
  looksFor: [
    "define('DB_HOST', ...), $db['host'] = ..., new PDO(...) and mysqli_connect(...) in config.php, includes/db.php and their like",
  ],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    const apps = await project.apps(signal);
    for (const app of apps.filter((one) => isPhp(one, apps))) {
      const environment = await project.environment(app, signal);
      const others = frameworksBelow(app, apps);
      const files = (await filesBelow(app, SEARCH, signal)).filter(
        (file) => !/(^|\/)tests?\//i.test(file) && !others.some((folder) => app.path(file).startsWith(folder)),
      );
      const settings = new SettingsFiles(app, environment);
      for (const file of files.slice(0, MAX_FILES)) {
        signal.throwIfAborted();
        if (await settings.read(file)) break;
      }
      if (settings.isEmpty) {
        const pages = (await filesBelow(app, BESIDE, signal)).filter((file) => !ASIDE.test(file));
        for (const file of pages.slice(0, MAX_FILES)) {
          signal.throwIfAborted();
          if (await settings.readCall(file)) break;
        }
      }
      await settings.addTo(collector);
    }
    return collector.detection;
  },
};

/** The root, where it is no framework's, and folders with packages of their own. */
function isPhp(app: AppFolder, [root]: readonly AppFolder[]): boolean {
  return (app === root || app.has('composer.json')) && !FRAMEWORKS.some((name) => app.has(name));
}

/** The folders inside an application's own in which a framework's stands, with a slash at their ends. */
function frameworksBelow(app: AppFolder, apps: readonly AppFolder[]): readonly string[] {
  const below = apps.filter((one) => one !== app && one.folder.startsWith(app.path('')));
  return below.filter((one) => FRAMEWORKS.some((name) => one.has(name))).map(({ folder }) => `${folder}/`);
}

/** A connection, and the file that says where the database is. */
interface Named {
  readonly name: string;
  readonly code: CodeFile;
  readonly object: Expr;
}

/** The settings files of one application, read until one names its database. */
class SettingsFiles {
  readonly #app: AppFolder;
  readonly #environment: Environment;
  readonly #constants = new Map<string, Constant>();
  #named: Named | undefined;

  constructor(app: AppFolder, environment: Environment) {
    this.#app = app;
    this.#environment = environment;
  }

  /** Whether all is known of the application's database. */
  async read(name: string): Promise<boolean> {
    const read = await this.#app.read(name);
    // Most such files are about something else, and what cannot be parsed in them matters to nobody.
    if (read.state !== 'text' || !/mysqli|mysql_connect|PDO|DB|DATABASE|MYSQL_|PG_|SQLITE/i.test(read.text))
      return false;
    const program = readProgram(read.text, 'php', this.#app.absolute(name));
    if (program.problems.length > 0) return false;
    const own = constantsOf(program, name);
    const code = this.#code(name, program, own);
    if (constantGroups(own).some((group) => placeOf(code, group) !== undefined && isUnfilled(code, group)))
      return false;
    for (const one of own) if (!this.#constants.has(one.target)) this.#constants.set(one.target, one);
    return this.#takeConstants(program, name) || this.#takeOther(program, name);
  }

  /** Whether no file said anything of a database. */
  get isEmpty(): boolean {
    return this.#named === undefined;
  }

  /** Takes the call that connects, if what it is given is known; many pages are about something else. */
  async readCall(name: string): Promise<boolean> {
    const read = await this.#app.read(name);
    if (read.state !== 'text' || !/\bmysqli\s*\(|\bmysqli_connect\s*\(|\bPDO\s*\(/i.test(read.text)) return false;
    const program = readProgram(read.text, 'php', this.#app.absolute(name));
    const object = program.problems.length > 0 ? undefined : connects(program);
    if (object === undefined) return false;
    const code = this.#code(name, program, constantsOf(program, name));
    const deciding = ['host', 'database', 'dsn', 'port'].flatMap((field) => object.entries.get(field) ?? []);
    if (isUnfilled(code, object.entries) || deciding.some((one) => !code.evaluator.value(one).ok)) return false;
    this.#named = { name, code, object };
    return true;
  }

  async addTo(collector: Collector): Promise<void> {
    if (this.#named === undefined) return;
    const { name, code, object } = this.#named;
    const place = { what: name.replace(/(\.\w+)?\.php$/i, ''), file: code.file, line: object.line };
    const how = { names: NAMES, driver: ['driver'], dsn: ['dsn'], otherwise: 'mysql2' } as const;
    await addPhpConnection(code, collector, place, { object, ...how });
  }

  /** Constants hold in every file that is loaded later. */
  #takeConstants(program: Program, name: string): boolean {
    const constants = [...this.#constants.values()];
    const code = this.#code(name, program, constants);
    for (const group of constantGroups(constants)) {
      const place = placeOf(code, group);
      if (place === undefined) continue;
      const decides = constants.find((one) => one.value === place || (one.conditional && one.line === place.line));
      const file = decides?.file ?? name;
      this.#named = { name: file, code: this.#code(file, program, constants), object: objectOf(place.line, group) };
      // Another file may say where the file of a SQLite database is.
      return !(engineOf(code, group) === 'sqlite' && !group.has('file'));
    }
    return false;
  }

  #takeOther(program: Program, name: string): boolean {
    const code = this.#code(name, program, [...this.#constants.values()]);
    const group = arrayGroups(program.assignments).find((one) => isSettled(code, one));
    const place = group && placeOf(code, group);
    const object = group && place ? objectOf(place.line, group) : (connects(program) ?? dataSource(code));
    if (object === undefined || isUnfilled(code, object.entries)) return false;
    this.#named = { name, code, object };
    return true;
  }

  #code(name: string, program: Program, constants: readonly Assignment[]): CodeFile {
    const assignments = [...constants, ...program.assignments];
    return new CodeFile(this.#app, this.#app.path(name), program, this.#environment, '', assignments);
  }
}

interface Constant extends Assignment {
  readonly file: string;
}

/** A constant's first definition counts; PHP refuses a second one. */
function constantsOf(program: Program, file: string): Constant[] {
  const constants = new Map<string, Constant>();
  for (const { call, depth } of ['define', 'DEFINE', 'Define'].flatMap((name) => callsOf(program, name))) {
    const [name, value] = call.args;
    if (name?.kind !== 'value' || value === undefined || constants.has(String(name.value))) continue;
    const target = String(name.value);
    constants.set(target, { target, value, line: call.line, conditional: depth > 0, file });
  }
  return [...constants.values()];
}

/** What says where the database is: the file of SQLite, and of a server the database's name. */
function placeOf(code: CodeFile, group: Group): Expr | undefined {
  const file = engineOf(code, group) === 'sqlite' ? group.get('file') : undefined;
  return file ?? (group.has('host') ? group.get('database') : undefined);
}

function engineOf({ evaluator }: CodeFile, group: Group): EngineKind | undefined {
  const word = wordOf(evaluator, group.get('driver'));
  return word === undefined ? undefined : engineKindOf(word);
}

/** Whether all that decides can be known; a program fills arrays from elsewhere too. */
function isSettled(code: CodeFile, group: Group): boolean {
  const place = placeOf(code, group);
  const deciding = [place, group.get('host'), group.get('port'), group.get('driver')].filter(
    (one) => one !== undefined,
  );
  return place !== undefined && !isUnfilled(code, group) && deciding.every((one) => code.evaluator.value(one).ok);
}

type Connection = Extract<Expr, { kind: 'object' }>;

/** `new mysqli($host, $user, $password, $database, $port)` and `new PDO($dsn, $user, $password)` */
function connects(program: Program): Connection | undefined {
  for (const [name, fields] of CALLS) {
    const [first] = callsOf(program, name);
    if (first === undefined) continue;
    const { args, line } = first.call;
    const entries = new Map(
      fields.flatMap((field, at): [string, Expr][] => {
        const arg = args[at];
        return arg === undefined ? [] : [[field, arg]];
      }),
    );
    if (entries.has('database') || entries.has('dsn')) return objectOf(line, entries);
  }
  return undefined;
}

const CALLS = [
  ['mysqli', ['host', 'user', 'password', 'database', 'port']],
  ['mysqli_connect', ['host', 'user', 'password', 'database', 'port']],
  ['PDO', ['dsn', 'user', 'password']],
] as const;

const USER = /^\$?(?:db_?)?(?:user|username|login|usr)$/i;
const PASSWORD = /^\$?(?:db_?)?(?:pass|password|passwd|pwd)$/i;

/** `$dsn = "mysql:host=$host;dbname=$dbname"` in a file of settings, which the pages of the program give to PDO. */
function dataSource({ program, evaluator }: CodeFile): Connection | undefined {
  const once = program.assignments.filter(({ conditional }) => !conditional);
  const last = (names: RegExp): Expr | undefined => once.findLast(({ target }) => names.test(target))?.value;
  const [dsn, user, password] = [last(/^\$?(?:db_?)?dsn$/i), last(USER), last(PASSWORD)];
  const text = dsn && wordOf(evaluator, dsn);
  // Services that collect errors have a DSN too.
  if (dsn === undefined || text === undefined || readPdoDsn(text) === undefined) return undefined;
  const named = { dsn, user, password };
  return objectOf(dsn.line, new Map(Object.entries(named).flatMap(([key, one]) => (one ? [[key, one] as const] : []))));
}

function objectOf(line: number, entries: ReadonlyMap<string, Expr>): Connection {
  return { kind: 'object', line, entries, spreads: [], overrides: [] };
}

/** An installer fills in what is empty, and until then there is no database. */
function isUnfilled(code: CodeFile, entries: ReadonlyMap<string, Expr>): boolean {
  const isFile = engineOf(code, entries) === 'sqlite' && entries.has('file');
  const name = isFile ? entries.get('file') : (entries.get('database') ?? entries.get('dsn'));
  const value = name && code.evaluator.value(name);
  return value?.ok === true && (value.value === '' || value.value === null);
}
