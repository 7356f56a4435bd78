import { posix } from 'node:path';
import type { AppFolder } from '../app-folder.ts';

const PROJECT = /\.(cs|fs|vb)proj$/i;
const REFERENCE = /<ProjectReference\s[^>]{0,200}?Include="([^"$*?]{1,300}\.(?:cs|fs|vb)proj)"/gi;
const MAX_PROJECTS = 30;

/** The texts of a program's project files: its own, and those of the projects that they refer to. */
export interface ProjectTexts {
  readonly own: string;
  readonly referred: string;
}

export async function projectTexts(app: AppFolder): Promise<ProjectTexts> {
  const own = await textsOf(
    app,
    app.files(PROJECT).map((name) => app.path(name)),
  );
  const seen = new Set(own.keys());
  const referred: string[] = [];
  let waiting = referencesIn(own, seen);
  while (waiting.length > 0 && seen.size < MAX_PROJECTS) {
    const next = waiting.slice(0, MAX_PROJECTS - seen.size);
    for (const file of next) seen.add(file);
    const texts = await textsOf(app, next);
    referred.push(...texts.values());
    waiting = referencesIn(texts, seen);
  }
  return { own: [...own.values()].join('\n'), referred: referred.join('\n') };
}

async function textsOf({ project }: AppFolder, files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const file of files) {
    const read = await project.read(file);
    texts.set(file, read.state === 'text' ? read.text : '');
  }
  return texts;
}

/** The projects inside the folder that is open. */
function referencesIn(texts: ReadonlyMap<string, string>, seen: ReadonlySet<string>): string[] {
  const files = [...texts].flatMap(([file, text]) =>
    [...text.matchAll(REFERENCE)].map(([, path = '']) => posix.join(posix.dirname(file), path.replaceAll('\\', '/'))),
  );
  return [...new Set(files)].filter((file) => !file.startsWith('..') && !posix.isAbsolute(file) && !seen.has(file));
}
