import { isAbsolute, join, relative, sep } from 'node:path';
import { linesOf, nameText, type PlainText, pathText, plain, sentenceText } from '@devdb/shared/plain-text';
import type { BookState } from '../databases/database-book.ts';
import type { Environment } from '../detection/environment.ts';
import { ProjectView } from '../detection/project-view.ts';
import { UsageError } from './command.ts';
import { type CodeField, codeFieldsIn, isCode } from './explain-code.ts';
import { fieldsIn, isPart, setsVariables, shownValue } from './explain-fields.ts';

const MAX_LINES = 500;
const SETTINGS_MS = 5_000;

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
  if (view !== undefined && read.state === 'text' && isCode(file) && isSource(file, state)) {
    lines.push(...codeLines(read.text, state, await environmentOf(view, file)));
  }
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

/** Whether a database was found in the file, or left out. */
function isSource(file: string, { entries, skipped }: BookState): boolean {
  return entries.some(({ source }) => source.file === file) || skipped.some((one) => one.file === file);
}

/** The variables of the application that a file belongs to. */
async function environmentOf(view: ProjectView, file: string): Promise<Environment | undefined> {
  const signal = AbortSignal.timeout(SETTINGS_MS);
  const around = (await view.apps(signal)).filter(({ folder }) => folder === '' || file.startsWith(`${folder}/`));
  const [app] = around.toSorted((a, b) => b.folder.length - a.folder.length);
  return app && (await view.environment(app, signal));
}

/** The parts of databases in program code: what stands there, and what it takes from which variable. */
function codeLines(text: string, { entries }: BookState, environment: Environment | undefined): Explained[] {
  return codeFieldsIn(text).flatMap((field): Explained[] => {
    const { line, name, variable } = field;
    const value = shownValue(field, entries);
    if (variable === undefined)
      return value === undefined ? [] : [{ line, text: plain`sets ${nameText(name)} to ${value}` }];
    if (value === undefined && !isPart(field)) return [];
    const taken = plain`takes ${nameText(name)} from ${nameText(variable)}`;
    return [{ line, text: plain`${taken}${whereSet(variable, field, value, environment)}` }];
  });
}

function whereSet(
  variable: string,
  field: CodeField,
  fallback: PlainText | undefined,
  environment: Environment | undefined,
): PlainText {
  const set = environment?.definition(variable);
  if (set !== undefined) return plain` (${pathText(set.file)} line ${set.entry.line})`;
  if (field.value === undefined) return plain`, which the .env files do not set`;
  return fallback === undefined
    ? plain`, which the .env files do not set, else from the code`
    : plain`, which the .env files do not set, else ${fallback}`;
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
