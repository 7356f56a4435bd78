import { posix } from 'node:path';
import type { AppFolder } from '../app-folder.ts';
import { CodeFile } from '../code-file.ts';
import { Collector } from '../collector.ts';
import type { Detector } from '../detector.ts';
import { Environment } from '../environment.ts';
import { schemaOfScripts } from '../prisma-folder.ts';
import { Evaluator } from '../readers/code/evaluate.ts';
import type { Expr } from '../readers/code/expression.ts';
import { exported } from '../readers/code/program.ts';
import { engineKindOf } from '../readers/engine-names.ts';
import { readJsonc } from '../readers/jsonc.ts';
import { at, textOf } from '../readers/located.ts';
import { type Datasource, readDatasources } from '../readers/prisma-schema.ts';

const NAME = 'prisma';
const CONFIG = /^prisma\.config\.[cm]?[jt]s$/;
const USUAL = ['prisma/schema.prisma', 'prisma/schema', 'schema.prisma'];

/** An application's Prisma configuration. */
interface Setup {
  readonly schemas: readonly string[];
  /** Prisma 7 has the URL in its configuration file. */
  readonly url: { readonly expr: Expr; readonly file: string } | undefined;
}

/** The data source of a Prisma schema, in one or several files, or of `prisma.config.ts`. */
export const prisma: Detector = {
  name: NAME,
  looksFor: ['prisma/schema.prisma', 'schema.prisma', 'prisma/schema/*.prisma', 'prisma.config.ts'],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    const apps = await project.apps(signal);
    for (const app of apps) {
      // The schema's folder belongs to the application around it.
      if (posix.basename(app.folder) === 'prisma') continue;
      await readApp(app, await environmentsOf(app, 'prisma', signal), collector, signal);
    }
    return collector.detection;
  },
};

/** Prisma also takes variables from the `.env` file in the schema's folder. */
async function environmentsOf(app: AppFolder, folder: string, signal: AbortSignal): Promise<Environment[]> {
  const { project } = app;
  const own = await project.environment(app, signal);
  const inner = (await project.apps(signal)).find((one) => one.folder === app.path(folder));
  if (inner) return [own, await project.environment(inner, signal)];
  if (!app.has(folder.split('/')[0] ?? '')) return [own];
  return [own, await Environment.read(project, ['.env'], (name) => app.path(`${folder}/${name}`), undefined)];
}

async function readApp(
  app: AppFolder,
  environments: readonly Environment[],
  collector: Collector,
  signal: AbortSignal,
): Promise<void> {
  const [environment] = environments;
  if (environment === undefined) return;
  const { schemas, url } = await setupOf(app, environment, collector);
  for (const schema of schemas) {
    const files = await schemaFiles(app, schema, signal);
    for (const name of files) {
      const folder = posix.dirname(name);
      const beside = folder === '.' || folder === 'prisma' ? [] : (await environmentsOf(app, folder, signal)).slice(1);
      await readSchema(app, name, url, [...environments, ...beside], collector);
    }
    if (files.length > 0) return;
  }
  if (url)
    await addUrl(
      app,
      collector,
      environments,
      { what: 'db', file: url.file, line: url.expr.line },
      url.expr,
      undefined,
    );
}

async function setupOf(app: AppFolder, environment: Environment, collector: Collector): Promise<Setup> {
  for (const name of app.files(CONFIG)) {
    const code = await CodeFile.read(app, name, 'javascript', environment, collector);
    const config = code && exported(code.program);
    if (code === undefined || config === undefined) continue;
    const schema = code.evaluator.field(config, 'schema');
    const value = schema && code.evaluator.value(schema);
    const source = code.evaluator.field(config, 'datasource');
    const expr = source && code.evaluator.field(source, 'url');
    const path = value?.ok && typeof value.value === 'string' ? inApp(app, value.value) : undefined;
    const url = expr === undefined ? undefined : { expr: code.evaluator.resolve(expr), file: code.file };
    return { schemas: path === undefined ? USUAL : [path], url };
  }
  const said = app.has('package.json') ? await packageSchema(app) : undefined;
  const usual = USUAL.filter((path) => app.has(path.split('/')[0] ?? ''));
  if (said !== undefined) return { schemas: [inApp(app, said) ?? said], url: undefined };
  const named = await schemaOfScripts(app);
  return { schemas: [...usual, ...(named === undefined ? [] : [inApp(app, named) ?? named])], url: undefined };
}

