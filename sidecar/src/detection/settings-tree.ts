import type { EngineKind } from '../engines/engine.ts';
import { exprOf } from './code-file.ts';
import type { Expr } from './readers/code/expression.ts';
import { readDsn } from './readers/dsn.ts';
import { engineKindOf } from './readers/engine-names.ts';
import { readIni } from './readers/ini.ts';
import { readJsonc } from './readers/jsonc.ts';
import type { Problem } from './readers/located.ts';
import { readToml } from './readers/toml.ts';
import { readYaml } from './readers/yaml.ts';

/** A database that a settings file describes in its own words. */
export interface TreeDatabase {
  /** The names that lead to it, dotted. */
  readonly path: string;
  readonly line: number;
  readonly dsn: string | undefined;
  readonly driver: string | undefined;
  readonly fields: ReadonlyMap<string, string>;
}

const MAX_DEPTH = 4;
const GROUP = /^(database|db|postgres(ql)?|pg|mysql|mariadb|mssql|sqlserver|sqlite3?|gorm|sql|datasource)s?$/;
const DSN =
  /^(dsn|url|uri|conn(ection)?(_?str(ing)?)?|source|data_?source(_?name)?|(db|database|pg|postgres|mysql|sql)_?(url|uri|dsn|source|conn|config))$/;
const NAMES = {
  driver: ['driver', 'type', 'dialect', 'engine', 'adapter', 'client', 'dbtype', 'db_type', 'dbdriver', 'db_driver'],
  host: ['host', 'hostname', 'server', 'addr', 'address'],
  port: ['port'],
  user: ['user', 'username', 'user_name', 'usr'],
  password: ['password', 'pass', 'passwd', 'pwd'],
  database: ['name', 'dbname', 'db_name', 'database', 'database_name', 'databasename', 'db'],
  file: ['path', 'file', 'filename', 'storage', 'dbfile'],
} as const;

/** The databases in a settings file of a general format; by its ending. */
export function readTree(
  file: string,
  text: string,
): { readonly found: TreeDatabase[]; readonly problems: readonly Problem[] } {
  const { tree, problems } = treeOf(file, text);
  return { found: tree === undefined || problems.length > 0 ? [] : [...databasesIn(tree, '', 0)], problems };
}

function treeOf(
  file: string,
  text: string,
): { readonly tree: Expr | undefined; readonly problems: readonly Problem[] } {
  if (file.endsWith('.toml')) {
    const { values, problems } = readToml(text);
    return {
      tree: nested([...values].map(([name, { line, value }]) => [name, { kind: 'value', line, value }])),
      problems,
    };
  }
  if (/\.(ini|conf)$/.test(file)) {
    const values = [...readIni(text)].flatMap(([section, pairs]) =>
      [...pairs].map(([name, { line, value }]): [string, Expr] => [
        section === '' ? name : `${section}.${name}`,
        { kind: 'value', line, value },
      ]),
    );
    return { tree: nested(values), problems: [] };
  }
  const { value, problems } = file.endsWith('.json') ? readJsonc(text) : readYaml(text);
  return { tree: value && exprOf(value), problems };
}

/** Dotted names become objects in objects. */
function nested(values: readonly (readonly [string, Expr])[]): Expr {
  const groups = new Map<string, (readonly [string, Expr])[]>();
  const entries = new Map<string, Expr>();
  for (const [name, expr] of values) {
    const dot = name.indexOf('.');
    if (dot === -1) entries.set(name, expr);
    else {
      const group = groups.get(name.slice(0, dot)) ?? [];
      group.push([name.slice(dot + 1), expr]);
      groups.set(name.slice(0, dot), group);
    }
  }
  for (const [name, group] of groups) entries.set(name, nested(group));
  return { kind: 'object', line: values[0]?.[1].line ?? 1, entries, spreads: [], overrides: [] };
}

function* databasesIn(tree: Expr, path: string, depth: number): Generator<TreeDatabase> {
  if (tree.kind !== 'object' || depth > MAX_DEPTH) return;
  const last = path.split('.').at(-1) ?? '';
  const fields = fieldsOf(tree);
  const group = GROUP.test(last) ? asGroup(withConnection(fields, tree), path, tree.line) : undefined;
  if (group !== undefined) yield group;
  const flat = flatGroup(tree, path);
  if (flat !== undefined) yield flat;
  for (const [name, inner] of tree.entries) {
    const key = name.toLowerCase();
    const at = path === '' ? key : `${path}.${key}`;
    const value = inner.kind === 'value' && typeof inner.value === 'string' ? inner.value : undefined;
    const isDsn = value !== undefined && DSN.test(key) && readDsn(value, pick(fields, NAMES.driver)) !== undefined;
    if (isDsn && group?.dsn !== value) {
      yield { path: at, line: inner.line, dsn: withName(value, fields), driver: pick(fields, NAMES.driver), fields };
    }
    yield* databasesIn(inner, at, depth + 1);
  }
}

