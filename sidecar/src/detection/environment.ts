import type { Skipped } from './detector.ts';
import { isDevelopment, OTHER_ENV_FILE } from './environment-names.ts';
import type { FolderItem } from './folder.ts';
import type { ProjectView } from './project-view.ts';
import { readCargoVariables } from './readers/cargo-config.ts';
import { type DotenvEntry, expand, readDotenv } from './readers/dotenv.ts';

const EXAMPLE = new Set([
  'example',
  'sample',
  'template',
  'tpl',
  'dist',
  'schema',
  'vault',
  'keys',
  'me',
  'enc',
  'bak',
  'backup',
  'old',
  'orig',
  'swp',
]);

/** `.env.defaults` holds, as in Redwood, what no other file sets. */
const DEFAULTS = 'defaults';

/** Cargo's own settings; a program's `.env` file does not replace what they set. */
export const CARGO_CONFIG = '.cargo/config.toml';

export interface Definition {
  readonly file: string;
  readonly entry: DotenvEntry;
}

/** A variable's value, or why it has none. */
export type Resolved =
  | { readonly state: 'set'; readonly text: string; readonly file: string; readonly line: number | undefined }
  | { readonly state: 'missing'; readonly names: readonly string[] };

interface EnvFile {
  readonly name: string;
  /** '' for development, else taken from the file's name. */
  readonly environment: string;
  /** More specific files win over others of the same environment. */
  readonly rank: number;
}

/** Whether a file's name means that it holds environment variables. */
export function isEnvFile(item: FolderItem): boolean {
  return item.type !== 'folder' && (/^\.env(\.|$)/.test(item.name) || OTHER_ENV_FILE.test(item.name));
}

/** The variables from a folder's `.env` files, then those of the project's root, then the process's own. */
export class Environment {
  /** By environment, '' for development; in each, the effective definition comes first. */
  readonly sets: ReadonlyMap<string, readonly Definition[]>;
  readonly skipped: readonly Skipped[];
  readonly #above: Environment | undefined;
  readonly #process: Readonly<Record<string, string | undefined>>;
  /** By environment, the first definition of each name. */
  readonly #named: ReadonlyMap<string, ReadonlyMap<string, Definition>>;
  /** Several detectors ask for the same values, and each may take many references to find. */
  readonly #expanded = new Map<string, Map<DotenvEntry, Resolved>>();

  private constructor(
    sets: ReadonlyMap<string, readonly Definition[]>,
    skipped: readonly Skipped[],
    above: Environment | undefined,
    env: Readonly<Record<string, string | undefined>>,
  ) {
    this.sets = sets;
    this.skipped = skipped;
    this.#above = above;
    this.#process = env;
    this.#named = new Map([...sets].map(([environment, list]) => [environment, firstOfEach(list)]));
  }

  /** Reads the named files; `path` turns a name in the folder into a path in the project. */
  static async read(
    project: ProjectView,
    names: readonly string[],
    path: (name: string) => string,
    above: Environment | undefined,
    areExamples = false,
  ): Promise<Environment> {
    const skipped: Skipped[] = [];
    const sets = new Map<string, Definition[]>();
    for (const { name, environment } of envFiles(names, path, areExamples, skipped)) {
      const list = sets.get(environment) ?? [];
      sets.set(environment, list);
      list.push(...(await readDefinitions(project, path(name), skipped)));
    }
    return new Environment(sets, skipped, above, project.env);
  }

  /** The environments that have a file here. */
  get environments(): readonly string[] {
    return [...this.sets.keys()];
  }

  /** The effective definition of a name. */
  definition(name: string, environment = ''): Definition | undefined {
    const own = this.#named.get(environment)?.get(name) ?? this.#named.get('')?.get(name);
    return own ?? this.#above?.definition(name, environment);
  }

