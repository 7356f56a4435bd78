import type { AppFolder } from '../app-folder.ts';
import { Collector, type Place } from '../collector.ts';
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
  looksFor: ['profiles.yml beside dbt_project.yml'],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    for (const app of await project.apps(signal)) {
      if (app.has(PROJECT)) await readProject(app, await project.environment(app, signal), collector);
    }
    return collector.detection;
  },
};

async function readProject(app: AppFolder, environment: Environment, collector: Collector): Promise<void> {
  const written = (await collector.textOf(app, app.path(PROJECT))) ?? '';
  const profile = textOf(at(readYaml(written).value, 'profile')) ?? 'default';
  for (const name of PROFILES) {
    const file = app.path(name);
    const text = await collector.textOf(app, file);
    if (text === undefined) continue;
    const { value, problems } = readYaml(text);
    for (const { line, reason } of problems) collector.skip(file, line, reason);
    const own = at(value, profile);
    if (own === undefined) collector.skip(file, undefined, `has no profile ${profile}, which ${PROJECT} names`);
    const target = textOf(at(own, 'target')) ?? 'default';
    for (const [output, settings] of entriesOf(at(own, 'outputs'))) {
      addOutput(app, { file, output, isTarget: output === target, settings }, environment, collector);
    }
    return;
  }
  collector.skip(
    app.path(PROJECT),
    undefined,
    'has its profile in your home folder (~/.dbt), which is not read; name the database in .devdbrc',
  );
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
  environment: Environment,
  collector: Collector,
): void {
  const values = new Values(settings, environment);
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
  readonly #environment: Environment;

  constructor(settings: Located, environment: Environment) {
    this.#settings = settings;
    this.#environment = environment;
  }

  text(...names: readonly string[]): string | undefined {
    const written = names.map((name) => textOf(at(this.#settings, name))).find((text) => text !== undefined);
    return written?.replaceAll(VARIABLE, (_whole, name: string, otherwise: string | undefined) => {
      const resolved = this.#environment.resolve(name);
      const value = resolved.state === 'set' ? resolved.text : otherwise;
      if (value === undefined) this.missing ??= name;
      return value ?? '';
    });
  }
}
