import { at, entriesOf, type Located, type Problem, textOf } from '../readers/located.ts';
import { type Property, readProperties } from '../readers/properties.ts';
import { readYamlDocuments } from '../readers/yaml.ts';

/** One settings document, general or for a profile. */
export interface Document {
  readonly file: string;
  /** '' for the general one. */
  readonly profile: string;
  readonly values: ReadonlyMap<string, Property>;
}

const ON_PROFILE = ['spring.config.activate.on-profile', 'spring.profiles'];

/** The documents of an application's settings files, in order. */
export class Documents {
  readonly #all: Document[] = [];

  get all(): readonly Document[] {
    return this.#all;
  }

  get profiles(): readonly string[] {
    return [...new Set(this.#all.map(({ profile }) => profile))];
  }

  /** Adds a file; returns the parts that cannot be read. */
  add(file: string, text: string, profile: string): readonly Problem[] {
    const isYaml = !file.endsWith('.properties');
    const readings = isYaml ? readYamlDocuments(text) : [];
    const documents = isYaml ? readings.map(({ value }) => new Map(flat(value, ''))) : readProperties(text);
    for (const values of documents) {
      const own = ON_PROFILE.map((key) => values.get(key)?.value).find((name) => name !== undefined);
      const document = { file, profile: own ?? profile, values };
      this.#all.push(...(/(^|\/)grails-app\//.test(file) ? byEnvironment(document) : [document]));
    }
    return readings.flatMap(({ problems }) => problems);
  }
}

const OF_ENVIRONMENT = /^environments\.(\w+)\.(.+)$/;

/** Grails keeps its environments in the general file: `environments.development.dataSource.url`. */
function byEnvironment({ file, profile, values }: Document): Document[] {
  const documents = new Map([[profile, new Map<string, Property>()]]);
  for (const [key, property] of values) {
    const [, environment = profile, own = key] = OF_ENVIRONMENT.exec(key) ?? [];
    const known = documents.get(environment) ?? new Map<string, Property>();
    documents.set(environment, known.set(own, property));
  }
  return [...documents].map(([name, own]) => ({ file, profile: name, values: own }));
}

function flat(value: Located | undefined, prefix: string): (readonly [string, Property])[] {
  if (value?.kind === 'array') {
    return value.items.flatMap((item, index) => flat(item, `${prefix}[${index}]`));
  }
  if (value?.kind === 'object') {
    return entriesOf(value).flatMap(([name]) => flat(at(value, name), prefix === '' ? name : `${prefix}.${name}`));
  }
  const text = textOf(value);
  return value === undefined || text === undefined ? [] : [[prefix, { line: value.line, value: text }]];
}
