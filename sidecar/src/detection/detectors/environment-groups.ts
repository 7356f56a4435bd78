import type { Definition, Environment } from '../environment.ts';

type Field = 'kind' | 'host' | 'port' | 'user' | 'password' | 'database' | 'file';

interface Part {
  readonly field: Field;
  readonly ending: string;
}

/** Variables that describe one database together, e.g. `DB_HOST`, `DB_PORT`, `DB_NAME`. */
export interface Group {
  readonly prefix: string;
  readonly fields: Readonly<Partial<Record<Field, Definition>>>;
  /** Where its host or, without one, its first variable is. */
  readonly file: string;
  readonly line: number;
}

/** What may follow a group's prefix; of several endings in one group the first holds. */
const ENDINGS = {
  kind: ['CLIENT', 'DIALECT', 'DRIVER', 'ENGINE', 'CONNECTION', 'TYPE', 'ADAPTER', 'PROVIDER', 'VENDOR', 'DBDRIVER'],
  host: ['HOST', 'HOSTNAME', 'SERVER', 'ADDRESS', 'CONNECTION_HOST', 'MYSQL_HOST', 'POSTGRES_HOST'],
  port: ['PORT', 'HOST_PORT', 'CONNECTION_PORT'],
  user: ['USERNAME', 'USER', 'USER_NAME', 'LOGIN', 'CONNECTION_USER'],
  password: ['PASSWORD', 'PASS', 'PWD', 'USER_PASSWORD', 'CONNECTION_PASSWORD'],
  database: ['DATABASE', 'DATABASE_NAME', 'DB_NAME', 'NAME', 'DBNAME', 'DB', 'SCHEMA_NAME', 'CONNECTION_DATABASE'],
  file: ['FILENAME', 'FILE', 'PATH', 'STORAGE', 'CONNECTION_FILENAME'],
} as const satisfies Record<Field, readonly string[]>;
const FIELDS = ['kind', 'host', 'port', 'user', 'password', 'database', 'file'] as const satisfies readonly Field[];
/** Longer endings first: DB_USER_NAME is no group "DB_USER". */
const PARTS: readonly Part[] = FIELDS.flatMap((field) => ENDINGS[field].map((ending) => ({ field, ending }))).sort(
  (a, b) => b.ending.length - a.ending.length,
);
/** Words of a prefix that say it is about a database server of SQL. */
const OF_DATABASE =
  /(^|_)(DB|DATABASE|PG|POSTGRES|POSTGRESQL|MYSQL|MARIADB|MSSQL|SQLSERVER|SQLITE|TYPEORM|SEQUELIZE|RDS|SQL)\d?(_|$)/;
const MAX_GROUPS = 20;

/** The groups that the files of one environment set. */
export function groupsIn(all: Environment, environment: string): Group[] {
  const groups = new Map<string, Map<string, Definition>>();
  for (const { entry } of all.sets.get(environment) ?? []) {
    const definition = all.definition(entry.name, environment);
    const part = partOf(entry.name);
    if (definition?.entry !== entry || part === undefined) continue;
    const own = groups.get(part.prefix) ?? new Map<string, Definition>();
    groups.set(part.prefix, own);
    own.set(part.ending, definition);
  }
  return [...groups].slice(0, MAX_GROUPS).map(([prefix, definitions]) => groupOf(prefix, definitions));
}

function groupOf(prefix: string, definitions: ReadonlyMap<string, Definition>): Group {
  const found = FIELDS.flatMap((field): (readonly [Field, Definition])[] => {
    const set = ENDINGS[field].map((ending) => definitions.get(ending)).find((one) => one !== undefined);
    return set === undefined ? [] : [[field, set]];
  });
  const fields: Partial<Record<Field, Definition>> = Object.fromEntries(found);
  const { file, entry } = fields.host ?? found[0]?.[1] ?? { file: '', entry: { line: 1 } };
  return { prefix, fields, file, line: entry.line };
}

/** What a variable says of a database, and the prefix that it has in common with the others of its group. */
export function partOf(name: string): (Part & { readonly prefix: string }) | undefined {
  const plain = name.toUpperCase().replaceAll(/[.-]+|__+/g, '_');
  // PGHOST and its relatives have no underscore.
  const pg = /^PG(HOST|PORT|USER|PASSWORD|DATABASE)$/.exec(plain)?.[1];
  for (const { field, ending } of PARTS) {
    if (ending === pg) return { prefix: 'PG', field, ending };
    if (!plain.endsWith(`_${ending}`)) continue;
    const prefix = plain.slice(0, -ending.length - 1);
    if (OF_DATABASE.test(prefix)) return { prefix, field, ending };
  }
  return undefined;
}
