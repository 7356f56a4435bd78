import { removeJsonEntry, setJsonEntry } from '../../src/clients/setup/jsonc-edit.ts';
import { setTomlTable } from '../../src/clients/setup/toml-edit.ts';
import { parseToolFile } from '../../src/custom-tools/parse-tool-file.ts';
import { outlineSql } from '../../src/custom-tools/sql-outline.ts';
import { addEntry, removeEntry } from '../../src/databases/devdbrc-edit.ts';
import { readDevdbrc } from '../../src/detection/detectors/devdbrc.ts';
import { readConnectionString } from '../../src/detection/readers/ado-net.ts';
import { readCargoVariables } from '../../src/detection/readers/cargo-config.ts';
import { readElixirConfig } from '../../src/detection/readers/code/elixir-config.ts';
import { Evaluator } from '../../src/detection/readers/code/evaluate.ts';
import type { Language } from '../../src/detection/readers/code/languages.ts';
import { bindingsOf, callsOf, readProgram } from '../../src/detection/readers/code/program.ts';
import { classesOf, linesInFunctions } from '../../src/detection/readers/code/python-classes.ts';
import { readCommandWords } from '../../src/detection/readers/command-words.ts';
import { dockerRuns } from '../../src/detection/readers/docker-run.ts';
import { readDockerfile } from '../../src/detection/readers/dockerfile.ts';
import { expand, readDotenv, readTemplate } from '../../src/detection/readers/dotenv.ts';
import { readDsn } from '../../src/detection/readers/dsn.ts';
import { readErb } from '../../src/detection/readers/erb.ts';
import { readIni } from '../../src/detection/readers/ini.ts';
import { readJdbc } from '../../src/detection/readers/jdbc.ts';
import { readJsonc } from '../../src/detection/readers/jsonc.ts';
import { readPdoDsn } from '../../src/detection/readers/pdo-dsn.ts';
import { readDatasources } from '../../src/detection/readers/prisma-schema.ts';
import { readProperties } from '../../src/detection/readers/properties.ts';
import { readToml } from '../../src/detection/readers/toml.ts';
import { readDatabaseUrl } from '../../src/detection/readers/url.ts';
import { readYaml, readYamlDocuments } from '../../src/detection/readers/yaml.ts';
import { readTree } from '../../src/detection/settings-tree.ts';
import { readXml } from '../../src/engines/mssql/xml.ts';

// Every reader of text from a repository, an editor's settings or a server, in a separate process from the test that
// feeds it.

/** Also evaluates a program's values, as detectors do. */
function program(language: Language): (text: string) => void {
  return (text) => {
    const read = readProgram(text, language, '/project/settings');
    const env = (name: string) => (name.length > 1 ? { missing: [name] } : { text: name });
    const options = { bindings: bindingsOf(read), env, file: '/project/settings', root: '/project' };
    const evaluator = new Evaluator(options);
    for (const { value } of read.assignments.slice(-50)) evaluator.value(value);
    callsOf(read, 'a');
  };
}

function elixir(text: string): void {
  const { configs, bindings } = readElixirConfig(text, 'dev');
  const env = (name: string) => ({ missing: [name] });
  const evaluator = new Evaluator({ bindings, env, file: '/project/settings', root: '/project' });
  for (const { entries } of configs.slice(-50)) for (const value of entries.values()) evaluator.value(value);
}

function pythonClasses(text: string): void {
  const read = readProgram(text, 'python', '/project/settings');
  classesOf(read);
  linesInFunctions(read);
}

function dotenv(text: string): void {
  const { entries } = readDotenv(text);
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  for (const { segments, name } of entries.slice(-50)) expand(segments, (one) => byName.get(one), [name]);
  expand(readTemplate(text), (one) => byName.get(one));
}

/** A server's plan that is not XML throws an error with a message; other readers report everything in their result. */
function xml(text: string): void {
  try {
    readXml(text);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('The XML of the plan')) throw error;
  }
}

export const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  dotenv,
  yaml: readYaml,
  'yaml documents': readYamlDocuments,
  jsonc: readJsonc,
  devdbrc: readDevdbrc,
  toml: readToml,
  cargo: readCargoVariables,
  // The fuzzer's tokens are of settings, so the command stands before them.
  'docker run': (text) => [dockerRuns(text, () => undefined), dockerRuns(`docker run ${text}`, () => undefined)],
  properties: readProperties,
  'prisma schema': readDatasources,
  'connection string': readConnectionString,
  url: readDatabaseUrl,
  jdbc: readJdbc,
  erb: (text) => readErb(text).split(text),
  'command words': readCommandWords,
  javascript: program('javascript'),
  python: program('python'),
  php: program('php'),
  ruby: program('ruby'),
  'elixir configuration': elixir,
  'python classes': pythonClasses,
  ini: readIni,
  dockerfile: readDockerfile,
  'data source name': readDsn,
  'data source name of PDO': readPdoDsn,
  'settings tree': (text) => readTree('config.ini', text),
  'project tool': (text) => parseToolFile('a.meta.yaml', text),
  'sql outline': outlineSql,
  'xml of a plan': xml,
  'devdbrc edit': (text) => [addEntry(text, { type: 'sqlite', path: 'x' }), removeEntry(text, 1)],
  'settings edit': (text) => [setJsonEntry(text, 'servers', 'x', {}), removeJsonEntry(text, 'servers', 'x')],
  'toml edit': (text) => setTomlTable(text, 'servers', 'x', ['a = 1']),
};

/** One text for one reader. */
export interface ReaderJob {
  readonly reader: string;
  readonly text: string;
}

/** The CPU time it took, and what it threw. */
export interface ReaderAnswer {
  readonly ms: number;
  readonly thrown: string | undefined;
}

/** CPU time: other programs of a busy machine do not count. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

process.on('message', ({ reader, text }: ReaderJob) => {
  const began = threadMs();
  let thrown: string | undefined;
  try {
    READERS[reader]?.(text);
  } catch (error) {
    thrown = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
  const answer: ReaderAnswer = { ms: threadMs() - began, thrown };
  process.send?.(answer);
});
