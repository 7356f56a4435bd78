import { realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { MAX_CONFIG_FILE_BYTES } from '@devdb/shared/limits';
import { codeOf, hasCode } from '../host/error-code.ts';
import { notLocal, readForeignSync, readHeadSync, UnfitFile } from '../host/foreign-file.ts';
import type { LogEvent } from '../host/log.ts';
import { type AppFolder, type AppFolders, findApps } from './app-folder.ts';
import { type Compose, readCompose } from './compose.ts';
import type { ContainerDaemon } from './container-daemon.ts';
import { Containers } from './containers.ts';
import { isInside, type Located, locate, refusalOf } from './containment.ts';
import { CARGO_CONFIG, Environment, isEnvFile } from './environment.ts';
import { type FolderRead, keyOf, listFolder, type Wanted } from './folder.ts';
import { FolderStates } from './folder-states.ts';
import { readJsonc } from './readers/jsonc.ts';
import { at, textOf } from './readers/located.ts';
import { missingTrace, type Trace, traceOf } from './trace.ts';

export type FileRead =
  | { readonly state: 'text'; readonly text: string }
  | { readonly state: 'absent' }
  | { readonly state: 'refused'; readonly reason: string };

/** Environment variables, as a process has them. */
export type ProcessEnv = Readonly<Record<string, string | undefined>>;

export type SqliteHeader = 'sqlite' | 'empty' | 'other' | 'absent' | 'unreadable';

const ABSENT: FileRead = { state: 'absent' };
/** Beside the application's own files; the usual name is read in any case. */
const RUNTIME_ENV = /^\.env-[a-z0-9_]{1,40}$/i;
const SQLITE_MAGIC = Buffer.from('SQLite format 3\0', 'latin1');

/** How a project is opened, apart from where it is. */
export interface ViewOptions {
  readonly env?: ProcessEnv | undefined;
  /** Called before a file that exists is read. */
  readonly onRead?: ((file: string) => void) | undefined;
  /** What may be asked for the ports of running containers. */
  readonly containers?: ContainerDaemon | undefined;
  readonly log?: LogEvent | undefined;
}

/** A detector's only access to the project: reads are limited, stay inside it, and leave a trace for later checks. */
export class ProjectView {
  /** Free of links. */
  readonly root: string;
  /** The process's variables. The project's own files win over them. */
  readonly env: ProcessEnv;
  readonly containers: Containers;
  /** The root as it was written, which may lead through links. */
  readonly #written: string;
  readonly #began: number;
  readonly #onRead: (file: string) => void;
  readonly #folders: FolderStates;
  readonly #traces = new Map<string, Trace>();
  readonly #reads = new Map<string, FileRead>();
  readonly #environments = new Map<string, Promise<Environment>>();
  #apps: Promise<AppFolders> | undefined;
  #compose: Promise<Compose> | undefined;

  private constructor(root: string, written: string, began: number, options: ViewOptions) {
    const { env = {}, onRead = () => undefined, containers, log = () => undefined } = options;
    this.root = root;
    this.#written = resolve(written);
    this.#began = began;
    this.env = env;
    this.containers = new Containers(containers, log);
    this.#folders = new FolderStates(root);
    this.#onRead = onRead;
  }

  /** Undefined when the folder does not exist or this user may not enter it. */
  static async open(
    projectRoot: string,
    now: () => number,
    options: ViewOptions = {},
  ): Promise<ProjectView | undefined> {
    const began = now();
    try {
      return new ProjectView(realpathSync.native(projectRoot), projectRoot, began, options);
    } catch {
      return undefined;
    }
  }

  get traces(): readonly Trace[] {
    return [...this.#traces.values()];
  }

  /** A file's path as findings and answers show it. */
  relative(path: string): string {
    return relative(this.root, path).split(sep).join('/');
  }

  /** The absolute paths that a folder of the project is known by: its real one, and below the root as it was written. */
  spellings(folder: string): readonly string[] {
    return [...new Set([this.root, this.#written].map((root) => join(root, folder)))];
  }

  contains(path: string): boolean {
    return isInside(this.root, path);
  }

  /** The real path; a later change of it is noticed. */
  async locate(path: string): Promise<Located & { readonly inside: boolean }> {
    // Even looking at a network path would send this user's name and a password proof to its host.
    if (notLocal(path) !== undefined && !this.contains(path)) return { file: path, exists: false, inside: false };
    this.#trace(path, 'identity');
    const located = locate(path);
    return { ...located, inside: this.contains(located.file) };
  }

  /** The folders that may hold applications, the root first. Searched once for all detectors. */
  async apps(signal: AbortSignal): Promise<readonly AppFolder[]> {
    return (await this.appFolders(signal)).apps;
  }

  appFolders(signal: AbortSignal): Promise<AppFolders> {
    this.#apps ??= findApps(this, signal);
    return this.#apps;
  }

  /** The variables that apply in an application's folder. */
  environment(app: AppFolder, signal: AbortSignal): Promise<Environment> {
    const known = this.#environments.get(app.folder);
    const environment = known ?? this.#readEnvironment(app, signal);
    this.#environments.set(app.folder, environment);
    return environment;
  }

  /** The project's compose files, read once. */
  compose(signal: AbortSignal): Promise<Compose> {
    this.#compose ??= readCompose(this, signal);
    return this.#compose;
  }

  /** The text of a file inside the project, read once. */
  async read(file: string): Promise<FileRead> {
    const path = join(this.root, file);
    const known = this.#reads.get(path);
    // Also when the text is cached: the slow part comes after reading.
    if (known?.state === 'text') this.#onRead(file);
    const read = known ?? this.#read(path, file);
    this.#reads.set(path, read);
    return read;
  }

  async #readEnvironment(app: AppFolder, signal: AbortSignal): Promise<Environment> {
    const [root] = await this.apps(signal);
    const above = root === undefined || app.folder === '' ? undefined : await this.environment(root, signal);
    const names = [
      ...app.items.filter(isEnvFile).map(({ name }) => name),
      ...(await this.#localEnvFiles(app, signal)),
      ...(await this.#runtimeEnvFiles(app)),
      ...(app.has('.cargo') ? [CARGO_CONFIG] : []),
    ];
    return await Environment.read(this, names, (name) => app.path(name), above, app.isExample);
  }

  /** One file per service, as cookiecutter-django lays them out. */
  async #localEnvFiles(app: AppFolder, signal: AbortSignal): Promise<string[]> {
    if (!app.has('.envs')) return [];
    const listing = await this.list(app.path('.envs/.local'), { files: /^\.?\w+$/ }, signal);
    return listing.state === 'listed' ? listing.items.map(({ name }) => `.envs/.local/${name}`) : [];
  }

  /** The files in place of `.env` that Symfony's runtime loads by its options, e.g. `.env-app` and `.env-app.local`. */
  async #runtimeEnvFiles(app: AppFolder): Promise<string[]> {
    const composer: FileRead = app.has('composer.json') ? await app.read('composer.json') : ABSENT;
    if (composer.state !== 'text' || !composer.text.includes('"dotenv_path"')) return [];
    const name = textOf(at(readJsonc(composer.text).value, 'extra', 'runtime', 'dotenv_path')) ?? '';
    return RUNTIME_ENV.test(name) ? ['', '.local', '.dev', '.dev.local'].map((ending) => name + ending) : [];
  }

  #read(path: string, file: string): FileRead {
    const folder = this.#folders.of(dirname(path));
    if (folder.is === 'missing' && this.#staysMissing(folder.from)) return ABSENT;
    if (folder.is === 'inside' && this.#folders.isMissing(path)) {
      this.#traces.set(`${path}\0content`, missingTrace(path, 'content'));
      return ABSENT;
    }
    this.#trace(path, 'content');
    this.#onRead(file);
    const refused = refusalOf(this.root, path);
    if (refused !== undefined) return refused;
    try {
      return textIn(readForeignSync(path, MAX_CONFIG_FILE_BYTES));
    } catch (error) {
      if (!(error instanceof UnfitFile)) return { state: 'refused', reason: `cannot be read (${codeOf(error)})` };
      const hint = error.code === 'TOO_LARGE' ? ', too large for a settings file' : '';
      return { state: 'refused', reason: `${error.message}${hint}` };
    }
  }

  /** Nothing can be in a missing folder until it appears, so it is watched instead of the files in it. */
  #staysMissing(folder: string): boolean {
    if (!this.#traces.has(`${folder}\0identity`)) this.#trace(folder, 'identity');
    return this.#folders.isMissing(folder);
  }

  /** The relevant names in a folder inside the project, sorted. */
  async list(folder: string, wanted: Wanted, signal: AbortSignal): Promise<FolderRead> {
    const path = join(this.root, folder);
    const known = this.#folders.of(path);
    if (known.is === 'missing' && this.#staysMissing(known.from)) return { state: 'absent' };
    const before = traceOf(path, 'folder', this.#began);
    const listing = listFolder(this.root, path, wanted, signal);
    const names = { list: keyOf(listing), wanted, root: this.root };
    this.#traces.set(`${path}\0folder${this.#traces.size}`, { ...before, names });
    return listing;
  }

  /** What kind of file the first bytes show. The caller has checked that it is inside the project. */
  async sqliteHeader(path: string): Promise<SqliteHeader> {
    const before = traceOf(path, 'content', this.#began);
    const header = readHeader(path);
    // A database changes with every write, so only a file that was not taken for a database is checked again.
    if (header === 'sqlite' || header === 'empty') this.#trace(path, 'identity');
    else this.#traces.set(`${path}\0content`, before);
    return header;
  }

  #trace(path: string, watch: 'content' | 'identity'): void {
    this.#traces.set(`${path}\0${watch}`, traceOf(path, watch, this.#began));
  }
}

function textIn(bytes: Buffer): FileRead {
  // Windows shells write UTF-16 when a command's output is redirected to a file.
  const text = bytes[0] === 0xff && bytes[1] === 0xfe ? bytes.toString('utf16le') : bytes.toString('utf8');
  if (text.includes('\0')) return { state: 'refused', reason: 'is not a text file' };
  return { state: 'text', text: text.startsWith('\uFEFF') ? text.slice(1) : text };
}

function readHeader(path: string): SqliteHeader {
  try {
    const { head, size } = readHeadSync(path, SQLITE_MAGIC.length);
    if (size === 0) return 'empty';
    return head.equals(SQLITE_MAGIC) ? 'sqlite' : 'other';
  } catch (error) {
    if (error instanceof UnfitFile) return 'other';
    return hasCode(error, 'ENOENT') ? 'absent' : 'unreadable';
  }
}
