import type { ServerKind } from '@devdb/shared/engines';
import { engineKindOf } from './engine-names.ts';

/** A data source name of PHP's PDO, taken apart. */
export type PdoDsn =
  | { readonly path: string }
  | {
      readonly kind: ServerKind;
      readonly host: string | undefined;
      readonly port: string | undefined;
      readonly user: string | undefined;
      readonly password: string | undefined;
      readonly database: string | undefined;
    };

const MAX_CHARS = 4_096;

/** Reads `mysql:host=127.0.0.1;port=3307;dbname=shop` and its like. */
export function readPdoDsn(text: string): PdoDsn | undefined {
  const [, driver = '', rest = ''] = (text.length > MAX_CHARS ? null : /^(\w+):(.*)$/s.exec(text.trim())) ?? [];
  const kind = engineKindOf(driver);
  if (kind === undefined) return undefined;
  if (kind === 'sqlite') return { path: rest };
  const pairs = new Map(
    rest.split(kind === 'postgres' && !rest.includes(';') ? ' ' : ';').map((pair): [string, string] => {
      const equals = pair.indexOf('=');
      return [pair.slice(0, equals).trim().toLowerCase(), pair.slice(equals + 1).trim()];
    }),
  );
  const [server, port] = (pairs.get('server') ?? '').split(',', 2);
  return {
    kind,
    host: pairs.get('unix_socket') ?? pairs.get('host') ?? server,
    port: pairs.get('port') ?? port,
    user: pairs.get('user'),
    password: pairs.get('password'),
    database: pairs.get('dbname') ?? pairs.get('database'),
  };
}
