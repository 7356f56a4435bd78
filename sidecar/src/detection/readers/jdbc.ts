import { engineKindOf } from './engine-names.ts';

/** A JDBC URL converted to an ordinary one, or what is wrong with it; the URL itself is never quoted. */
export type JdbcUrl =
  | { readonly url: string }
  | { readonly path: string }
  | { readonly reason: string; readonly otherEngine?: true };

/** Only the options about login and encryption mean the same to other drivers. */
const KEPT = /^(sslmode|sslrootcert|sslcert|sslkey|user|password|encrypt|trustservercertificate)$/i;

const NOT_SUPPORTED = 'is of a kind that DevDB does not support';
/** Engines that applications use and DevDB does not have. */
const OTHERS: ReadonlyMap<string, string> = new Map([
  ['h2', 'H2'],
  ['hsqldb', 'HSQLDB'],
  ['derby', 'Derby'],
  ['oracle', 'Oracle'],
  ['db2', 'Db2'],
  ['sybase', 'Sybase'],
  ['clickhouse', 'ClickHouse'],
]);

/** Converts `jdbc:` and `r2dbc:` URLs to the form other libraries use. */
export function readJdbc(text: string): JdbcUrl {
  const [, scheme = '', rest = ''] =
    /^(?:jdbc|r2dbc):(?:(?:pool|p6spy|log4jdbc|otel|tracing|aws-wrapper):)?([a-z0-9+]+):([\s\S]*)$/i.exec(text) ?? [];
  if (scheme === '') return { reason: 'is not a URL of the form jdbc:...' };
  if (scheme === 'tc') return { reason: 'is a container that only tests start' };
  const kind = engineKindOf(scheme.replace(/^(mysql|mariadb)\+\w+$/, '$1'));
  if (kind === undefined) {
    const name = OTHERS.get(scheme.toLowerCase());
    if (name === undefined) return { reason: NOT_SUPPORTED };
    const reason = `is of ${name}, the application's own database, which DevDB does not support`;
    return { reason, otherEngine: true };
  }
  if (kind === 'sqlite')
    return rest === '' ? { path: ':memory:' } : { path: rest.replace(/^file:/, '').split('?', 1)[0] ?? '' };
  // Postgres takes a bare name here for a database.
  if (!rest.startsWith('//')) {
    return kind === 'postgres' && /^[\w-]+$/.test(rest)
      ? { url: `postgres://localhost/${rest}` }
      : { reason: 'names no host' };
  }
  if (kind === 'mssql') return sqlServer(rest.slice(2));
  const [place = '', query = ''] = rest.slice(2).split('?', 2);
  const options = query.split('&').filter((pair) => KEPT.test(pair.split('=')[0] ?? ''));
  return { url: `${scheme}://${place}${options.length > 0 ? `?${options.join('&')}` : ''}` };
}

function sqlServer(rest: string): JdbcUrl {
  if (/^[^;]*\\/.test(rest) && !/^[^;]*:\d/.test(rest)) return { reason: 'names a SQL Server instance; give its port' };
  const [place = '', ...pairs] = rest.split(';');
  const renamed = pairs.map((pair) => pair.replace(/^\s*databaseName\s*=/i, 'database='));
  const kept = renamed.filter((pair) => KEPT.test(pair.split('=')[0]?.trim() ?? '') || /^database=/.test(pair));
  return { url: `sqlserver://${place.replace(/\\[^:]*/, '')};${kept.join(';')}` };
}
