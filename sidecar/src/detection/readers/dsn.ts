import type { ServerKind } from '@devdb/shared/engines';
import { engineKindOf } from './engine-names.ts';

/** A data source name, taken apart. */
export type Dsn =
  | { readonly url: string }
  | { readonly path: string }
  | {
      readonly kind: ServerKind;
      readonly host: string;
      readonly port: string | undefined;
      readonly user: string;
      readonly password: string;
      readonly database: string;
      readonly options: Readonly<Record<string, string>>;
    };

const MAX_CHARS = 4_096;
const SCHEME = /^([a-z][a-z0-9]*)(?:\+[a-z0-9]+)?:\/\//i;
/** `user:password@tcp(host:port)/database?option=value` */
const MYSQL = /^(?:([^:@/]*)(?::(.*))?@)?(tcp6?|unix)\(([^()]*)\)\/([^?/]*)(?:\?([^?]*))?$/;
const PAIR = /\s*([a-z_]+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|([^\s']*))/iy;
const KEYWORDS: ReadonlySet<string> = new Set(['host', 'hostaddr', 'port', 'user', 'password', 'dbname', 'database']);

/** Reads what Go's drivers, libpq and their like accept. The driver's name tells what the text alone does not. */
export function readDsn(text: string, driver = ''): Dsn | undefined {
  const dsn = text.trim();
  if (dsn === '' || dsn.length > MAX_CHARS) return undefined;
  const mysql = MYSQL.exec(dsn.replace(/^(mysql|mariadb):\/\//i, ''));
  if (mysql) return mysqlDsn(mysql);
  const scheme = SCHEME.exec(dsn)?.[1];
  if (scheme !== undefined) return engineKindOf(scheme) === undefined ? undefined : { url: dsn };
  if (engineKindOf(driver) === 'sqlite')
    return dsn.startsWith('file:') ? { url: dsn } : { path: dsn.split('?', 1)[0] ?? '' };
  return keywords(dsn);
}

function mysqlDsn([
  ,
  user = '',
  password = '',
  net = '',
  address = '',
  database = '',
  query = '',
]: RegExpExecArray): Dsn {
  const [, host = address, port] = net === 'unix' ? [] : (/^(.*?)(?::(\d+))?$/.exec(address) ?? []);
  const options = query.split('&').flatMap((pair): [string, string][] => {
    const [name = '', value = ''] = pair.split('=', 2);
    return name === 'tls' ? [['tls', value]] : [];
  });
  return { kind: 'mysql2', host, port, user, password, database, options: Object.fromEntries(options) };
}

/** `host=localhost user=app password=app dbname=app port=5432 sslmode=disable` */
function keywords(dsn: string): Dsn | undefined {
  const pairs = pairsIn(dsn);
  if (pairs === undefined || ![...pairs.keys()].some((name) => KEYWORDS.has(name))) return undefined;
  const database = pairs.get('dbname') ?? pairs.get('database') ?? '';
  const sslmode = pairs.get('sslmode');
  return {
    kind: 'postgres',
    host: pairs.get('host') ?? pairs.get('hostaddr') ?? '',
    port: pairs.get('port'),
    user: pairs.get('user') ?? '',
    password: pairs.get('password') ?? '',
    // Without one, the server takes the user's name.
    database: database === '' ? (pairs.get('user') ?? '') : database,
    options: sslmode === undefined ? {} : { sslmode },
  };
}

/** Undefined when there is anything besides pairs. */
function pairsIn(dsn: string): ReadonlyMap<string, string> | undefined {
  const pairs = new Map<string, string>();
  PAIR.lastIndex = 0;
  for (let at = 0; at < dsn.length; at = PAIR.lastIndex) {
    const [, name, quoted, bare] = PAIR.exec(dsn) ?? [];
    if (name === undefined) return undefined;
    pairs.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? bare ?? '');
  }
  return pairs;
}
