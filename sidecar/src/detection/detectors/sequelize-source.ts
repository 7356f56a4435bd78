import type { AppFolder } from '../app-folder.ts';
import { CodeFile } from '../code-file.ts';
import { Collector, type Place } from '../collector.ts';
import { addDescribed, SCRIPT_FIELDS, wordOf } from '../connection-fields.ts';
import type { Detector } from '../detector.ts';
import type { Environment } from '../environment.ts';
import { type NamedValue, nestConfigs } from '../nest-configs.ts';
import type { Expr } from '../readers/code/expression.ts';
import { literalsWith } from '../readers/code/object-literals.ts';
import { callsOf } from '../readers/code/program.ts';
import type { Token } from '../readers/code/tokens.ts';
import { engineKindOf } from '../readers/engine-names.ts';
import { scriptFiles } from '../script-files.ts';

const NAME = 'sequelize-source';
const LIBRARY = /"(?:sequelize|sequelize-typescript|@nestjs\/sequelize)"\s*:/;
/** What an object needs beside its dialect to be a connection. */
const CONNECTS = ['host', 'database', 'storage', 'url', 'uri', 'username', 'port'];

/** `new Sequelize(...)` in its three forms, and `SequelizeModule.forRoot({...})`, also made by a factory. */
export const sequelizeSource: Detector = {
  name: NAME,
  looksFor: ['new Sequelize(...) and SequelizeModule in the usual scripts, and in those that package.json names'],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    const seen = new Set<string>();
    for (const app of await project.apps(signal)) {
      const environment = await project.environment(app, signal);
      const files = await scriptFiles(app, LIBRARY, signal);
      const configs = await nestConfigs(app, files, environment);
      for (const name of files) {
        if (seen.has(app.path(name))) continue;
        seen.add(app.path(name));
        await readFile(app, name, environment, configs, collector);
      }
    }
    return collector.detection;
  },
};

async function readFile(
  app: AppFolder,
  name: string,
  environment: Environment,
  configs: NamedValue,
  collector: Collector,
): Promise<void> {
  const read = await app.read(name);
  if (read.state !== 'text' || !/\bSequelize/.test(read.text)) return;
  const code = await CodeFile.read(app, name, 'javascript', environment, collector, configs);
  if (code === undefined) return;
  const taken = new Set<number>();
  for (const { call } of callsOf(code.program, 'Sequelize')) {
    const options = call.args.find((arg) => code.evaluator.resolve(arg).kind === 'object');
    if (call.args.length === 0 || options === call.args[0]) continue;
    if (options) taken.add(options.line);
    await addCall(code, collector, call.args, options, call.line);
  }
  for (const object of literalsWith(code.program, 'dialect', isEngine)) {
    if (taken.has(object.line) || !CONNECTS.some((field) => object.entries.has(field))) continue;
    await addObject(code, collector, object, object.line);
  }
}

/** A name or call may give it too. */
function isEngine(token: Token | undefined): boolean {
  return token?.kind === 'name' || (token?.kind === 'text' && engineKindOf(token.text) !== undefined);
}

/** `new Sequelize(url, options)` or `new Sequelize(database, user, password, options)` */
async function addCall(
  code: CodeFile,
  collector: Collector,
  args: readonly Expr[],
  options: Expr | undefined,
  line: number,
): Promise<void> {
  const [first, user, password] = args.filter((arg) => arg !== options);
  if (first === undefined) return;
  const names =
    user === undefined ? { url: first } : { database: first, username: user, ...(password ? { password } : {}) };
  const entries = new Map<string, Expr>(Object.entries(names));
  const object: Expr = {
    kind: 'object',
    line,
    entries,
    spreads: options === undefined ? [] : [options],
    overrides: [],
  };
  await addObject(code, collector, object, line);
}

async function addObject(code: CodeFile, collector: Collector, object: Expr, line: number): Promise<void> {
  const { app, file, evaluator } = code;
  const place: Place = { what: 'default', file, line };
  const written = evaluator.field(object, 'dialect');
  const dialect = wordOf(evaluator, written);
  const kind = dialect === undefined ? undefined : engineKindOf(dialect);
  // A URL says its engine itself.
  const byUrl = evaluator.field(object, 'url') ?? evaluator.field(object, 'uri');
  if (kind === undefined && written !== undefined) {
    collector.skip(file, line, 'the dialect is computed, or DevDB does not support it');
  } else if (kind === undefined && byUrl === undefined) collector.skip(file, line, 'the dialect is missing');
  else {
    const folder = kind === 'sqlite' ? app.absolute() : undefined;
    await addDescribed(collector, app, evaluator, place, {
      kind: kind ?? 'postgres',
      object,
      names: SCRIPT_FIELDS,
      folder,
    });
  }
}
