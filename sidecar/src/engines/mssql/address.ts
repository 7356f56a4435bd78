import { AppError } from '@devdb/shared/errors';
import type { ConnectionAuthentication, ConnectionConfiguration, ConnectionOptions } from 'tedious';
import type { ServerTarget } from '../engine.ts';
import { CONNECT_TIMEOUT_MS } from '../limits.ts';
import { type FilePlace, isLocal, pemText } from '../tls-options.ts';

const DEFAULT_PORT = 1433;

/** A server's port, or an instance whose port the server's browser service reports. */
interface Place {
  readonly server: string;
  readonly port: number | undefined;
  readonly instanceName: string | undefined;
}

/** The driver's configuration. Nothing is retried, and only connecting has a timeout of its own. */
export function configurationOf(target: ServerTarget, projectRoot: string): ConnectionConfiguration {
  const options = new Options(target.options);
  const { server, port, instanceName } = placeOf(target, options);
  return {
    server,
    authentication: authenticationOf(target, options),
    options: {
      ...(instanceName === undefined ? { port: port ?? DEFAULT_PORT } : { instanceName }),
      ...(target.database === '' ? {} : { database: target.database }),
      ...encryptionOf(options, server, { projectRoot, approved: target.approved === true }),
      appName: options.text('appname', 'applicationname') ?? 'DevDB',
      connectTimeout: timeoutOf(options),
      requestTimeout: 0,
      // Waits for the server to confirm a stop: until then the statement runs.
      cancelTimeout: 0,
      maxRetriesOnTransientErrors: 0,
      readOnlyIntent: options.text('applicationintent')?.toLowerCase() === 'readonly',
      multiSubnetFailover: options.flag('multisubnetfailover') ?? false,
      enableArithAbort: true,
      enableQuotedIdentifier: true,
      useUTC: true,
    },
  };
}

/** The database user that guarded reads run as, where one is configured. */
export function readerOf(target: ServerTarget): string | undefined {
  return new Options(target.options).text('executeasuser', 'executeas');
}

/** Options as written in files and addresses: any case, spaces and underscores, numbers and flags as text. */
class Options {
  readonly #values = new Map<string, unknown>();

  constructor(options: Readonly<Record<string, unknown>>) {
    const nested = options['options'];
    const all = isRecord(nested) ? { ...nested, ...options } : options;
    for (const [name, value] of Object.entries(all))
      this.#values.set(name.toLowerCase().replaceAll(/[\s_-]/g, ''), value);
  }

  text(...names: readonly string[]): string | undefined {
    const value = this.#first(names);
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  number(...names: readonly string[]): number | undefined {
    const value = Number(this.#first(names) ?? Number.NaN);
    return Number.isFinite(value) ? value : undefined;
  }

  flag(...names: readonly string[]): boolean | undefined {
    const value = this.#first(names);
    if (value === undefined || value === null || value === '') return undefined;
    const text = String(value).trim().toLowerCase();
    if (['true', 'yes', '1', 'on', 'mandatory', 'require', 'required'].includes(text)) return true;
    if (['false', 'no', '0', 'off', 'optional', 'disable', 'disabled', 'danger_plaintext'].includes(text)) return false;
    throw new AppError('E_NO_CONNECTION', `The connection's option ${names[0]} is neither true nor false.`, {
      hint: 'Write true or false.',
    });
  }

  #first(names: readonly string[]): unknown {
    return names.map((name) => this.#values.get(name)).find((value) => value !== undefined);
  }
}

function placeOf(target: ServerTarget, options: Options): Place {
  // A host in the form of .NET and ODBC connection strings: tcp:host\instance,port
  const bare = target.host.replace(/^tcp:/i, '').trim();
  const [, address = bare, given] = /^(.*),\s*(\d{1,5})$/.exec(bare) ?? [];
  const [name = '', instance] = address.split('\\', 2);
  const server = localName(name.replace(/^\[(.*)\]$/, '$1'));
  if (/^\(localdb\)/i.test(server) || bare.startsWith('np:') || bare.startsWith('\\\\')) {
    throw new AppError('E_NO_CONNECTION', 'LocalDB and named pipes cannot be reached from here, only TCP.', {
      hint: 'Switch TCP on for the instance, and write host and port into the connection.',
    });
  }
  const port = given === undefined ? target.port : Number(given);
  const instanceName = instance ?? options.text('instancename', 'instance');
  // An explicit port is where the instance listens; the default port only means that none was given.
  const byName = instanceName !== undefined && instanceName !== '' && (port === DEFAULT_PORT || port === 0);
  return { server, port: port === 0 ? undefined : port, instanceName: byName ? instanceName : undefined };
}

function localName(name: string): string {
  return ['.', '(local)', ''].includes(name.toLowerCase()) ? 'localhost' : name;
}

function authenticationOf({ user, password }: ServerTarget, options: Options): ConnectionAuthentication {
  const domain = options.text('domain');
  const userName = user;
  // The only place where the password is opened.
  const login = { userName, password: password?.open() ?? '' };
  if (domain !== undefined) return { type: 'ntlm', options: { ...login, domain } };
  return { type: 'default', options: login };
}

/**
 * Encrypted unless configured otherwise; the certificate is checked unless configured otherwise, or the server is this
 * machine. A login in clear text shows its password to anybody listening: until the user has approved that,
 * `encrypt=false` only means that no certificate is required.
 */
function encryptionOf(options: Options, server: string, place: FilePlace): ConnectionOptions {
  const strict = options.text('encrypt')?.trim().toLowerCase() === 'strict';
  const wanted = strict ? 'strict' : (options.flag('encrypt', 'ssl') ?? true);
  const mayBeClear = wanted === false && place.approved;
  const encrypt = wanted === false ? !mayBeClear : wanted;
  const ca = pemText(options.text('ca', 'sslca', 'sslrootcert', 'servercertificate'), 'ca', place);
  const trust = options.flag('trustservercertificate') ?? (ca === undefined && (wanted === false || isLocal(server)));
  const name = options.text('hostnameincertificate', 'servername');
  return {
    encrypt,
    trustServerCertificate: trust,
    ...(ca === undefined ? {} : { cryptoCredentialsDetails: { ca } }),
    ...(name === undefined ? {} : { serverName: name }),
  };
}

/** Seconds in .NET connection strings, milliseconds in the driver's own option. */
function timeoutOf(options: Options): number {
  const seconds = options.number('connecttimeoutseconds', 'connectiontimeout', 'timeout');
  const wanted = options.number('connecttimeout') ?? (seconds === undefined ? undefined : seconds * 1_000);
  const ms = wanted !== undefined && wanted > 0 && wanted < 100 ? wanted * 1_000 : wanted;
  return ms !== undefined && ms > 0 ? Math.min(ms, CONNECT_TIMEOUT_MS) : CONNECT_TIMEOUT_MS;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
