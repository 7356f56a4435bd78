import { posix } from 'node:path';
import type { AppFolder } from '../app-folder.ts';
import { Collector, type Place } from '../collector.ts';
import type { Compose } from '../compose.ts';
import type { Detector } from '../detector.ts';
import type { Environment } from '../environment.ts';
import { environmentOf } from '../environment-names.ts';
import { engineKindOf } from '../readers/engine-names.ts';
import { at, entriesOf, type Located, textOf } from '../readers/located.ts';
import { readYaml } from '../readers/yaml.ts';

const NAME = 'dbt';
const PROJECT = 'dbt_project.yml';
const PROFILES = ['profiles.yml', 'profiles.yaml', 'profiles/profiles.yml', '.dbt/profiles.yml'];
const VARIABLE =
  /\{\{-?\s*env_var\(\s*["'](\w+)["']\s*(?:,\s*["']([^"']*)["']\s*)?\)(?:\s*\|\s*(?:int|as_number|as_text))?\s*-?\}\}/g;

/** The targets of a dbt project's profile, where the project brings its profiles. */
export const dbt: Detector = {
  name: NAME,
  looksFor: ['profiles.yml beside dbt_project.yml or in a folder around it'],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    for (const app of await project.apps(signal)) {
      if (!app.has(PROJECT)) continue;
      const variables = { environment: await project.environment(app, signal), compose: await project.compose(signal) };
      await readProject(app, variables, collector);
    }
    return collector.detection;
  },
};

/** Where variables get their values. */
interface Variables {
  readonly environment: Environment;
  readonly compose: Compose;
}

async function readProject(app: AppFolder, variables: Variables, collector: Collector): Promise<void> {
  const written = (await collector.textOf(app, app.path(PROJECT))) ?? '';
  const profile = textOf(at(readYaml(written).value, 'profile')) ?? 'default';
  for (const file of profileFiles(app)) {
    const text = await collector.textOf(app, file);
    if (text === undefined) continue;
    const { value, problems } = readYaml(text);
    const own = at(value, profile);
    // Around the project may be those of another.
    if (own === undefined && !isOwn(app, file)) continue;
    for (const { line, reason } of problems) collector.skip(file, line, reason);
    if (own === undefined) collector.skip(file, undefined, `has no profile ${profile}, which ${PROJECT} names`);
    const target = textOf(at(own, 'target')) ?? 'default';
    for (const [output, settings] of entriesOf(at(own, 'outputs'))) {
      addOutput(app, { file, output, isTarget: output === target, settings }, variables, collector);
    }
    return;
  }
  collector.skip(
    app.path(PROJECT),
    undefined,
    'has its profile in your home folder (~/.dbt), which is not read; name the database in .devdbrc',
  );
}

/** The project's own first, then those in the folders around it, which dbt's options name or a container gets. */
function profileFiles(app: AppFolder): string[] {
  const folders = [app.folder];
  for (let folder = app.folder; folder !== ''; ) {
    folder = posix.dirname(folder).replace(/^\.$/, '');
    folders.push(folder);
  }
  return folders.flatMap((folder) => PROFILES.map((name) => posix.join(folder, name)));
}

function isOwn(app: AppFolder, file: string): boolean {
  return PROFILES.some((name) => app.path(name) === file);
}

interface Output {
  readonly file: string;
  readonly output: string;
  readonly isTarget: boolean;
  readonly settings: Located;
}

function addOutput(
  app: AppFolder,
  { file, output, isTarget, settings }: Output,
  variables: Variables,
  collector: Collector,
): void {
  const values = new Values(settings, variables);
  const type = values.text('type') ?? '';
  const kind = engineKindOf(type);
  const belongs = isTarget ? '' : environmentOf(output);
  const place: Place = { what: output, file, line: settings.line, environment: belongs, rank: isTarget ? 0 : 1 };
  const parts = {
    host: values.text('host', 'server'),
    port: values.text('port'),
    user: values.text('user', 'username'),
    password: values.text('pass', 'password'),
    database: values.text('dbname', 'database'),
  };
  if (kind === undefined) collector.skip(file, settings.line, `${output}: DevDB does not support its type`);
  else if (values.missing !== undefined) {
    collector.skip(file, settings.line, `${output}: refers to ${values.missing}, which the .env files do not set`);
  } else if (kind === 'sqlite')
    collector.file(app, place, textOf(at(settings, 'schemas_and_paths', 'main')) ?? parts.database ?? '');
  else collector.server(app, place, { kind, ...parts });
}

/** The texts of an output, with `env_var(...)` filled in. */
class Values {
  /** A variable without a value. */
  missing: string | undefined;
  readonly #settings: Located;
  readonly #variables: Variables;

  constructor(settings: Located, variables: Variables) {
    this.#settings = settings;
    this.#variables = variables;
  }

  text(...names: readonly string[]): string | undefined {
    const written = names.map((name) => textOf(at(this.#settings, name))).find((text) => text !== undefined);
    return written?.replaceAll(VARIABLE, (_whole, name: string, otherwise: string | undefined) => {
      const resolved = this.#variables.environment.resolve(name);
      const value = resolved.state === 'set' ? resolved.text : (this.#inContainer(name) ?? otherwise);
      if (value === undefined) this.missing ??= name;
      return value ?? '';
    });
  }

  /** What compose tells the container that dbt runs in, where all its variables say the same. */
  #inContainer(name: string): string | undefined {
    const { compose } = this.#variables;
    const told = compose.services.filter(({ forTests, environment }) => !forTests && environment.has(name));
    const [value, ...others] = new Set(told.map(({ environment }) => environment.get(name)));
    return others.length === 0 ? value : undefined;
  }
}
