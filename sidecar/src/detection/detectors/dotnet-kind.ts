import { ENGINE_KINDS, ENGINES, type EngineKind } from '@devdb/shared/engines';
import { readConnectionString } from '../readers/ado-net.ts';
import { engineKindOf } from '../readers/engine-names.ts';
import type { ProjectTexts } from './dotnet-projects.ts';

/** A connection string whose engine is known. */
export interface AdoKind {
  readonly kind: EngineKind;
  readonly pairs: ReadonlyMap<string, string>;
  /** The value of the first of several names that is set. */
  readonly field: (...names: readonly string[]) => string | undefined;
}

/** What a project's packages say about its engine. */
const PACKAGES: Readonly<Record<EngineKind, RegExp>> = {
  postgres: /Include="(Npgsql|Aspire\.Npgsql)/i,
  mysql2: /Include="(Pomelo\.EntityFrameworkCore\.MySql|MySql|MySqlConnector|Aspire\.Pomelo)/i,
  mssql: /Include="(Microsoft\.Data\.SqlClient|System\.Data\.SqlClient|Microsoft\.EntityFrameworkCore\.SqlServer)/i,
  sqlite: /Include="(Microsoft\.EntityFrameworkCore\.Sqlite|Microsoft\.Data\.Sqlite|System\.Data\.SQLite)/i,
};
const SQL_SERVER_ONLY = [
  'initialcatalog',
  'trustservercertificate',
  'trusted_connection',
  'integratedsecurity',
  'multipleactiveresultsets',
  'encrypt',
  'attachdbfilename',
];
const MYSQL_ONLY = [
  'allowuservariables',
  'allowpublickeyretrieval',
  'sslca',
  'characterset',
  'charset',
  'convertzerodatetime',
];

/**
 * The engine of a connection string: the provider that stands beside it, keywords only one engine has, what its name or
 * the settings around it speak of, or else the project's packages; or why it is unknown.
 */
export function kindOfString(
  pairs: ReadonlyMap<string, string>,
  { own, referred }: ProjectTexts,
  provider: string | undefined,
  hint: string | undefined,
): AdoKind | string {
  const field = (...names: readonly string[]): string | undefined =>
    names.map((name) => pairs.get(name)).find((value) => value !== undefined && value !== '');
  if (pairs.has('accountendpoint') || pairs.has('accountkey') || pairs.has('defaultendpointsprotocol')) {
    return 'is a storage service, not a database that DevDB supports';
  }
  const [named, hinted] = [provider, hint].map((text) => (text === undefined ? undefined : engineKindOf(text)));
  const kind = named ?? byWords(pairs, field) ?? hinted ?? byPackages(own, referred);
  return kind === undefined
    ? 'could be one of several engines, and the project file names none of them'
    : { kind, pairs, field };
}

/** `PostgresOptions`, `SqlServer`, `MySqlSettings` */
const OPTIONS = /^(.+?)(?:Options?|Settings?|Config(?:uration)?|Connection|Database|Db)?$/i;

/** The engine that a section of settings is called after, as the settings write it. */
export function engineOfOptions(section: string): string | undefined {
  const [, word = ''] = OPTIONS.exec(section) ?? [];
  return engineKindOf(word) === undefined ? undefined : word;
}

/** Whether a connection string is one of a database that DevDB has: other services have such texts too. */
export function namesEngine(text: string, section: string): boolean {
  const pairs = readConnectionString(text);
  if (pairs === undefined) return false;
  const field: AdoKind['field'] = (...names) => names.map((name) => pairs.get(name)).find((value) => value);
  if (engineOfOptions(section) === undefined && byWords(pairs, field) === undefined) return false;
  // A queue's `host=localhost;username=guest` has no database.
  return field('database', 'initialcatalog', 'datasource', 'filename') !== undefined;
}

/** Sections of parts that keep records of their own: queues, jobs, logs. */
const PARTS =
  /message|outbox|inbox|event|queue|bus|hangfire|quartz|jobs?(?![a-z])|schedul|log(?:s|ging|ger)?(?![a-z])|serilog|audit|health|cache|session/i;

/** Whether a section's connection string is that of a part beside the application's own data. */
export function isOfPart(section: string): boolean {
  return PARTS.test(section);
}

function byWords(pairs: ReadonlyMap<string, string>, field: AdoKind['field']): EngineKind | undefined {
  const server = field('server', 'datasource') ?? '';
  const isFile = /\.(db|db3|sqlite3?|sdb)$/i.test(server) || server === ':memory:' || pairs.has('filename');
  if (isFile && !pairs.has('initialcatalog')) return 'sqlite';
  if (pairs.has('host')) return 'postgres';
  if (SQL_SERVER_ONLY.some((name) => pairs.has(name)) || /^tcp:|,\s*\d+$|^\(localdb\)|^\.(\\|$)/i.test(server))
    return 'mssql';
  const port = pairs.get('port');
  if (port === String(ENGINES.mysql2.port) || MYSQL_ONLY.some((name) => pairs.has(name))) return 'mysql2';
  return port === String(ENGINES.postgres.port) ? 'postgres' : undefined;
}

/** A program of several projects has its driver in one of those that it refers to. */
function byPackages(own: string, referred: string): EngineKind | undefined {
  const [kind, ...others] = enginesIn(own).length > 0 ? enginesIn(own) : enginesIn(referred);
  return others.length === 0 ? kind : undefined;
}

function enginesIn(packages: string): readonly EngineKind[] {
  return ENGINE_KINDS.filter((one) => PACKAGES[one].test(packages));
}
