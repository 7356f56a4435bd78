import { posix } from 'node:path';
import type { AppFolder } from './app-folder.ts';
import { filesBelow, type Search } from './listed-files.ts';

const SEARCH: Search = {
  files: /\.rs$/,
  enters: (name, depth) => depth <= 12 && !/^(target|node_modules)$/.test(name),
  most: 400,
};
/** A program with more files is not asked what it reads. */
const MAX_FILES = 300;
const COMMENT = /^[ \t]*\/\/.*$/gm;
/**
 * What may read DATABASE_URL: its name, a field of that name, the checked macros of sqlx, another file of variables than
 * `.env`, and what makes fields of all variables.
 */
const READS =
  /DATABASE_URL|\bdatabase_url\s*:(?!\s*&)|\bquery\w{0,20}!|\.env\.|\.(?:separator|split)\(\s*"_"\s*\)|\bEnv::raw\b|\benvy\b|\benvconfig\b/;

/**
 * Whether a Rust program never reads the DATABASE_URL of this file: only `.env` is loaded without naming it, and the
 * program's code names neither the variable nor the file.
 */
export async function rustWithout(app: AppFolder, file: string, signal: AbortSignal): Promise<boolean> {
  if (!app.has('Cargo.toml') || app.has('package.json') || !posix.basename(file).startsWith('.env.')) return false;
  const files = await filesBelow(app, SEARCH, signal);
  if (files.length === 0 || files.length > MAX_FILES) return false;
  for (const name of files) {
    signal.throwIfAborted();
    const read = await app.read(name);
    if (read.state !== 'text' || READS.test(read.text.replaceAll(COMMENT, ''))) return false;
  }
  return true;
}
