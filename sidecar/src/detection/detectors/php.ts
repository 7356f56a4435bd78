import type { AppFolder } from '../app-folder.ts';
import { CodeFile } from '../code-file.ts';
import { Collector } from '../collector.ts';
import type { Detector } from '../detector.ts';
import type { Environment } from '../environment.ts';
import { filesBelow, type Search } from '../listed-files.ts';
import { addPhpConnection } from '../php-connection.ts';
import type { Expr } from '../readers/code/expression.ts';
import { type Assignment, callsOf, type Program, readProgram } from '../readers/code/program.ts';

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
/** `DB_HOST`, `DATABASE_SERVER`, `MYSQL_DB` and their like. */
const CONSTANT =
  /^(?:(?<prefix>\w{0,30}?)_)?(?:DB|DATABASE|MYSQL|MYSQLI|MARIADB|SQL|PGSQL|POSTGRES|PG)_?(?:SERVER_(?=USER|PASS))?(?<field>HOST|HOSTNAME|SERVER|USER|USERNAME|LOGIN|PASS|PASSWORD|PASSWD|PWD|NAME|DBNAME|DB|DATABASE|PORT|DRIVER|TYPE|ENGINE)$/i;
const FIELDS: Readonly<Record<string, 'host' | 'user' | 'password' | 'database' | 'port' | 'driver'>> = {
  HOST: 'host',
  HOSTNAME: 'host',
  SERVER: 'host',
  USER: 'user',
  USERNAME: 'user',
  LOGIN: 'user',
  PASS: 'password',
  PASSWORD: 'password',
  PASSWD: 'password',
  PWD: 'password',
  NAME: 'database',
  DBNAME: 'database',
  DB: 'database',
  DATABASE: 'database',
  PORT: 'port',
  DRIVER: 'driver',
  TYPE: 'driver',
  ENGINE: 'driver',
};
/** Frameworks whose own detectors know where their settings are. */
const FRAMEWORKS = ['artisan', 'spark', 'yii', 'craft', 'symfony.lock', 'wp-config.php'];
/** What the names of the fields in an object made here are. */
const NAMES = {
  host: ['host'],
  user: ['user'],
  password: ['password'],
  database: ['database'],
  port: ['port'],
} as const;

/** The connection of a PHP application without a framework: constants such as `DB_HOST`, or the call that connects. */
export const php: Detector = {
  name: NAME,
  looksFor: [
    "define('DB_HOST', ...), new PDO(...) and mysqli_connect(...) in config.php, includes/db.php and their like",
  ],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    const apps = await project.apps(signal);
    for (const app of apps.filter((one) => isPhp(one, apps))) {
      const environment = await project.environment(app, signal);
      const files = (await filesBelow(app, SEARCH, signal)).filter((file) => !/(^|\/)tests?\//i.test(file));
      for (const file of files.slice(0, MAX_FILES)) {
        signal.throwIfAborted();
        if (await readFile(app, file, environment, collector)) break;
      }
    }
    return collector.detection;
  },
};

/** The root, where it is no framework's, and folders with packages of their own. */
function isPhp(app: AppFolder, [root]: readonly AppFolder[]): boolean {
  return (app === root || app.has('composer.json')) && !FRAMEWORKS.some((name) => app.has(name));
}

/** Whether the file names the application's database. */
async function readFile(
  app: AppFolder,
  name: string,
  environment: Environment,
  collector: Collector,
): Promise<boolean> {
  const file = app.path(name);
  const read = await app.project.read(file);
  // Most such files are about something else, and what cannot be parsed in them matters to nobody.
  if (read.state !== 'text' || !/mysqli|mysql_connect|PDO|DB_?|DATABASE_|MYSQL_|PG_/i.test(read.text)) return false;
  const program = readProgram(read.text, 'php');
  if (program.problems.length > 0) return false;
  const constants = constantsOf(program);
  const code = new CodeFile(app, file, program, environment, '', [...constants, ...program.assignments]);
  const connection = groupOf(constants) ?? connects(program);
  if (connection === undefined || isEmpty(code, connection)) return false;
  const what = name.replace(/(\.\w+)?\.php$/i, '');
  await addPhpConnection(
    code,
    collector,
    { what, file, line: connection.line },
    {
      object: connection,
      names: NAMES,
      driver: ['driver'],
      dsn: ['dsn'],
      otherwise: 'mysql2',
    },
  );
  return true;
}

/** A constant's first definition counts; PHP refuses a second one. */
function constantsOf(program: Program): Assignment[] {
  const constants = new Map<string, Assignment>();
  for (const { call, depth } of ['define', 'DEFINE', 'Define'].flatMap((name) => callsOf(program, name))) {
    const [name, value] = call.args;
    if (name?.kind !== 'value' || value === undefined || constants.has(String(name.value))) continue;
    const target = String(name.value);
    constants.set(target, { target, value, line: call.line, conditional: depth > 0 });
  }
  return [...constants.values()];
}

/** The first group of constants with a host and a database. */
function groupOf(constants: readonly Assignment[]): Connection | undefined {
  const groups = new Map<string, Map<string, Expr>>();
  for (const { target, value, line, conditional } of constants) {
    const { prefix = '', field = '' } = CONSTANT.exec(target)?.groups ?? {};
    const part = FIELDS[field.toUpperCase()];
    if (part === undefined) continue;
    const group = groups.get(prefix) ?? new Map<string, Expr>();
    groups.set(prefix, group);
    if (!group.has(part)) group.set(part, conditional ? { kind: 'unreadable', line } : value);
  }
  for (const entries of groups.values()) {
    const line = entries.get('database')?.line;
    if (line !== undefined && entries.has('host')) return objectOf(line, entries);
  }
  return undefined;
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

function objectOf(line: number, entries: ReadonlyMap<string, Expr>): Connection {
  return { kind: 'object', line, entries, spreads: [], overrides: [] };
}

/** An installer fills in what is empty, and until then there is no database. */
function isEmpty(code: CodeFile, { entries }: Connection): boolean {
  const name = entries.get('database') ?? entries.get('dsn');
  const value = name && code.evaluator.value(name);
  return value?.ok === true && (value.value === '' || value.value === null);
}
