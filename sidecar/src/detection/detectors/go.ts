import type { EngineKind } from '../../engines/engine.ts';
import type { AppFolder } from '../app-folder.ts';
import { Collector } from '../collector.ts';
import type { Detector } from '../detector.ts';
import { addDsn } from '../dsn-finding.ts';
import type { Environment } from '../environment.ts';
import { readDsn } from '../readers/dsn.ts';
import { at, type Located, textOf } from '../readers/located.ts';
import { readYaml } from '../readers/yaml.ts';
import { settingsNames } from './go-settings-names.ts';
import { addGoSources } from './go-source.ts';
import { makefileUrls } from './makefile-urls.ts';
import { addSettingsFiles } from './settings-files.ts';

const NAME = 'go';
const SQLC = ['sqlc.yaml', 'sqlc.yml'];
const PACKAGES: readonly (readonly [EngineKind, RegExp])[] = [
  ['postgres', /github\.com\/(lib\/pq|jackc\/pgx)|gorm\.io\/driver\/postgres/],
  ['mysql2', /github\.com\/go-sql-driver\/mysql|gorm\.io\/driver\/mysql/],
  ['mssql', /github\.com\/(denisenkom\/go-mssqldb|microsoft\/go-mssqldb)|gorm\.io\/driver\/sqlserver/],
  [
    'sqlite',
    /github\.com\/(mattn\/go-sqlite3|glebarez\/sqlite|ncruces\/go-sqlite3)|gorm\.io\/driver\/sqlite|modernc\.org\/sqlite/,
  ],
];

/** The databases of Go programs: settings files, sources, goose's variables, golang-migrate's command, sqlc. */
export const go: Detector = {
  name: NAME,
  looksFor: ['config.yml, conf/app.ini', 'sql.Open("...") and gorm.Open', 'GOOSE_DBSTRING', 'Makefile', 'sqlc.yaml'],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    const apps = await project.apps(signal);
    for (const app of apps) {
      const isGo = app.has('go.mod');
      if (!isGo && !SQLC.some((name) => app.has(name))) continue;
      const environment = await project.environment(app, signal);
      if (isGo) await readProgram(app, apps, environment, collector, signal);
      for (const name of SQLC) if (app.has(name)) await readSqlc(app, name, environment, collector);
    }
    return collector.detection;
  },
};

async function readProgram(
  app: AppFolder,
  apps: readonly AppFolder[],
  environment: Environment,
  collector: Collector,
  signal: AbortSignal,
): Promise<void> {
  const modules = (await collector.textOf(app, app.path('go.mod'))) ?? '';
  const packages = PACKAGES.filter(([, pattern]) => pattern.test(modules)).map(([kind]) => kind);
  await addGoose(app, environment, collector);
  const module = /^module\s+(\S+)/m.exec(modules)?.[1]?.replace(/\/v\d+$/, '') ?? '';
  const program = module.slice(module.lastIndexOf('/') + 1).toLowerCase();
  const loaded = await settingsNames(app, signal);
  await addSettingsFiles(app, collector, packages, signal, program, loaded);
  const root = rootAround(app, apps);
  if (root) await addSettingsFiles(root, collector, packages, signal, program, loaded);
  await addGoSources(app, environment, collector, signal);
  if (app.has('Makefile')) await addMakefile(app, environment, collector);
}

/** The project's root, where the program is below it and started from there. */
function rootAround(app: AppFolder, [root]: readonly AppFolder[]): AppFolder | undefined {
  return /^(server|backend|api|app|src)$/.test(app.folder) && root?.has('go.mod') === false ? root : undefined;
}

async function addGoose(app: AppFolder, environment: Environment, collector: Collector): Promise<void> {
  const text = environment.resolve('GOOSE_DBSTRING');
  const driver = environment.resolve('GOOSE_DRIVER');
  if (text.state !== 'set' || text.text === '') return;
  const dsn = readDsn(text.text, driver.state === 'set' ? driver.text : '');
  const { file, line } = text;
  if (dsn === undefined)
    collector.skip(file, line, 'GOOSE_DBSTRING is not a data source of an engine that DevDB supports');
  else await addDsn(collector, app, { what: 'GOOSE_DBSTRING', file, line, rank: 2 }, dsn);
}

async function addMakefile(app: AppFolder, environment: Environment, collector: Collector): Promise<void> {
  const file = app.path('Makefile');
  const text = await collector.textOf(app, file);
  for (const { url, line, test } of text === undefined ? [] : makefileUrls(text, environment)) {
    const dsn = readDsn(url);
    const what = test ? 'Makefile@test' : 'Makefile';
    if (dsn !== undefined)
      await addDsn(collector, app, { what, file, line, environment: test ? 'test' : '', rank: 4 }, dsn);
  }
}

async function readSqlc(app: AppFolder, name: string, environment: Environment, collector: Collector): Promise<void> {
  const file = app.path(name);
  const text = await collector.textOf(app, file);
  if (text === undefined) return;
  const { value, problems } = readYaml(text);
  for (const { line, reason } of problems) collector.skip(file, line, reason);
  const parts = at(value, 'sql');
  for (const [index, part] of (parts?.kind === 'array' ? parts.items : []).entries()) {
    await addSqlc(app, file, index, at(part, 'database', 'uri'), environment, collector);
  }
}

async function addSqlc(
  app: AppFolder,
  file: string,
  index: number,
  uri: Located | undefined,
  environment: Environment,
  collector: Collector,
): Promise<void> {
  const written = textOf(uri);
  if (uri === undefined || written === undefined) return;
  const [variable] = /(?<=^\$\{)\w+(?=\}$)/.exec(written) ?? [];
  const resolved = variable === undefined ? undefined : environment.resolve(variable);
  const text = resolved === undefined ? written : resolved.state === 'set' ? resolved.text : '';
  const dsn = readDsn(text);
  const what = index === 0 ? 'sqlc' : `sqlc.${index + 1}`;
  if (dsn !== undefined) await addDsn(collector, app, { what, file, line: uri.line, rank: 5 }, dsn);
  else
    collector.skip(file, uri.line, `${what}: the uri refers to variables that no file sets, or names no known engine`);
}
