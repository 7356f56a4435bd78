import type { AppFolder } from './app-folder.ts';
import { filesBelow, type Search } from './listed-files.ts';
import { readDatabaseUrl } from './readers/url.ts';

const SEARCH: Search = {
  files: /^[\w.-]{1,80}\.sh$/,
  enters: (name, depth) => depth === 1 && /^(?:scripts?|bin|dev)$/.test(name),
  most: 8,
};
const MAX_FILES = 20;
/** Scripts for another place or purpose than a developer's machine. */
const ASIDE = /(?:^|[._-])(?:tests?|ci|e2e|prod|production|staging|deploy\w*|entrypoint|heroku|backup)(?:[._-]|$)/i;
/** Several may stand in a line: `export A=1 && export B=2`. */
const EXPORT =
  /(?:^|[;&])[ \t]{0,100}export[ \t]{1,100}(\w{1,100})=(?:"([^"$`\\]{1,2000})"|'([^']{1,2000})'|([^\s"'$`;&|\\]{1,2000}))(?=[ \t]{0,100}(?:[;#&]|$))/g;
const LOCAL = /^(localhost|127\.0\.0\.1)$/i;

/** A value that a script gives to the program it starts. */
export interface Exported {
  readonly text: string;
  readonly file: string;
  readonly line: number;
}

/**
 * The URL that the application's scripts export in one of these variables: `export DATABASE_URI=...` before the program's
 * start. It counts where it is whole, names a server on this machine, and no other script says another one.
 */
export async function urlInScripts(
  app: AppFolder,
  variables: readonly string[],
  signal: AbortSignal,
): Promise<Exported | undefined> {
  if (variables.length === 0) return undefined;
  const found = new Map<string, Exported>();
  const files = (await filesBelow(app, SEARCH, signal)).filter((file) => !ASIDE.test(file));
  for (const file of files.slice(0, MAX_FILES)) {
    const read = await app.read(file);
    for (const [index, line] of read.state === 'text' ? read.text.split(/\r?\n/).entries() : []) {
      for (const [, variable = '', quoted, plain, bare] of line.matchAll(EXPORT)) {
        const text = quoted ?? plain ?? bare ?? '';
        if (!variables.includes(variable) || found.has(text) || !isLocalServer(text)) continue;
        found.set(text, { text, file: app.path(file), line: index + 1 });
      }
    }
  }
  const [only, ...others] = found.values();
  return others.length === 0 ? only : undefined;
}

function isLocalServer(text: string): boolean {
  const url = readDatabaseUrl(text);
  return url.kind !== 'problem' && url.kind !== 'sqlite' && LOCAL.test(url.target.host);
}
