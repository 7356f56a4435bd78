import type { AppFolder } from '../app-folder.ts';
import { Collector } from '../collector.ts';
import type { Compose } from '../compose.ts';
import { opensOtherFile, urlInCompose } from '../compose-variables.ts';
import type { Detector } from '../detector.ts';
import { environmentOf } from '../environment-names.ts';
import { filesBelow, type Search } from '../listed-files.ts';
import { readIni } from '../readers/ini.ts';
import { readDatabaseUrl } from '../readers/url.ts';
import { urlInScripts } from '../script-exports.ts';
import { resolveSqlitePath } from '../sqlite-path.ts';
import { type Candidate, candidatesIn } from './sqlalchemy-settings.ts';

const NAME = 'sqlalchemy';
const MARKERS = [
  'requirements.txt',
  'requirement.txt',
  'req.txt',
  'reqs.txt',
  'requirements',
  'pyproject.toml',
  'Pipfile',
  'setup.py',
  'setup.cfg',
  'alembic.ini',
  // Small programs have no list of packages, or one under a name of their own.
  'app.py',
  'application.py',
  'main.py',
  'run.py',
  'server.py',
  'wsgi.py',
];
/** Files in which applications keep their settings or make their engine. */
const FILES =
  /^(config|configs|settings|database|db|app|main|server|application|wsgi|run|models|session|engine|base|default|env|development|dev|local|init|__init__)\.py$/;
/** In Flask's instance folder these are the settings of a developer's machine; elsewhere they may be anything. */
const DEVELOPMENT = /(^|\/)(development|dev|local)\.py$/;
const OF_INSTANCE = /^instance\/\w+\.py$/;
const INNER: ReadonlySet<string> = new Set([
  'app',
  'core',
  'db',
  'config',
  'configs',
  'database',
  'settings',
  'main',
  'server',
]);
const NOT_ENTERED: ReadonlySet<string> = new Set([
  'tests',
  'test',
  'testing',
  'docs',
  'examples',
  'migrations',
  'alembic',
  'static',
  'templates',
  'scripts',
  'frontend',
  'env',
]);
const SEARCH: Search = {
  files: FILES,
  enters: (name, depth, parent) =>
    !NOT_ENTERED.has(name) && (depth === 1 || (depth < 4 && (parent === 'src' || INNER.has(name)))),
  most: 40,
};
/** Its words, and a URL with a dialect and a driver, as only it has them. */
const OF_SQLALCHEMY =
  /sqlalchemy|alchemical|create_(async_)?engine|["'](postgresql|mysql|mariadb|mssql|sqlite)\+\w+:\/\//i;
/** The URL in every new alembic.ini. */
const SAMPLE = /^driver:\/\//;

/** The databases of Python applications with SQLAlchemy or Flask: settings modules and classes, engines, alembic.ini. */
export const sqlalchemy: Detector = {
  name: NAME,
  looksFor: ['config.py or settings.py with SQLALCHEMY_DATABASE_URI', 'create_engine("...")', 'alembic.ini'],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    const seen = new Set<string>();
    for (const app of await project.apps(signal)) {
      if (!MARKERS.some((marker) => app.has(marker))) continue;
      const environment = await project.environment(app, signal);
      const compose = await project.compose(signal);
      const packages = await packagesOf(app);
      const uses = !app.has('manage.py') && packages.some((text) => USES.test(text));
      for (const file of await filesBelow(app, SEARCH, signal)) {
        if (seen.has(app.path(file)) || (DEVELOPMENT.test(file) && !OF_INSTANCE.test(file))) continue;
        seen.add(app.path(file));
        const text = await collector.textOf(app, app.path(file));
        if (text === undefined || !(uses || OF_SQLALCHEMY.test(text))) continue;
        // Programs that use SQLAlchemy without Flask have learnt its name for the URL.
        const isFlask = !uses || [text, ...packages].some((one) => FLASK.test(one));
        for (const candidate of candidatesIn(app, file, text, environment))
          await add(app, { ...candidate, flask: candidate.flask && isFlask }, compose, collector, signal);
      }
      if (app.has('alembic.ini')) await readAlembic(app, collector);
    }
    return collector.detection;
  },
};

