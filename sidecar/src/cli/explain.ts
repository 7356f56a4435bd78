import { isAbsolute, join, relative, sep } from 'node:path';
import { linesOf, nameText, type PlainText, pathText, plain, sentenceText } from '@devdb/shared/plain-text';
import type { BookState } from '../databases/database-book.ts';
import { ProjectView } from '../detection/project-view.ts';
import { UsageError } from './command.ts';
import { fieldsIn, setsVariables, shownValue } from './explain-fields.ts';

const MAX_LINES = 500;

/** What detection made of one file, line by line: what its fields say of the databases found, and what was left out. */
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
  const lines = read.state === 'text' ? fieldLines(file, read.text, state) : [];
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

/** The fields that a database has its parts from; of variables also the names of the others. */
function fieldLines(file: string, text: string, { entries }: BookState): Explained[] {
  const namesAll = setsVariables(file);
  return fieldsIn(file, text).flatMap((field): Explained[] => {
    const value = shownValue(field, entries);
    if (value === undefined) return namesAll ? [{ line: field.line, text: plain`sets ${nameText(field.name)}` }] : [];
    return [{ line: field.line, text: plain`sets ${nameText(field.name)} to ${value}` }];
  });
}
