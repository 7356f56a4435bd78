import type { Expr } from '../readers/code/expression.ts';
import type { Assignment } from '../readers/code/program.ts';

type Field = 'host' | 'user' | 'password' | 'database' | 'port' | 'driver' | 'file';

/** What belongs to one connection, by its field. */
export type Group = ReadonlyMap<string, Expr>;

/** `DB_HOST`, `DATABASE_SERVER`, `MYSQL_DB`, `SQLITE_FILE` and their like. */
const NAME_OF_FIELD =
  /^(?:(?<prefix>\w{0,30}?)_)?(?:DB_?SQLITE3?|SQLITE3?_?DB|SQLITE3?|DB|DATABASE|MYSQL|MYSQLI|MARIADB|SQL|PGSQL|POSTGRES|PG)_?(?:SERVER_(?=USER|PASS))?(?<field>HOST|HOSTNAME|SERVER|USER|USERNAME|LOGIN|PASS|PASSWORD|PASSWD|PWD|NAME|DBNAME|DB|DATABASE|PORT|DRIVER|TYPE|ENGINE|FILE|FILENAME|PATH)$/i;
/** An array, or a section of one, for the database. */
const SECTION =
  /^\$?(?:(?:my|site|app|conf|config|cfg|settings)_?)?(?:db|database|mysqli?|mariadb|pgsql|postgres(?:ql)?)(?:_?(?:config|conf|cfg|settings?|connection|info|params|credentials))?$/i;
const FIELDS: Readonly<Record<string, Field>> = {
  HOST: 'host',
  HOSTNAME: 'host',
  HOSTSPEC: 'host',
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
  DBMS: 'driver',
  FILE: 'file',
  FILENAME: 'file',
  PATH: 'file',
};
const MAX_DEPTH = 5;

/** The constants whose names differ in their field alone: `DB_HOST`, `DB_NAME`. */
export function constantGroups(constants: readonly Assignment[]): readonly Group[] {
  const groups = new Map<string, Map<string, Expr>>();
  for (const { target, value, line, conditional } of constants) {
    const { prefix = '', field } = fieldIn(target) ?? {};
    const group = field && groupNamed(groups, prefix);
    if (group && !group.has(field)) group.set(field, conditional ? { kind: 'unreadable', line } : value);
  }
  return [...groups.values()];
}

/** The entries of arrays for a database: `$db['host']`, `$settings['db_host']`. The last assignment counts. */
export function arrayGroups(assignments: readonly Assignment[]): readonly Group[] {
  const groups = new Map<string, Map<string, Expr>>();
  for (const { target, value, line, conditional } of assignments.flatMap((one) => entriesOf(one))) {
    const at = target.lastIndexOf('.');
    const [array, key] = [target.slice(0, Math.max(at, 0)), target.slice(at + 1)];
    if (array === '') continue;
    const isSection = SECTION.test(array.slice(array.lastIndexOf('.') + 1));
    const plain = isSection ? FIELDS[key.toUpperCase()] : undefined;
    const { prefix = '', field } = fieldIn(key) ?? { field: plain };
    if (field === undefined) continue;
    groupNamed(groups, `${array} ${prefix}`).set(field, conditional ? { kind: 'unreadable', line } : value);
  }
  return [...groups.values()];
}

function fieldIn(name: string): { readonly prefix: string; readonly field: Field } | undefined {
  const { prefix = '', field: word = '' } = NAME_OF_FIELD.exec(name)?.groups ?? {};
  const field = FIELDS[word.toUpperCase()];
  return field === undefined ? undefined : { prefix, field };
}

function groupNamed(groups: Map<string, Map<string, Expr>>, name: string): Map<string, Expr> {
  const group = groups.get(name) ?? new Map<string, Expr>();
  groups.set(name, group);
  return group;
}

/** `$db = ['host' => ...]` sets what `$db['host'] = ...` does. */
function entriesOf(assignment: Assignment, depth = 0): Assignment[] {
  const { target, value, conditional } = assignment;
  if (value.kind !== 'object' || depth > MAX_DEPTH) return [assignment];
  return [...value.entries].flatMap(([key, inner]) =>
    entriesOf({ target: `${target}.${key}`, value: inner, line: inner.line, conditional }, depth + 1),
  );
}
