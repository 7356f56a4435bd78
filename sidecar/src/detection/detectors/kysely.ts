import type { EngineKind } from '../../engines/engine.ts';
import { CodeFile } from '../code-file.ts';
import { Collector, type Place } from '../collector.ts';
import { addConnection, SCRIPT_FIELDS, wordOf } from '../connection-fields.ts';
import type { Detector } from '../detector.ts';
import { filesBelow, type Search } from '../listed-files.ts';
import { dependsOn } from '../package-names.ts';
import type { Expr } from '../readers/code/expression.ts';
import { callsOf, exported } from '../readers/code/program.ts';
import { engineKindOf } from '../readers/engine-names.ts';

const NAME = 'kysely';
const FILES = /^(kysely(\.config)?|database|db|index|client|connection)\.[cm]?[jt]s$/;
const FOLDERS: ReadonlySet<string> = new Set(['src', 'lib', 'db', 'database', 'server', 'config', 'app', 'kysely']);
const SEARCH: Search = { files: FILES, enters: (name, depth) => depth < 4 && FOLDERS.has(name), most: 16 };
const CONFIG = '.config/kysely.config.ts';
/** Kysely's dialects, and the option that holds the driver's own object. */
const DIALECTS: readonly (readonly [string, EngineKind, string])[] = [
  ['PostgresDialect', 'postgres', 'pool'],
  ['MysqlDialect', 'mysql2', 'pool'],
  ['SqliteDialect', 'sqlite', 'database'],
];

/** The databases that Kysely's dialects are made with, and those of its command's configuration. */
export const kysely: Detector = {
  name: NAME,
  looksFor: ['kysely.config.ts', 'new PostgresDialect({...}) and its like in src/db.ts, src/database.ts, ...'],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    const seen = new Set<string>();
    for (const app of await project.apps(signal)) {
      if (!(await dependsOn(app, collector, 'kysely'))) continue;
      const environment = await project.environment(app, signal);
      for (const name of [...(await filesBelow(app, SEARCH, signal)), CONFIG]) {
        if (seen.has(app.path(name))) continue;
        seen.add(app.path(name));
        const text = await collector.textOf(app, app.path(name));
        if (text === undefined || !/Dialect|kysely-ctl/.test(text)) continue;
        const code = await CodeFile.read(app, name, 'javascript', environment, collector);
        if (code) await addDialects(code, name, collector);
      }
    }
    return collector.detection;
  },
};

async function addDialects(code: CodeFile, name: string, collector: Collector): Promise<void> {
  const what = name.replace(/\.\w+$/, '');
  const { evaluator, program } = code;
  let found = false;
  for (const [dialect, kind, option] of DIALECTS) {
    for (const { call } of callsOf(program, dialect)) {
      const [options] = call.args;
      const driver = options && evaluator.field(options, option);
      found = true;
      await addDriver(code, collector, { what, file: code.file, line: call.line }, kind, driver);
    }
  }
  const config = exported(program);
  const word = config && wordOf(evaluator, evaluator.field(config, 'dialect'));
  const kind = word === undefined ? undefined : engineKindOf(word);
  if (found || config === undefined || kind === undefined) return;
  const options = evaluator.field(config, 'dialectConfig');
  const driver = options && evaluator.field(options, kind === 'sqlite' ? 'database' : 'pool');
  await addDriver(code, collector, { what, file: code.file, line: options?.line ?? config.line }, kind, driver);
}

/** `new Pool({...})`, `createPool(...)`, `new Database('file')`: the first argument describes the connection. */
async function addDriver(
  code: CodeFile,
  collector: Collector,
  place: Place,
  kind: EngineKind,
  driver: Expr | undefined,
): Promise<void> {
  const resolved = driver && code.evaluator.resolve(driver);
  const object = resolved?.kind === 'call' ? resolved.args[0] : undefined;
  const { app, evaluator } = code;
  if (object === undefined)
    collector.skip(place.file, place.line, `${place.what}: the dialect's driver is made by code, which is not run`);
  else
    await addConnection(collector, app, evaluator, place, {
      kind,
      object,
      names: SCRIPT_FIELDS,
      folder: app.absolute(),
    });
}