/** Packages that say that an application's settings are for SQLAlchemy. */
const USES = /^[ \t"']*(?:flask-)?(?:sqlalchemy|sqlmodel)\b/im;
const FLASK = /(?:\b|_)flask(?:\b|_)/i;

/** The texts of an application's lists of packages. */
async function packagesOf(app: AppFolder): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const list of ['requirements.txt', 'pyproject.toml', 'Pipfile']) {
    const read = app.has(list) ? await app.read(list) : undefined;
    if (read?.state === 'text') texts.push(read.text);
  }
  return texts;
}

async function add(
  app: AppFolder,
  candidate: Candidate,
  compose: Compose,
  collector: Collector,
  signal: AbortSignal,
): Promise<void> {
  const { what, file, line, url, rank, flask, unset, ofClass } = candidate;
  const environment = environmentOf(ofClass.replace(/_?(config|configuration|settings|base)$/i, '').toLowerCase());
  const place = { what, file: app.path(file), line, environment, rank };
  // A variable without a fallback is all that such a URL consists of, where a script gives it a whole one.
  const started = url.ok ? undefined : await urlInScripts(app, url.missing, signal);
  if (started !== undefined)
    await collector.url(app, { ...place, file: started.file, line: started.line }, started.text, [app.absolute()]);
  else if (!url.ok) collector.skip(place.file, url.line, `${what}: the URL ${url.reason}`);
  else if (typeof url.value !== 'string' || url.value === '') collector.skip(place.file, line, `${what}: has no URL`);
  else {
    // Flask-SQLAlchemy keeps a relative file in the instance folder, older versions in the package.
    const folders = flask ? [app.absolute('instance'), app.absolute(), app.absolute(`${file}/..`)] : [app.absolute()];
    const given = urlInCompose(compose, app.folder, unset, url.value);
    const exported = given === undefined ? await urlInScripts(app, unset, signal) : undefined;
    const from = exported === undefined ? place : { ...place, file: exported.file, line: exported.line };
    const used = given ?? exported?.text ?? url.value;
    const isElsewhere = used === url.value && opensOtherFile(compose, app.folder, unset, used);
    const undecided = isElsewhere && !(await hasFile(app, used, folders)) ? (true as const) : undefined;
    await collector.url(app, { ...from, undecided }, used, folders);
  }
}

/** A file that is there was made by the program outside its container. */
async function hasFile(app: AppFolder, text: string, folders: readonly string[]): Promise<boolean> {
  const url = readDatabaseUrl(text);
  if (url.kind !== 'sqlite') return false;
  return (await app.project.locate(await resolveSqlitePath(app.project, url.paths, folders))).exists;
}

async function readAlembic(app: AppFolder, collector: Collector): Promise<void> {
  const file = app.path('alembic.ini');
  const text = await collector.textOf(app, file);
  const section = text === undefined ? undefined : readIni(text).get('alembic');
  const url = section?.get('sqlalchemy.url');
  // Without one, the migrations take the application's own.
  if (url === undefined || url.value === '' || SAMPLE.test(url.value)) return;
  if (await isReplaced(app, section?.get('script_location')?.value ?? 'alembic', collector)) return;
  const place = { what: 'alembic', file, line: url.line, rank: 5 };
  if (/%\(/.test(url.value))
    collector.skip(file, url.line, 'alembic: the URL refers to values that migrations/env.py sets');
  else await collector.url(app, place, url.value.replaceAll('%%', '%'), [app.absolute()]);
}

/** `config.set_main_option("sqlalchemy.url", ...)`, `section["sqlalchemy.url"] = ...` */
const REPLACED = /\bset_main_option\(\s{0,40}["']sqlalchemy\.url["']|\[["']sqlalchemy\.url["']\]\s{0,20}=(?!=)/;

/** Whether the migrations' own script puts another URL in place of the one in alembic.ini. */
async function isReplaced(app: AppFolder, location: string, collector: Collector): Promise<boolean> {
  const folder = location.replace(/^%\(here\)s\/?/, '').replace(/^\.\//, '');
  if (folder.startsWith('/') || folder.split('/').includes('..')) return false;
  const text = await collector.textOf(app, app.path(`${folder}/env.py`));
  return text !== undefined && REPLACED.test(text);
}
