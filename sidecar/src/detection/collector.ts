import { basename, isAbsolute, join } from 'node:path';
import { ENGINES, type ServerKind } from '@devdb/shared/engines';
import { pathText } from '@devdb/shared/plain-text';
import { Secret } from '../host/secret.ts';
import type { AppFolder } from './app-folder.ts';
import { type Detection, type Finding, PRIORITY, type Skipped, type Suggested } from './detector.ts';
import { isTest } from './environment-names.ts';
import { hasPlaceholder, isCalledYours, isExample, isExamplePath, UNFILLED } from './readers/placeholder.ts';
import { readDatabaseUrl, withUsersDatabase } from './readers/url.ts';
import { resolveSqlitePath, sqliteFolders, withProjectFolder } from './sqlite-path.ts';

/** Where a database was found, and under which name. */
export interface Place {
  /** A short name; the detector's name and the folder are put in front. */
  readonly what: string;
  /** Relative to the project's root. */
  readonly file: string;
  readonly line: number | undefined;
  /** '' or undefined for development. */
  readonly environment?: string | undefined;
  /** The order among findings of one folder. */
  readonly rank?: number | undefined;
  /** Only running code would say whether the application uses it, so it is no default. */
  readonly undecided?: true | undefined;
  /** It belongs to a program that runs beside the application, so it is no default. */
  readonly beside?: true | undefined;
  /** Nothing names the database, so it is the one that every such server has. */
  readonly unnamed?: true | undefined;
}

/** A server as the settings describe it, each part as written. */
export interface ServerParts {
  readonly kind: ServerKind;
  readonly host?: string | undefined;
  readonly port?: string | number | undefined;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly database?: string | undefined;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

const MAX_RANK = 99;
/** Nobody writes one: it is left by variables that are empty. */
const EMPTY_ACCOUNT = /^\s*[a-z][\w+-]*:\/\/:@/i;

/** Collects what one detector finds and leaves out, in the form of findings. */
export class Collector {
  readonly #by: string;
  readonly #group: number;
  readonly #found: Finding[] = [];
  readonly #skipped: Skipped[] = [];

  constructor(by: string, group: number = PRIORITY.framework) {
    this.#by = by;
    this.#group = group;
  }

  /** Whether what is read makes the account and the database, which then are called as it says. */
  get #makesIt(): boolean {
    return this.#group === PRIORITY.compose || this.#group === PRIORITY.script;
  }

  get detection(): Detection {
    return { found: this.#found, skipped: this.#skipped };
  }

  /** Records something left out. `mistake` when the user has to correct it. */
  skip(file: string, line: number | undefined, reason: string, mistake = false, suggests?: Suggested): void {
    this.#skipped.push({
      file,
      line,
      reason: pathText(reason),
      ...(mistake ? { mistake: true as const } : {}),
      ...(suggests === undefined ? {} : { suggests }),
      ...(this.#group === PRIORITY.framework ? { unread: 'settings' as const } : {}),
    });
  }

  /** Records that the application's own database is of an engine that DevDB does not have. */
  skipEngine(file: string, line: number | undefined, reason: string): void {
    this.#skipped.push({ file, line, reason: pathText(reason), unread: 'engine' });
  }

  /** Records a database server of the application's own that this machine cannot reach. */
  skipServer(file: string, line: number | undefined, reason: string, suggests: Suggested): void {
    this.#skipped.push({ file, line, reason: pathText(reason), suggests, unread: 'server' });
  }

  /** The text of a file of the project. Undefined when it does not exist, or when it is refused, which is recorded. */
  async textOf(app: AppFolder, file: string): Promise<string | undefined> {
    const read = await app.project.read(file);
    if (read.state === 'refused') this.skip(file, undefined, read.reason);
    return read.state === 'text' ? read.text : undefined;
  }

  /**
   * A database given by a URL. Relative files are relative to `folders`, else to the folder the scheme implies. `beside`
   * is the database that the settings name apart from it.
   */
  async url(app: AppFolder, place: Place, text: string, folders?: readonly string[], beside = ''): Promise<void> {
    const url = readDatabaseUrl(withProjectFolder(app, text, place.environment));
    if (EMPTY_ACCOUNT.test(text)) this.skip(place.file, place.line, `${place.what}: the URL ${UNFILLED}`);
    else if (url.kind === 'problem') this.#refuse(place, `the URL ${url.reason}`, url.isMemory);
    else if (url.kind === 'sqlite') {
      const file = await resolveSqlitePath(app.project, url.paths, folders ?? (await sqliteFolders(app, url.scheme)));
      this.#add(app, place, { name: basename(file), kind: 'sqlite', target: { file } });
    } else {
      const named = url.target.database === '' ? { ...url, target: { ...url.target, database: beside } } : url;
      // A program may put a database's name behind the URL that a variable holds.
      const server = this.#group === PRIORITY.framework ? withUsersDatabase(named) : named;
      const { database } = server.target;
      if (database === '') this.#refuse(place, 'the URL names no database');
      else this.#add(app, place, { ...server, name: database });
    }
  }

