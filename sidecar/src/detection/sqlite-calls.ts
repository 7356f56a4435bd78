import { isAbsolute, posix, relative } from 'node:path';
import { isBuiltElsewhere } from './built-programs.ts';
import { CodeFile } from './code-file.ts';
import type { Collector, Place } from './collector.ts';
import { firstArguments, type Script } from './driver-calls.ts';
import { driversOf } from './driver-packages.ts';
import { startsWithSqlite } from './readers/code-literals.ts';

/** The modules that open a file of SQLite in a Node or Bun program. */
const MODULE = /(?:from|require\()\s?['"](?:better-sqlite3|sqlite3|sqlite|node:sqlite|bun:sqlite)['"]/;
/** What such a module's only export is called in a program. */
const NAMED = /(?:import|const|let|var)\s+(?:\*\s+as\s+)?(\w+)\s*(?:=\s*require\(|from\s)\s*['"]better-sqlite3['"]/;
const CLASSES = ['Database', 'DatabaseSync'];
const SCRIPT = /\.[cm]?[jt]s$/;
/** What a compiler writes to another folder. */
const COMPILED = /\.[cm]?ts$/;
/** `new Database(path)` and `open({ filename })` in a program without another driver, where the path can be read. */
export async function addSqliteCalls(script: Script, collector: Collector): Promise<void> {
  const { app, name, text, environment } = script;
  if (!SCRIPT.test(name) || !MODULE.test(text) || !startsWithSqlite(text)) return;
  if ((await driversOf(app)).some(({ kind }) => kind !== 'sqlite')) return;
  const code = await CodeFile.read(app, name, 'javascript', environment, collector);
  if (code === undefined) return;
  const own = NAMED.exec(text)?.[1];
  const classes = new Set(own === undefined ? CLASSES : [...CLASSES, own]);
  const opened = firstArguments(code.program, new Set(['open'])).map((options) =>
    code.evaluator.field(options, 'filename'),
  );
  for (const path of [...firstArguments(code.program, classes), ...opened]) {
    if (path === undefined) continue;
    const place: Place = { what: name.replace(/\.\w+$/, ''), file: code.file, line: path.line };
    const value = code.evaluator.value(path);
    if (!value.ok) collector.skip(place.file, place.line, `${place.what}: the path ${value.reason}`);
    else if (typeof value.value === 'string') await addFile(script, place, value.value, collector);
  }
}

async function addFile({ app, name }: Script, place: Place, path: string, collector: Collector): Promise<void> {
  const below = isAbsolute(path) ? relative(app.absolute(), path) : undefined;
  // Only the program's own folders say which of its copies an absolute path counts from.
  if (below !== undefined && (await movesWithBuild({ app, name }, below))) {
    collector.skip(
      place.file,
      place.line,
      `${place.what}: the path depends on the folder that the program is built to`,
    );
  } else collector.file(app, place, path);
}

/** Whether a path that counts from a program's own file is another one where the program is built. */
async function movesWithBuild({ app, name }: Pick<Script, 'app' | 'name'>, below: string): Promise<boolean> {
  if (await isBuiltElsewhere(app)) return true;
  const [source = ''] = name.split('/');
  return COMPILED.test(name) && (source === name || below === source || below.startsWith(posix.join(source, '/')));
}
