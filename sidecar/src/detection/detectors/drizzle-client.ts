import { isAbsolute, join, normalize, posix } from 'node:path';
import type { AppFolder } from '../app-folder.ts';
import { CodeFile } from '../code-file.ts';
import { Collector } from '../collector.ts';
import { firstArguments } from '../driver-calls.ts';
import type { Environment } from '../environment.ts';
import type { Evaluator } from '../readers/code/evaluate.ts';
import type { Expr } from '../readers/code/expression.ts';
import { readDatabaseUrl } from '../readers/url.ts';

const SCRIPT = /^(?!.*[.-](?:spec|test|d)\.)[\w.-]{1,60}\.[cm]?[jt]s$/;
const DRIVER = /['"]drizzle-orm\/(?:libsql|better-sqlite3|bun-sqlite)(?:\/\w+)?['"]/;
const CALLS: ReadonlySet<string> = new Set(['createClient', 'Database']);
const MAX_FILES = 20;

/** A file of SQLite that a program opens. */
export interface Opened {
  readonly file: string;
  readonly line: number;
  /** Absolute. */
  readonly path: string;
}

/**
 * The file that the program itself opens beside its schema, where nothing but its code names it: the configuration is
 * for Drizzle's own commands, and may name another.
 */
export async function openedBeside(
  app: AppFolder,
  schema: string,
  environment: Environment,
  signal: AbortSignal,
): Promise<Opened | undefined> {
  const opened = new Map<string, Opened>();
  for (const name of await scriptsAround(app, schema, signal)) {
    const read = await app.read(name);
    if (read.state !== 'text' || !DRIVER.test(read.text)) continue;
    const code = await CodeFile.read(app, name, 'javascript', environment, new Collector(''));
    for (const written of code === undefined ? [] : firstArguments(code.program, CALLS)) {
      const path = code && sqlitePath(code, code.evaluator.field(written, 'url') ?? written);
      if (code === undefined || path === undefined) return undefined;
      opened.set(path, { file: code.file, line: written.line, path });
    }
  }
  const [only, ...others] = opened.values();
  return others.length === 0 ? only : undefined;
}

/** The absolute path that an expression names, unless a variable may change it. */
export function sqlitePath(code: CodeFile, expr: Expr): string | undefined {
  const { value, unset } = code.withFallbacks((): ReturnType<Evaluator['value']> => code.evaluator.value(expr));
  if (!value.ok || typeof value.value !== 'string' || unset.length > 0) return undefined;
  if (!/^[a-z][a-z0-9+]+:/i.test(value.value)) return pathIn(code.app, value.value);
  const url = readDatabaseUrl(value.value);
  const path = url.kind === 'sqlite' ? url.paths[0] : undefined;
  return path === undefined ? undefined : pathIn(code.app, path);
}

function pathIn(app: AppFolder, path: string): string {
  return isAbsolute(path) ? normalize(path) : join(app.absolute(), path);
}

async function scriptsAround(app: AppFolder, schema: string, signal: AbortSignal): Promise<string[]> {
  const beside = posix.dirname(posix.normalize(schema));
  const folders = /^schemas?$/.test(posix.basename(beside)) ? [posix.dirname(beside), beside] : [beside];
  const files: string[] = [];
  for (const folder of folders.filter((one) => !one.startsWith('..') && !posix.isAbsolute(one))) {
    const listing = await app.project.list(
      app.path(folder === '.' ? '' : folder).replace(/\/$/, ''),
      { files: SCRIPT },
      signal,
    );
    if (listing.state !== 'listed') continue;
    files.push(...listing.items.filter(({ type }) => type !== 'folder').map(({ name }) => posix.join(folder, name)));
  }
  return files.slice(0, MAX_FILES);
}
