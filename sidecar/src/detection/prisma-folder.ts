import { posix } from 'node:path';
import type { AppFolder } from './app-folder.ts';
import { readJsonc } from './readers/jsonc.ts';
import { at, entriesOf, textOf } from './readers/located.ts';
import { readDatasources } from './readers/prisma-schema.ts';

/** Where Prisma's schema is, in Redwood's projects too, and the folder that its `file:` URLs start from. */
const USUAL = [
  ['prisma/schema.prisma', 'prisma'],
  ['prisma/schema', 'prisma'],
  ['api/db/schema.prisma', 'api/db'],
  ['api/prisma/schema.prisma', 'api/prisma'],
] as const;
const OPTION = /--schema[= ]+["']?([\w@.${}%/-]{1,150}\.prisma)/g;
/** A project with a schema for each engine has the engine's name in a variable. */
const VARIABLE = /\$\{\w+\}|\$\w+|%\w+%/g;

/** The folder that Prisma's `file:` URLs start from, in an application that has a schema. */
export async function prismaFolder(app: AppFolder): Promise<string | undefined> {
  const { chosen, named } = await schemasOfPackage(app);
  if (chosen !== undefined) return posix.dirname(chosen);
  for (const [schema, folder] of USUAL) {
    if ((await app.project.locate(app.absolute(schema))).exists) return folder;
  }
  const ofSqlite: string[] = [];
  for (const schema of named) if (await isOfSqlite(app, schema)) ofSqlite.push(posix.dirname(schema));
  const [only, ...others] = new Set(ofSqlite);
  return others.length === 0 ? only : undefined;
}

/** The one schema that the scripts of package.json give to Prisma's commands. */
export async function schemaOfScripts(app: AppFolder): Promise<string | undefined> {
  const [only, ...others] = (await schemasOfPackage(app)).written;
  return only === undefined || others.length > 0 || only.search(VARIABLE) !== -1 ? undefined : only;
}

/** The schema that package.json chooses, and those that its scripts give to single commands. */
async function schemasOfPackage(app: AppFolder): Promise<{
  readonly chosen?: string | undefined;
  readonly named: readonly string[];
  readonly written: readonly string[];
}> {
  const read = app.has('package.json') ? await app.read('package.json') : undefined;
  if (read?.state !== 'text' || !read.text.includes('prisma')) return { named: [], written: [] };
  const { value } = readJsonc(read.text);
  const chosen = textOf(at(value, 'prisma', 'schema'));
  if (chosen?.endsWith('.prisma')) return { chosen: posix.normalize(chosen), named: [], written: [] };
  const scripts = entriesOf(at(value, 'scripts')).map(([, script]) => textOf(script)?.slice(0, 2_000) ?? '');
  const paths = scripts.flatMap((script) => [...script.matchAll(OPTION)].map(([, path = '']) => path));
  const written = [...new Set(paths.map((path) => posix.normalize(path)))];
  return { written, named: [...new Set(paths.map((path) => posix.normalize(path.replace(VARIABLE, 'sqlite'))))] };
}

async function isOfSqlite(app: AppFolder, schema: string): Promise<boolean> {
  const read = schema.startsWith('..') || posix.isAbsolute(schema) ? undefined : await app.read(schema);
  return read?.state === 'text' && readDatasources(read.text).some(({ provider }) => provider === 'sqlite');
}