/** Knex has the server's fields in an object beside the engine: `{ client, connection: { host, database } }`. */
function withConnection(
  fields: ReadonlyMap<string, string>,
  tree: Extract<Expr, { kind: 'object' }>,
): ReadonlyMap<string, string> {
  const inner = fields.has('client') ? tree.entries.get('connection') : undefined;
  return inner?.kind === 'object' ? new Map([...fields, ...fieldsOf(inner)]) : fields;
}

const FLAT = /^(?:db|database)_?([a-z_]+)$/;

/** `db_host`, `db_name` among other settings. */
function flatGroup(tree: Extract<Expr, { kind: 'object' }>, path: string): TreeDatabase | undefined {
  const named = [...tree.entries].flatMap(([name, expr]): [string, Expr][] => {
    const field = FLAT.exec(name.toLowerCase())?.[1];
    return field === undefined ? [] : [[field, expr]];
  });
  const [first] = named;
  if (first === undefined || named.length < 2) return undefined;
  const { line } = first[1];
  const fields = new Map(fieldsOf({ kind: 'object', line, entries: new Map(named), spreads: [], overrides: [] }));
  // Some call the engine the database's name.
  const name = fields.get('name') ?? '';
  if (engineKindOf(name) !== undefined && !NAMES.driver.some((driver) => fields.has(driver)))
    fields.set('driver', name);
  return asGroup(fields, path === '' ? 'db' : `${path}.db`, line);
}

/** Some programs put the database's name behind a data source that ends before it: `root@tcp(localhost:3306)/`. */
function withName(dsn: string, fields: ReadonlyMap<string, string>): string {
  return /[^/:]\/$/.test(dsn) ? `${dsn}${pick(fields, NAMES.database) ?? ''}` : dsn;
}

function fieldsOf(tree: Extract<Expr, { kind: 'object' }>): ReadonlyMap<string, string> {
  const texts = [...tree.entries].flatMap(([name, expr]): [string, string][] =>
    expr.kind === 'value' && expr.value !== null ? [[name.toLowerCase(), String(expr.value)]] : [],
  );
  return new Map(texts);
}

/** A group that describes a database by its fields; undefined where more than a server's name for it is missing. */
function asGroup(fields: ReadonlyMap<string, string>, path: string, line: number): TreeDatabase | undefined {
  const driver = pick(fields, NAMES.driver) ?? path.split('.').findLast((part) => engineKindOf(part) !== undefined);
  const isAlone = driver === undefined && pick(fields, NAMES.host) === undefined;
  const isNamed = isAlone && SQLITE_FILE.test(pick(fields, NAMES.file) ?? '');
  const isFile = isNamed || (driver !== undefined && engineKindOf(driver) === 'sqlite');
  const database = pick(fields, isFile ? [...NAMES.file, ...NAMES.database] : NAMES.database);
  if (isFile ? database === undefined : pick(fields, NAMES.host) === undefined) return undefined;
  // A program may put the name together; without an account it is no database at all.
  if (database === undefined && pick(fields, NAMES.user) === undefined) return undefined;
  return { path, line, dsn: undefined, driver: isNamed ? 'sqlite' : driver, fields };
}

/** A group for a database that names a file like this and no server. */
const SQLITE_FILE = /\.(db|sqlite3?|db3)$/i;

/** What a group's fields say, under the names of a server's parts. */
export function partsOf({
  fields,
}: TreeDatabase): Readonly<Record<'host' | 'port' | 'user' | 'password' | 'database' | 'file', string | undefined>> {
  const address = pick(fields, NAMES.host) ?? '';
  const [, host = address, port] = /^([^:]*):(\d+)$/.exec(address) ?? [];
  return {
    host,
    port: pick(fields, NAMES.port) ?? port,
    user: pick(fields, NAMES.user),
    password: pick(fields, NAMES.password),
    database: pick(fields, NAMES.database),
    file: pick(fields, [...NAMES.file, ...NAMES.database]),
  };
}

function pick(fields: ReadonlyMap<string, string>, names: readonly string[]): string | undefined {
  return names.map((name) => fields.get(name)).find((value) => value !== undefined && value !== '');
}

/** The engine of a group: its driver's, its port's, or the only one that the project depends on. */
export function kindOfTree(database: TreeDatabase, packages: readonly EngineKind[]): EngineKind | undefined {
  const named = database.driver === undefined ? undefined : engineKindOf(database.driver);
  const port = partsOf(database).port;
  const [only, ...others] = packages;
  return named ?? BY_PORT.get(port ?? '') ?? (others.length === 0 ? only : undefined);
}

const BY_PORT: ReadonlyMap<string, EngineKind> = new Map([
  ['5432', 'postgres'],
  ['3306', 'mysql2'],
  ['1433', 'mssql'],
]);
