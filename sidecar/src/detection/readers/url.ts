import { ENGINES, type ServerKind } from '@devdb/shared/engines';
import type { ServerTarget } from '../../engines/engine.ts';
import { Secret } from '../../host/secret.ts';
import { engineKindOf } from './engine-names.ts';
import { hasPlaceholder, isCalledYours, isExample, isExamplePath, UNFILLED } from './placeholder.ts';

export type DatabaseUrl =
  | {
      readonly kind: 'sqlite';
      /**
       * Possible meanings of the path, likelier first: some readers take three slashes as absolute, others as relative.
       */
      readonly paths: readonly string[];
      /** In some projects `file:` URLs are relative to the schema's folder. */
      readonly scheme: string;
    }
  | ServerUrl
  /** What is wrong; the URL is not quoted, since it may hold a password. */
  | { readonly kind: 'problem'; readonly reason: string; readonly isMemory?: true; readonly isUnfilled?: true };

interface ServerUrl {
  readonly kind: ServerKind;
  readonly target: ServerTarget;
  /** The URL leaves the database out, and this is the user's name. */
  readonly usersDatabase?: true;
}

const UNFILLED_URL = { kind: 'problem', reason: UNFILLED, isUnfilled: true } as const satisfies DatabaseUrl;
const MAX_URL_CHARS = 4_096;
/** SQLite's drivers take a plain path, so some variables for URLs hold one. */
const SQLITE_PATH = /^((?:[^\s:?#"'*]*[/\\])?[^\s:?#"'*/\\]*\.(?:db|db3|sqlite|sqlite3|s3db))$/i;

/** Whether a text is a plain path to what by its ending is a SQLite database. */
export function isSqlitePath(text: string): boolean {
  return SQLITE_PATH.test(text.trim());
}

/** Reads a database URL in any of the frameworks' spellings. Looks nothing up. */
export function readDatabaseUrl(url: string): DatabaseUrl {
  if (url.length > MAX_URL_CHARS) return problem(`is longer than ${MAX_URL_CHARS} characters`);
  const path = SQLITE_PATH.exec(url.trim())?.[1];
  if (path !== undefined)
    return hasPlaceholder(path) || isExamplePath(path)
      ? UNFILLED_URL
      : { kind: 'sqlite', paths: [path], scheme: 'path' };
  const match = /^([a-z][a-z0-9_-]*)(\+[a-z0-9_+]+)?:([\s\S]*)$/i.exec(url.trim());
  if (match === null) return problem('is not a URL: it has no scheme like sqlite: or postgres:');
  const scheme = (match[1] ?? '').toLowerCase();
  const rest = match[3] ?? '';
  const kind = scheme === 'file' ? 'sqlite' : engineKindOf(scheme);
  if (kind === 'sqlite') return readSqlite(scheme, rest);
  if (scheme === 'prisma') return problem("points to Prisma's proxy, not to a database");
  if (kind === undefined) return problem(`names the scheme ${scheme}:, which DevDB does not support`);
  if (!rest.startsWith('//')) return problem(`needs // after ${scheme}:`);
  return kind === 'mssql' && rest.includes(';') ? readSemicolons(rest.slice(2)) : readServer(kind, rest.slice(2));
}

function readSqlite(scheme: string, rest: string): DatabaseUrl {
  const written = rest.split(/[?#]/, 1)[0] ?? '';
  const path = decode(written);
  if (path.includes('\0')) return problem('has a NUL character in its path');
  if (/^(\/\/\/?)?(:memory:)?$/.test(path) || /[?&]mode=memory\b/.test(rest)) {
    return { ...problem('names an in-memory database, which only its own program can see'), isMemory: true };
  }
  const slashes = /^\/*/.exec(path)?.[0].length ?? 0;
  const body = path.slice(slashes);
  const drive = /^[a-z]:[\\/]/i.test(body);
  // In an absolute path it may be the name of a folder that the project is in.
  const isInProject = !drive && slashes !== 1 && slashes <= 3;
  if (isExamplePath(body) || (isInProject && hasPlaceholder(written))) return UNFILLED_URL;
  if (drive || slashes === 0) return { kind: 'sqlite', paths: [body], scheme };
  if (slashes === 1 || slashes > 3) return { kind: 'sqlite', paths: [`/${body}`], scheme };
  if (slashes === 2)
    return { kind: 'sqlite', paths: [body.replace(/^localhost(?=\/)/, scheme === 'file' ? '' : '$&')], scheme };
  return { kind: 'sqlite', paths: scheme === 'file' ? [`/${body}`] : [body, `/${body}`], scheme };
}

function readServer(kind: ServerKind, rest: string): DatabaseUrl {
  const {
    authority = '',
    path = '',
    query = '',
  } = /^(?<authority>[^/?#]*)(?:\/(?<path>[^?#]*))?(?:\?(?<query>[^#]*))?/.exec(rest)?.groups ?? {};
  const at = authority.lastIndexOf('@');
  const [user, password] = splitOnce(at === -1 ? '' : authority.slice(0, at), ':');
  const hostPort = authority.slice(at + 1);
  const isUnfilled = hasPlaceholder(user, hostPort, path) || isCalledYours(hostPort, path);
  if (isUnfilled || isExample(user, password, path)) return UNFILLED_URL;
  if (hostPort.includes(',')) return problem('names several hosts; DevDB connects to one');
  // Otherwise the beginning of a password would be taken for the port, and shown.
  const isCut = at === -1 && (path.includes('@') || /^[^?#]*[?#][^=@]*@/.test(rest));
  const parsed = isCut ? null : /^(\[[0-9a-f:.%]*\]|[^:]*)(?::(\d*))?$/i.exec(hostPort);
  const port = parsed === null ? undefined : readPort(parsed[2], kind);
  if (parsed === null || port === undefined) {
    return problem('has no readable host and port; a password with @ : / ? or # must be percent-encoded');
  }
  const options = new Map<string, string>(readQuery(query));
  const host = decode(parsed[1] ?? '').replace(/^\[(.*)\]$/, '$1');
  return {
    kind,
    target: {
      host: take(options, 'host') ?? take(options, 'socket') ?? (host === '' ? 'localhost' : host),
      port: readPort(take(options, 'port') ?? parsed[2], kind) ?? port,
      user: take(options, 'user') ?? decode(user),
      password: secret(take(options, 'password') ?? (password === undefined ? undefined : decode(password))),
      database: take(options, 'dbname') ?? decode(path),
      options: Object.fromEntries([...options].map(([name, value]) => [name, objectIn(value) ?? value])),
    },
  };
}

/** PostgreSQL's clients take the user's name for a database that the URL leaves out. */
export function withUsersDatabase(url: ServerUrl): ServerUrl {
  const { kind, target } = url;
  if (kind !== 'postgres' || target.database !== '' || target.user === '') return url;
  return { kind, target: { ...target, database: target.user }, usersDatabase: true };
}

/** `ssl={"rejectUnauthorized":true}`: some drivers accept an object here, as JSON. */
function objectIn(text: string): object | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    // A text that only starts like an object stays a text for its option to interpret.
    return undefined;
  }
}

/** `sqlserver://host:port;database=x;user=y;password={a;b}` */
function readSemicolons(rest: string): DatabaseUrl {
  const head = /^[^;]*/.exec(rest)?.[0] ?? '';
  const fields = new Map<string, string>();
  for (const [name, value] of pairsIn(rest.slice(head.length))) fields.set(name, value);
  const [host, portText] = splitOnce(head, ':');
  const port = readPort(portText, 'mssql');
  if (port === undefined) return problem('has a port that is not a number');
  const first = (...names: readonly string[]): string | undefined =>
    names.map((name) => take(fields, name)).find((value) => value !== undefined);
  const target: ServerTarget = {
    host: host === '' ? (first('server', 'datasource') ?? 'localhost') : host,
    port,
    user: first('user', 'username', 'uid', 'userid') ?? '',
    password: secret(first('password', 'pwd')),
    database: first('database', 'initialcatalog') ?? '',
    options: Object.fromEntries(fields),
  };
  const { host: named, user, database } = target;
  const isUnfilled = hasPlaceholder(named, user, database) || isCalledYours(named, database);
  return isUnfilled ? UNFILLED_URL : { kind: 'mssql', target };
}

/** A value in braces may contain semicolons, and doubled closing braces. */
function* pairsIn(text: string): Generator<readonly [string, string]> {
  for (let at = text.indexOf(';'); at !== -1; ) {
    const equals = text.indexOf('=', at);
    if (equals === -1) return;
    // An earlier piece without "=" is skipped.
    const name = text.slice(Math.max(at, text.lastIndexOf(';', equals)) + 1, equals).trim();
    const rest = text.slice(equals + 1).trimStart();
    const braced = rest.startsWith('{') ? /^\{((?:[^}]|\}\})*)\}/.exec(rest) : null;
    const whole = braced?.[0] ?? /^[^;]*/.exec(rest)?.[0] ?? '';
    if (name !== '') yield [name.toLowerCase().replaceAll(' ', ''), braced?.[1]?.replaceAll('}}', '}') ?? whole];
    at = text.indexOf(';', text.length - rest.length + whole.length);
  }
}

function readQuery(query: string): (readonly [string, string])[] {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name, value = ''] = splitOnce(pair, '=');
      return [decode(name.replaceAll('+', ' ')), decode(value.replaceAll('+', ' '))] as const;
    });
}

function readPort(text: string | undefined, kind: ServerKind): number | undefined {
  if (text === undefined || text === '') return ENGINES[kind].port;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port > 0 && port < 65_536 ? port : undefined;
}

function splitOnce(text: string, mark: string): readonly [string, string | undefined] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function take(fields: Map<string, string>, name: string): string | undefined {
  const value = fields.get(name);
  fields.delete(name);
  return value === '' ? undefined : value;
}

function secret(text: string | undefined): Secret | undefined {
  return text === undefined ? undefined : new Secret(text);
}

/** A percent sign that encodes nothing is literal: people write passwords unencoded. */
function decode(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

function problem(reason: string): Extract<DatabaseUrl, { kind: 'problem' }> {
  return { kind: 'problem', reason };
}