/** package.json: `"prisma": { "schema": "..." }` */
async function packageSchema(app: AppFolder): Promise<string | undefined> {
  const read = await app.read('package.json');
  if (read.state !== 'text' || !read.text.includes('"prisma"')) return undefined;
  return textOf(at(readJsonc(read.text).value, 'prisma', 'schema'));
}

function inApp(app: AppFolder, path: string): string | undefined {
  const root = app.absolute();
  const inside = path.startsWith(root) ? path.slice(root.length + 1) : path;
  const normal = posix.normalize(inside.split('\\').join('/'));
  return posix.isAbsolute(normal) || normal.startsWith('..') ? undefined : normal;
}

async function schemaFiles(app: AppFolder, path: string, signal: AbortSignal): Promise<string[]> {
  if (path.endsWith('.prisma')) return (await app.read(path)).state === 'absent' ? [] : [path];
  const listing = await app.project.list(app.path(path), { files: /\.prisma$/ }, signal);
  return listing.state === 'listed' ? listing.items.slice(0, 50).map(({ name }) => `${path}/${name}`) : [];
}

async function readSchema(
  app: AppFolder,
  name: string,
  url: Setup['url'],
  environments: readonly Environment[],
  collector: Collector,
): Promise<void> {
  const file = app.path(name);
  const text = await collector.textOf(app, file);
  if (text === undefined) return;
  for (const source of readDatasources(text)) {
    await addSource(app, collector, environments, source, file, url);
  }
}

async function addSource(
  app: AppFolder,
  collector: Collector,
  environments: readonly Environment[],
  { name: what, line, provider, url }: Datasource,
  file: string,
  configured: Setup['url'],
): Promise<void> {
  const expr = url ?? configured?.expr;
  if (provider !== undefined && engineKindOf(provider) === undefined) {
    collector.skip(file, line, `${what}: DevDB does not support its provider`);
  } else if (expr === undefined) collector.skip(file, line, `${what}: has no url here, nor in prisma.config.ts`);
  else if (url) await addUrl(app, collector, environments, { what, file, line: url.line }, expr, file);
  // Paths in the configuration file count from its own folder.
  else
    await addUrl(
      app,
      collector,
      environments,
      { what, file: configured?.file ?? file, line: expr.line },
      expr,
      undefined,
    );
}

async function addUrl(
  app: AppFolder,
  collector: Collector,
  environments: readonly Environment[],
  place: { readonly what: string; readonly file: string; readonly line: number },
  expr: Expr,
  schema: string | undefined,
): Promise<void> {
  const evaluator = new Evaluator({
    bindings: new Map(),
    env: (name) => {
      const all = environments.map((environment) => environment.resolve(name));
      const set = all.find((resolved) => resolved.state === 'set');
      return set ? { text: set.text } : { missing: [name] };
    },
    file: app.absolute('schema.prisma'),
    root: app.absolute(),
  });
  const value = evaluator.value(expr);
  const own = schema === undefined ? [] : [app.absolute(posix.dirname(posix.relative(app.folder, schema)))];
  if (!value.ok) collector.skip(place.file, place.line, `${place.what}: url ${value.reason}`);
  else if (!value.value) collector.skip(place.file, place.line, `${place.what}: url is empty`);
  // A path is relative to the schema's folder; in newer versions, to the working directory.
  else await collector.url(app, place, String(value.value), [...own, app.absolute()]);
}