  server(app: AppFolder, place: Place, parts: ServerParts): void {
    const { kind, user = '', password, database = '', options = {} } = parts;
    const { host, port: portText } = addressOf(parts);
    const port = portOf(portText, kind);
    const isFromExample = !this.#makesIt && isExample(user, password, database);
    if (port === undefined) this.#refuse(place, 'the port is not a number from 1 to 65535');
    else if (database === '') this.#refuse(place, 'names no database');
    else if (
      isFromExample ||
      hasPlaceholder(host, user, database) ||
      (!this.#makesIt && isCalledYours(host, database))
    ) {
      const known = (text: string | undefined): string | undefined =>
        hasPlaceholder(text) || isCalledYours(text) ? undefined : text;
      const account = isFromExample ? {} : { user: known(user), database: known(database) };
      const suggests = { kind, host: known(host), port, ...account };
      const isDevelopment = (place.environment ?? '') === '';
      this.skip(place.file, place.line, `${place.what}: ${UNFILLED}`, false, isDevelopment ? suggests : undefined);
    } else {
      const target = {
        host: host === undefined || host === '' ? 'localhost' : host,
        port,
        user,
        password: password === undefined || password === '' ? undefined : new Secret(password),
        database,
        options,
      };
      this.#add(app, place, { name: database, kind, target });
    }
  }

  /** A SQLite file; a relative path is relative to `folder`. */
  file(app: AppFolder, place: Place, path: string, folder = app.absolute()): void {
    if (path === '' || path.includes('\0')) this.#refuse(place, 'names no database file');
    else if (path === ':memory:') {
      this.#refuse(place, 'is an in-memory database, which only its own program can see', true);
    } else if (isExamplePath(path) || (!isAbsolute(path) && hasPlaceholder(path))) this.#refuse(place, UNFILLED);
    else {
      const file = isAbsolute(path) ? path : join(folder, path);
      this.#add(app, place, { name: basename(file), kind: 'sqlite', target: { file } });
    }
  }

  /** Settings of development that name an in-memory database mean it: no other one is the application's. */
  #refuse({ file, line, what, environment = '' }: Place, reason: string, isMemory = false): void {
    if (!isMemory || environment !== '') this.skip(file, line, `${what}: ${reason}`);
    else this.#skipped.push({ file, line, reason: pathText(`${what}: ${reason}`), unread: 'settings' });
  }

  #add(app: AppFolder, place: Place, what: Pick<Finding, 'name' | 'kind' | 'target' | 'usersDatabase'>): void {
    const environment = place.environment ?? '';
    const test = environment !== '' && isTest(environment);
    const group = environment === '' ? this.#group : test ? PRIORITY.testEnvironment : PRIORITY.otherEnvironment;
    this.#found.push({
      ...what,
      id: app.id(this.#by, place.what),
      source: { file: place.file, line: place.line, by: this.#by },
      // Within a group, findings of the root come before those of folders below it.
      priority: group + Math.min(app.rank, MAX_RANK) * 10 + Math.min(place.rank ?? 0, 9),
      environment: environment === '' || test ? undefined : environment,
      neverDefault: test ? 'tests' : place.beside ? 'beside' : place.undecided ? 'undecided' : undefined,
      ...(place.unnamed ? { unnamed: true } : {}),
    });
  }
}

/** The host and port; some settings have both in one text: `localhost:5433`. */
function addressOf({ host, port }: ServerParts): Pick<ServerParts, 'host' | 'port'> {
  const [, name, behind] = /^([^:/\\]+):(\d{1,5})$/.exec(host ?? '') ?? [];
  return behind === undefined ? { host, port } : { host: name, port: behind };
}

function portOf(port: string | number | undefined, kind: ServerKind): number | undefined {
  const text = String(port ?? '').trim();
  if (text === '') return ENGINES[kind].port;
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return number > 0 && number < 65_536 ? number : undefined;
}