  /**
   * The value of a variable in the project's files. The process's own variables do not count: they may be meant for
   * another project.
   */
  resolve(name: string, environment = ''): Resolved {
    const definition = this.definition(name, environment);
    return definition ? this.expand(definition, environment) : { state: 'missing', names: [name] };
  }

  /** The process's value: only for what the user configured for DevDB itself, and approved. */
  ofProcess(name: string): string | undefined {
    return Object.hasOwn(this.#process, name) ? this.#process[name] : undefined;
  }

  expand(definition: Definition, environment = ''): Resolved {
    const known = this.#expanded.get(environment) ?? new Map<DotenvEntry, Resolved>();
    this.#expanded.set(environment, known);
    const resolved = known.get(definition.entry) ?? this.#expand(definition, environment);
    known.set(definition.entry, resolved);
    return resolved;
  }

  #expand({ file, entry }: Definition, environment: string): Resolved {
    const lookup = (name: string): DotenvEntry | undefined => this.definition(name, environment)?.entry;
    const { value, missing } = expand(entry.segments, lookup, [entry.name]);
    return missing.length > 0
      ? { state: 'missing', names: [...new Set(missing)] }
      : { state: 'set', text: value, file, line: entry.line };
  }
}

function firstOfEach(definitions: readonly Definition[]): ReadonlyMap<string, Definition> {
  return new Map(definitions.toReversed().map((one) => [one.entry.name, one]));
}

/** The words of a name that say which environment it is for. */
function partsOf(path: string): string[] {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  // In `.envs/.local/.postgres` the folder is the environment, and Cargo's settings are for a developer's machine.
  if (path.includes('/')) return ['local'];
  const other = OTHER_ENV_FILE.exec(name)?.[1];
  if (other !== undefined) return other === 'app' ? [] : [other];
  return /^\.env(-\w+)?\./.test(name) ? name.split('.').slice(2) : [];
}

/** `example`, and `example-windows` for one of several. */
function isExample(part: string): boolean {
  return EXAMPLE.has(part) || /(?:^|[-_])(?:example|sample|template)(?:[-_]|$)/.test(part);
}

/** Development files first, the most specific first: .env.development.local, .env.local, .env.development, .env. */
function envFiles(
  names: readonly string[],
  path: (name: string) => string,
  areExamples: boolean,
  skipped: Skipped[],
): EnvFile[] {
  const files: EnvFile[] = [];
  for (const name of names) {
    const parts = partsOf(name);
    if (areExamples || parts.some(isExample)) {
      skipped.push({ file: path(name), reason: 'is an example or a copy, not settings in use' });
      continue;
    }
    const environment = parts.filter((part) => !isDevelopment(part) && part !== DEFAULTS).join('.');
    const local = parts.includes('local') ? 2 : 0;
    const named = parts.some((part) => part !== 'local') ? 1 : 0;
    files.push({ name, environment, rank: parts.includes(DEFAULTS) ? -1 : local + named });
  }
  return files.sort((a, b) => b.rank - a.rank || (a.name < b.name ? -1 : 1));
}

async function readDefinitions(project: ProjectView, file: string, skipped: Skipped[]): Promise<Definition[]> {
  const read = await project.read(file);
  if (read.state === 'refused') skipped.push({ file, reason: read.reason });
  if (read.state !== 'text') return [];
  const { entries, problems } = file.endsWith(CARGO_CONFIG) ? readCargoVariables(read.text) : readDotenv(read.text);
  skipped.push(...problems.map(({ line, reason }): Skipped => ({ file, line, reason, mistake: true })));
  // What a shell would compute is not known.
  const literal = file.endsWith('.envrc') ? entries.filter(isLiteral) : entries;
  // Within one file the last definition counts.
  return literal.toReversed().map((entry) => ({ file, entry }));
}

function isLiteral({ segments }: DotenvEntry): boolean {
  return segments.every((segment) => segment.kind !== 'text' || !/\$\(|`/.test(segment.text));
}
