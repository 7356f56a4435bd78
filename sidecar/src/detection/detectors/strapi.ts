import type { AppFolder } from '../app-folder.ts';
import { CodeFile } from '../code-file.ts';
import { Collector } from '../collector.ts';
import type { Compose } from '../compose.ts';
import { leavesEngineOpen } from '../compose-variables.ts';
import { addDescribed, SCRIPT_FIELDS, wordOf } from '../connection-fields.ts';
import type { Detector } from '../detector.ts';
import type { Environment } from '../environment.ts';
import { dependsOn } from '../package-names.ts';
import type { Evaluator } from '../readers/code/evaluate.ts';
import type { Expr } from '../readers/code/expression.ts';
import { exportedFunction } from '../readers/code/function-body.ts';
import { exported } from '../readers/code/program.ts';
import { engineKindOf } from '../readers/engine-names.ts';

const NAME = 'strapi';
const FILES = ['database.ts', 'database.js'];
/** What Strapi puts over the common settings when it is started for development. */
const DEVELOPMENT = 'config/env/development';

/** The database of a Strapi project, from the function that its settings export. */
export const strapi: Detector = {
  name: NAME,
  looksFor: [
    'config/database.ts beside a package.json with @strapi/strapi or strapi',
    'config/env/development/database.ts',
  ],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    for (const app of await project.apps(signal)) {
      if (!app.has('config') || !(await isStrapi(app, collector))) continue;
      const environment = await project.environment(app, signal);
      const variables = { environment, compose: await project.compose(signal) };
      const own = await existing(app, DEVELOPMENT);
      const files = own.length > 0 ? own : await existing(app, 'config');
      for (const file of files) await readFile(app, file, variables, collector);
    }
    return collector.detection;
  },
};

async function existing(app: AppFolder, folder: string): Promise<string[]> {
  const paths = FILES.map((name) => `${folder}/${name}`);
  const reads = await Promise.all(paths.map(async (path) => ({ path, read: await app.read(path) })));
  return reads.flatMap(({ path, read }) => (read.state === 'absent' ? [] : [path]));
}

async function isStrapi(app: AppFolder, collector: Collector): Promise<boolean> {
  return (await dependsOn(app, collector, '@strapi/strapi')) || (await dependsOn(app, collector, 'strapi'));
}

/** Where variables get their values. */
interface Variables {
  readonly environment: Environment;
  readonly compose: Compose;
}

async function readFile(
  app: AppFolder,
  name: string,
  { environment, compose }: Variables,
  collector: Collector,
): Promise<void> {
  const read = await CodeFile.read(app, name, 'javascript', environment, collector);
  if (read === undefined) return;
  const program = exportedFunction(read.program);
  // TypeScript runs from dist/config, which paths count from.
  const runs = name.endsWith('.ts') ? `dist/${name}` : name;
  const assignments = [
    ...read.program.assignments.filter(({ conditional }) => !conditional),
    ...(program?.assignments ?? []),
  ];
  const code = new CodeFile(app, app.path(runs), read.program, environment, '', assignments);
  const { evaluator } = code;
  const config = exported(program ?? read.program);
  const settings3 = config && settingsOf3(config, evaluator);
  const connection = config && (evaluator.field(config, 'connection') ?? settings3);
  if (connection === undefined) {
    collector.skip(read.file, config?.line, 'has no connection that can be read without running code');
    return;
  }
  const { value: client, unset } = code.withFallbacks(() => wordOf(evaluator, evaluator.field(connection, 'client')));
  const kind = client === undefined ? undefined : engineKindOf(client);
  const object = evaluator.field(connection, 'connection') ?? settings3;
  const isOpen = kind !== undefined && leavesEngineOpen(compose, app.folder, unset, kind);
  const place = { what: 'db', file: read.file, line: connection.line, undecided: isOpen || undefined };
  if (client === undefined) collector.skip(read.file, connection.line, 'the client is missing or computed');
  else if (kind === undefined) collector.skip(read.file, connection.line, 'DevDB does not support its client');
  else if (object === undefined) collector.skip(read.file, connection.line, 'has no connection for its client');
  else {
    const plain = withoutUnsetUrl(object, evaluator);
    await addDescribed(collector, app, evaluator, place, {
      kind,
      object: plain,
      names: SCRIPT_FIELDS,
      folder: app.absolute(),
    });
  }
}

/** Strapi 3 has one of several connections as its default, with the client among its settings. */
function settingsOf3(config: Expr, evaluator: Evaluator): Expr | undefined {
  const connections = evaluator.field(config, 'connections');
  const name = wordOf(evaluator, evaluator.field(config, 'defaultConnection')) ?? 'default';
  const connection = connections && evaluator.field(connections, name);
  return connection && evaluator.field(connection, 'settings');
}

/** Every project's file names a URL's variable; where it is not set, the other fields count. */
function withoutUnsetUrl(object: Expr, evaluator: Evaluator): Expr {
  const url = evaluator.field(object, 'connectionString');
  const value = url && evaluator.value(url);
  if (url === undefined || value === undefined || value.ok || value.missing.length === 0) return object;
  const none: Expr = { kind: 'value', line: url.line, value: null };
  return {
    kind: 'object',
    line: object.line,
    entries: new Map([['connectionString', none]]),
    spreads: [object],
    overrides: [],
  };
}
