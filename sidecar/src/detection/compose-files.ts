import { posix } from 'node:path';
import type { Skipped } from './detector.ts';
import type { ProjectView } from './project-view.ts';
import { at, entriesOf, type Located, textOf } from './readers/located.ts';
import { readYaml } from './readers/yaml.ts';

/** Files that one folder's compose files may lead to; no ordinary project has more. */
const MAX_FILES = 20;

/** A compose file, as far as DevDB reads it. */
export interface ComposeFile {
  /** Relative to the project's root, as is its folder. */
  readonly file: string;
  readonly folder: string;
  readonly services: readonly (readonly [string, Located])[];
  readonly includes: readonly Located[];
}

/** A service as defined in one file. */
export interface ServiceIn {
  readonly name: string;
  readonly value: Located;
  readonly file: ComposeFile;
}

export interface ComposeFilesOptions {
  readonly project: ProjectView;
  readonly interpolate: (source: string) => string | undefined;
  readonly skip: (skipped: Skipped) => void;
}

/** Opens compose files, and those they include or extend. Each is read once; files that are not local are left out. */
export class ComposeFiles {
  readonly #options: ComposeFilesOptions;
  readonly #files = new Map<string, ComposeFile | undefined>();
  readonly #included = new Set<string>();

  constructor(options: ComposeFilesOptions) {
    this.#options = options;
  }

  /** Whether a file was read or tried. */
  has(file: string): boolean {
    return this.#files.has(file);
  }

  /** The services of a file; those of included files come first. */
  async services(file: string): Promise<ServiceIn[]> {
    if (this.#included.has(file)) return [];
    this.#included.add(file);
    const opened = await this.#open(file);
    if (opened === undefined) return [];
    const services: ServiceIn[] = [];
    for (const include of opened.includes) {
      const named = await this.#follow(opened, include, 'include');
      if (named !== undefined) services.push(...(await this.services(named.file)));
    }
    for (const [name, value] of opened.services) services.push({ name, value, file: opened });
    return services;
  }

  /** The service that a service extends; undefined when it extends none, or one that cannot be read. */
  async extended({ value, file }: ServiceIn): Promise<ServiceIn | undefined> {
    const said = at(value, 'extends');
    if (said === undefined) return undefined;
    const name = textOf(at(said, 'service') ?? said);
    const path = at(said, 'file');
    const from = path === undefined ? file : await this.#follow(file, path, 'extends');
    if (from === undefined) return undefined;
    const found = from.services.find(([one]) => one === name);
    if (found !== undefined) return { name: found[0], value: found[1], file: from };
    this.#skip(file, said.line, 'extends a missing service');
    return undefined;
  }

  async #follow(from: ComposeFile, said: Located, word: string): Promise<ComposeFile | undefined> {
    const text = textOf(said);
    const path = text === undefined ? undefined : this.#options.interpolate(text);
    const refuse = (reason: string): undefined =>
      this.#skip(from, said.line, `${word}: ${path ?? text ?? 'a file'} ${reason}`);
    if (path === undefined) return refuse('is a path that cannot be determined; it is not read');
    if (/^[a-z][a-z0-9+.-]*:|^git@/i.test(path)) return refuse('is not a local file; it is not read');
    const file = posix.normalize(posix.join(from.folder, path.replaceAll('\\', '/')));
    if (posix.isAbsolute(path) || file.startsWith('..')) return refuse('is outside the project; it is not read');
    if (!this.#files.has(file) && this.#files.size >= MAX_FILES)
      return refuse(`exceeds the number of files that are read`);
    const isNew = !this.#files.has(file);
    const opened = await this.#open(file);
    if (opened === undefined && isNew) return refuse('cannot be read');
    return opened;
  }

  async #open(file: string): Promise<ComposeFile | undefined> {
    if (!this.#files.has(file)) this.#files.set(file, await this.#read(file));
    return this.#files.get(file);
  }

  async #read(file: string): Promise<ComposeFile | undefined> {
    const read = await this.#options.project.read(file);
    if (read.state === 'refused') this.#options.skip({ file, reason: read.reason });
    if (read.state !== 'text') return undefined;
    const { value, problems } = readYaml(read.text);
    for (const { line, reason } of problems) this.#options.skip({ file, line, reason, mistake: true });
    if (problems.length > 0) return undefined;
    const folder = posix.dirname(file).replace(/^\.$/, '');
    return { file, folder, services: entriesOf(at(value, 'services')), includes: includesOf(at(value, 'include')) };
  }

  #skip({ file }: ComposeFile, line: number, reason: string): undefined {
    this.#options.skip({ file, line, reason });
  }
}

/** A path, or an object with one or more paths: the first is the file, the others override it. */
function includesOf(include: Located | undefined): Located[] {
  const items = include?.kind === 'array' ? include.items : [];
  return items.flatMap((item) => {
    const path = at(item, 'path') ?? item;
    return path.kind === 'array' ? path.items : [path];
  });
}
