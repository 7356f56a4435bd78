import { posix } from 'node:path';
import type { EngineKind } from '../../engines/engine.ts';
import type { AppFolder } from '../app-folder.ts';
import { Collector } from '../collector.ts';
import { addDescribed, type FieldNames, wordOf } from '../connection-fields.ts';
import type { Detector } from '../detector.ts';
import type { Environment } from '../environment.ts';
import { environmentOf, isTest } from '../environment-names.ts';
import { filesBelow, type Search } from '../listed-files.ts';
import { type ElixirConfig, readElixirConfig } from '../readers/code/elixir-config.ts';
import { Evaluator } from '../readers/code/evaluate.ts';
import type { Expr } from '../readers/code/expression.ts';

const NAME = 'phoenix';
const FOLDER = 'config';
const MAX_FILES = 12;
/** What is read when the program starts, in development too. */
const RUNTIME = ['runtime', 'runtime/dev'];
/** What Mix calls the environments of findings. */
const MIX_ENVIRONMENTS: Readonly<Record<string, string>> = { '': 'dev', test: 'test', production: 'prod' };
const FIELDS: FieldNames = {
  url: ['url'],
  host: ['socket_dir', 'hostname'],
  port: ['port'],
  user: ['username'],
  password: ['password'],
  database: ['database'],
  file: ['database'],
};
/** Ecto's adapters, and the packages that bring them; Ash has its own over each. */
const ADAPTERS: readonly (readonly [EngineKind, string, RegExp])[] = [
  ['postgres', 'postgres', /\{:(postgrex|ash_postgres)\b/],
  ['mysql2', 'myxql', /\{:(myxql|mariaex|ash_mysql)\b/],
  ['mssql', 'tds', /\{:tds\b/],
  ['sqlite', 'sqlite3', /\{:(ecto_sqlite3|exqlite|ash_sqlite)\b/],
];

/** The modules of repositories: `lib/shop/repo.ex`, in an umbrella `apps/shop/lib/repo.ex`. */
const MODULES: Search = {
  files: /^(\w+_)?repo\.ex$/,
  enters: (name, depth, parent) =>
    depth === 1 ? name === 'lib' || name === 'apps' : depth < 5 && isOfCode(name, parent),
  most: 60,
};

function isOfCode(name: string, parent: string): boolean {
  return parent === 'apps' || name === 'lib' || /(^|\/)lib(\/|$)/.test(parent);
}

/** The repositories of Ecto in an Elixir project's configuration scripts. */
export const phoenix: Detector = {
  name: NAME,
  looksFor: ['config/dev.exs, config/config.exs and config/runtime.exs beside mix.exs'],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    const apps = (await project.apps(signal)).filter((app) => app.has('mix.exs'));
    const packages: string[] = [];
    for (const app of apps) packages.push((await collector.textOf(app, app.path('mix.exs'))) ?? '');
    for (const app of apps.filter((one) => one.has(FOLDER))) {
      const reader = new ConfigReader(
        app,
        await project.environment(app, signal),
        packages.join('\n'),
        collector,
        signal,
      );
      await reader.read(await scripts(app, signal));
    }
    return collector.detection;
  },
};

async function scripts(app: AppFolder, signal: AbortSignal): Promise<readonly string[]> {
  const search = {
    files: /\.exs(\.(example|sample|template|dist))?$/,
    enters: (name: string, depth: number) => depth === 1 && name === FOLDER,
    // Below the project's root a quarter of it: the application's own folder and this one.
    most: 8,
  };
  return (await filesBelow(app, search, signal)).filter((file) => file.startsWith(`${FOLDER}/`));
}

interface Repo {
  readonly file: string;
  readonly line: number;
  readonly entries: Map<string, Expr>;
  bindings: ReadonlyMap<string, Expr>;
  conditional: boolean;
}

class ConfigReader {
  readonly #app: AppFolder;
  readonly #environment: Environment;
  readonly #packages: string;
  readonly #collector: Collector;
  readonly #signal: AbortSignal;

  constructor(app: AppFolder, environment: Environment, packages: string, collector: Collector, signal: AbortSignal) {
    this.#app = app;
    this.#environment = environment;
    this.#packages = packages;
    this.#collector = collector;
    this.#signal = signal;
  }

  async read(files: readonly string[]): Promise<void> {
    const has = (name: string): boolean => files.includes(`${FOLDER}/${name}.exs`);
    for (const [environment, name] of Object.entries(MIX_ENVIRONMENTS)) {
      if (has(name)) await this.#readEnvironment(['config', name, ...(environment === '' ? RUNTIME : [])], environment);
    }
    if (!has('dev')) await this.#withoutDev(files);
  }

  /** Without a script for development, only what the general one sets counts. */
  async #withoutDev(files: readonly string[]): Promise<void> {
    if (await this.#readEnvironment(['config', ...RUNTIME], '')) return;
    const sample = files.find((file) => /\/dev(\.\w+)?\.exs\.\w+$/.test(file));
    const repos = /\{:(ecto|ecto_sql|postgrex|myxql|tds|ecto_sqlite3|ash_postgres|ash_mysql|ash_sqlite)\b/.test(
      this.#packages,
    );
    if (!repos) return;
    const hint = sample === undefined ? '' : `; copy ${sample} to begin`;
    this.#collector.skip(
      this.#app.path(`${FOLDER}/dev.exs`),
      undefined,
      `is missing, so no database is set for development${hint}`,
    );
  }

  /** Whether there was a repository. */
  async #readEnvironment(names: readonly string[], environment: string): Promise<boolean> {
    const repos = new Map<string, Repo>();
    const mixEnvironment = MIX_ENVIRONMENTS[environment] ?? 'dev';
    const waiting = names.map((name) => `${FOLDER}/${name}.exs`);
    for (let read = 0, file = waiting.shift(); file !== undefined && read < MAX_FILES; file = waiting.shift()) {
      read += 1;
      const text = await this.#collector.textOf(this.#app, this.#app.path(file));
      if (text === undefined) continue;
      const script = readElixirConfig(text, mixEnvironment);
      for (const { line, reason } of script.problems) this.#collector.skip(this.#app.path(file), line, reason);
      for (const config of script.configs) merge(repos, config, this.#app.path(file), script.bindings);
      if (!file.endsWith('/config.exs')) waiting.unshift(...script.imports.map((name) => posix.join(FOLDER, name)));
    }
    for (const [index, [key, repo]] of [...repos].entries()) await this.#add(key, repo, environment, index);
    return repos.size > 0;
  }

  async #add(
    key: string,
    { file, line, entries, bindings, conditional }: Repo,
    name: string,
    rank: number,
  ): Promise<void> {
    const environment = environmentOf(name);
    const what = environment === '' ? key : `${key}@${name}`;
    const place = { what, file, line, environment, rank };
    const evaluator = this.#evaluator(file, bindings, environment);
    const adapter = wordOf(evaluator, entries.get('adapter'));
    const kind = this.#kindOf(adapter) ?? (adapter === undefined ? await this.#kindInCode(key) : undefined);
    if (conditional && !entries.has('database') && !entries.has('url')) {
      this.#collector.skip(
        file,
        line,
        `${what}: is set inside a condition, which cannot be evaluated without running code`,
      );
    } else if (entries.has('database') || entries.has('url')) {
      if (kind === undefined)
        this.#collector.skip(file, line, `${what}: neither its adapter nor mix.exs names one engine`);
      else await this.#addDescribed(place, evaluator, kind, entries);
    }
  }

  async #addDescribed(
    place: Parameters<typeof addDescribed>[3],
    evaluator: Evaluator,
    kind: EngineKind,
    entries: ReadonlyMap<string, Expr>,
  ): Promise<void> {
    const url = entries.get('url');
    const value = url && evaluator.value(url);
    // Ecto's own scheme stands for the adapter's.
    const plain =
      value?.ok && typeof value.value === 'string' ? value.value.replace(/^ecto:/, `${SCHEMES[kind]}:`) : undefined;
    const own = new Map(entries);
    if (url !== undefined && plain !== undefined) own.set('url', { kind: 'value', line: url.line, value: plain });
    const object: Expr = { kind: 'object', line: place.line ?? 1, entries: own, spreads: [], overrides: [] };
    const folder = kind === 'sqlite' ? this.#app.absolute() : undefined;
    await addDescribed(this.#collector, this.#app, evaluator, place, { kind, object, names: FIELDS, folder });
  }

  #evaluator(file: string, bindings: ReadonlyMap<string, Expr>, name: string): Evaluator {
    return new Evaluator({
      bindings,
      env: (variable) => {
        const resolved = this.#environment.resolve(variable, name);
        if (resolved.state === 'set') return { text: resolved.text };
        // The number of a parallel test run is usually unset.
        return isTest(name) && variable === 'MIX_TEST_PARTITION' ? { text: '' } : { missing: resolved.names };
      },
      file: posix.join(this.#app.project.root, file),
      root: this.#app.absolute(),
    });
  }

  /** `use Ecto.Repo, adapter: Ecto.Adapters.Postgres` in the repository's own module. */
  async #kindInCode(key: string): Promise<EngineKind | undefined> {
    for (const file of await filesBelow(this.#app, MODULES, this.#signal)) {
      const read = await this.#app.read(file);
      const text = read.state === 'text' && read.text.includes(`defmodule ${key} do`) ? read.text : '';
      const adapter = /\badapter: {0,9}([\w.]{1,80})/.exec(text)?.[1];
      if (adapter !== undefined) return this.#kindOf(adapter);
    }
    return undefined;
  }

  #kindOf(adapter: string | undefined): EngineKind | undefined {
    const last = adapter?.split('.').at(-1)?.toLowerCase();
    if (last !== undefined) return ADAPTERS.find(([, name]) => name === last)?.[0];
    const [only, ...others] = ADAPTERS.filter(([, , dependency]) => dependency.test(this.#packages));
    return others.length === 0 ? only?.[0] : undefined;
  }
}

const SCHEMES: Readonly<Record<EngineKind, string>> = {
  postgres: 'postgres',
  mysql2: 'mysql',
  mssql: 'sqlserver',
  sqlite: 'sqlite',
};

/** A later script's values win. What a condition sets may not hold, so it only counts where nothing else is set. */
function merge(
  repos: Map<string, Repo>,
  config: ElixirConfig,
  file: string,
  bindings: ReadonlyMap<string, Expr>,
): void {
  const { key, entries, line, conditional } = config;
  if (!key.slice(key.lastIndexOf('.') + 1).includes('Repo')) return;
  const before = repos.get(key);
  if (conditional) {
    if (before === undefined) repos.set(key, { file, line, entries: new Map(), bindings, conditional });
    return;
  }
  const merged = new Map([...(before?.entries ?? []), ...entries]);
  const tells = entries.has('database') || entries.has('url');
  const place = before !== undefined && !tells ? before : { file, line };
  const known = new Map([...(before?.bindings ?? []), ...bindings]);
  repos.set(key, { file: place.file, line: place.line, entries: merged, bindings: known, conditional: false });
}
