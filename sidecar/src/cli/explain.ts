import { isAbsolute, join, relative, sep } from 'node:path';
import { linesOf, nameText, type PlainText, pathText, plain, sentenceText } from '@devdb/shared/plain-text';
import type { BookState } from '../databases/database-book.ts';
import { isEnvFile } from '../detection/environment.ts';
import { ProjectView } from '../detection/project-view.ts';
import { readDotenv } from '../detection/readers/dotenv.ts';
import { UsageError } from './command.ts';

const MAX_LINES = 500;

/** What detection made of one file, line by line. Values are never shown. */
export async function explain(projectRoot: string, path: string, state: BookState): Promise<string> {
  const inside = relative(projectRoot, isAbsolute(path) ? path : join(projectRoot, path));
  const file = inside.split(sep).join('/');
  if (file === '' || file === '..' || file.startsWith('../') || isAbsolute(inside)) {
    throw new UsageError('--explain PATH: the file must be inside the project.');
  }
  const view = await ProjectView.open(projectRoot, Date.now);
  const read = await view?.read(file);
  if (read === undefined || read.state === 'absent')
    throw new UsageError('--explain PATH: no such file in the project.');
  const lines = read.state === 'text' ? variablesOf(file, read.text) : [];
  for (const { source, id, kind, shown, isDefault } of state.entries) {
    if (source.file !== file) continue;
    const mark = isDefault ? plain` (default)` : plain``;
    lines.push({ line: source.line, text: plain`${id}${mark}: ${nameText(kind)} ${shown}, by ${nameText(source.by)}` });
  }
  for (const { file: from, line, reason } of state.skipped) {
    if (from === file) lines.push({ line, text: plain`left out: ${sentenceText(reason)}` });
  }
  const ordered = lines.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)).slice(0, MAX_LINES);
  return linesOf([
    pathText(file),
    ...(ordered.length === 0
      ? [plain`  nothing in it names a database that DevDB recognizes`]
      : ordered.map(shownLine)),
  ]);
}

interface Explained {
  readonly line: number | undefined;
  readonly text: PlainText;
}

function shownLine({ line, text }: Explained): PlainText {
  return line === undefined ? plain`  whole file: ${text}` : plain`  line ${line}: ${text}`;
}

/** The names that a file of variables sets. */
function variablesOf(file: string, text: string): Explained[] {
  const name = file.slice(file.lastIndexOf('/') + 1);
  if (!isEnvFile({ name, type: 'file' }) && !file.includes('.envs/')) return [];
  return readDotenv(text).entries.map((entry) => ({ line: entry.line, text: plain`sets ${nameText(entry.name)}` }));
}
