import { lstatSync, type Stats, statSync, utimesSync } from 'node:fs';
import { withTimeout } from '@devdb/shared/abort';
import { AppError } from '@devdb/shared/errors';
import type { FileChange, FinalReason } from '@devdb/shared/final-change';
import * as vscode from 'vscode';
import { codeOf } from './error-code.ts';
import { openDocument, textOnDisk, uriOf } from './file-text.ts';
import { RELOAD_WAIT_MS } from './limits.ts';
import type { ProjectPath } from './paths.ts';
import { runsPrograms } from './program-files.ts';
import { refuseReadOnly } from './read-only.ts';

/** How often a text that the editor reads anew meanwhile is replaced again. */
const MOST_TRIES = 5;

/** What of a call a change of a file needs. */
export interface ChangeContext {
  readonly signal: AbortSignal;
  checkAgreed(change: FileChange): void;
  change<T>(apply: () => Promise<T>): Promise<T>;
  unlessEnded<T>(work: Promise<T>): Promise<T>;
}

/** Puts a text in the place of a file's whole text and saves it, as the user would. Answers the bytes of the file. */
export async function replaceWhole(file: ProjectPath, text: string, context: ChangeContext): Promise<number> {
  const before = await textOnDisk(file, openDocument(file), context.signal);
  refuseReadOnly(file);
  const document = await context.unlessEnded(opened(file));
  if (!document.isDirty) await context.unlessEnded(caughtUp(document, file, before, context.signal));
  await checkEncoding(document, text);
  refuseUnagreed(file, reasonsFor(file, document.isDirty), context);
  await context.change(async () => {
    await putInPlace(document, text, file);
    await saved(document, file, before);
  });
  return statSync(file.absolute).size;
}

/** Puts a text in the place of what is selected, and saves unless the user has unsaved text there. */
export async function replaceSelected(
  file: ProjectPath,
  { document, selections }: vscode.TextEditor,
  text: string,
  context: ChangeContext,
): Promise<'saved' | 'unsaved'> {
  refuseReadOnly(file);
  await checkEncoding(document, text);
  const isTheirs = document.isDirty;
  const before = isTheirs ? undefined : await textOnDisk(file, document, context.signal);
  if (before !== undefined && !isSameButLineEnds(before, document)) throw stale(file);
  refuseUnagreed(file, reasonsFor(file, false), context);
  return context.change(async () => {
    const edit = new vscode.WorkspaceEdit();
    for (const selection of selections.filter(({ isEmpty }) => !isEmpty)) edit.replace(document.uri, selection, text);
    await apply(edit, file);
    if (before === undefined) return 'unsaved';
    await saved(document, file, before);
    return 'saved';
  });
}

/** Makes a file, with the folders above it. */
export async function createFile(file: ProjectPath, text: string, context: ChangeContext): Promise<void> {
  if (statusOf(file) !== undefined) throw exists(file);
  checkWellFormed(file, text);
  const uri = uriOf(file);
  const contents = await context.unlessEnded(Promise.resolve(vscode.workspace.encode(text, { uri })));
  refuseUnagreed(file, reasonsFor(file, false), context);
  await context.change(async () => {
    const edit = new vscode.WorkspaceEdit();
    edit.createFile(uri, { overwrite: false, ignoreIfExists: false, contents });
    await apply(edit, file);
  });
}

/** The editor has no document of a file that it takes for binary, or too large. */
async function opened(file: ProjectPath): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(uriOf(file));
  } catch (error) {
    throw failed(`The editor does not open ${file.relative}.`, 'It may be binary, or too large for it.', error);
  }
}

/**
 * Waits until the editor has read what somebody else wrote: saving on top of an older text is a conflict, which the
 * editor puts before its user.
 */
async function caughtUp(
  document: vscode.TextDocument,
  file: ProjectPath,
  onDisk: string,
  signal: AbortSignal,
): Promise<void> {
  if (isSameButLineEnds(onDisk, document)) return;
  const late = withTimeout(signal, RELOAD_WAIT_MS);
  await new Promise<void>((resolve) => {
    const listening = vscode.workspace.onDidChangeTextDocument((change) => {
      if (change.document === document && isSameButLineEnds(onDisk, document)) done();
    });
    const done = () => {
      listening.dispose();
      late.removeEventListener('abort', done);
      resolve();
    };
    late.addEventListener('abort', done, { once: true });
    if (late.aborted) done();
  });
  if (!document.isDirty && !isSameButLineEnds(onDisk, document)) throw stale(file);
}

/** The editor makes the line ends of a text all alike when it opens it. */
function isSameButLineEnds(onDisk: string, document: vscode.TextDocument): boolean {
  const plain = (text: string) => text.replaceAll(/\r\n?/g, '\n');
  return plain(onDisk) === plain(document.getText());
}

function checkWellFormed({ relative }: ProjectPath, text: string): void {
  if (!text.isWellFormed()) throw failed(`The text for ${relative} has half a character in it.`, 'Send valid Unicode.');
}

/** A letter that the file's encoding lacks would be saved as a question mark. */
async function checkEncoding(document: vscode.TextDocument, text: string): Promise<void> {
  const { encoding } = document;
  const file = { absolute: document.uri.fsPath, relative: vscode.workspace.asRelativePath(document.uri, false) };
  checkWellFormed(file, text);
  if (encoding.startsWith('utf')) return;
  const bytes = await vscode.workspace.encode(text, { encoding });
  if ((await vscode.workspace.decode(bytes, { encoding })) === text) return;
  throw failed(
    `${file.relative} is saved as ${encoding}, which lacks letters of this text.`,
    'Write it with letters that it has, or ask the user to save the file as UTF-8.',
  );
}

function reasonsFor({ relative }: ProjectPath, isUnsaved: boolean): FinalReason[] {
  return [...(isUnsaved ? (['unsaved'] as const) : []), ...(runsPrograms(relative) ? (['runs-code'] as const) : [])];
}

function refuseUnagreed({ relative }: ProjectPath, because: FinalReason[], context: ChangeContext): void {
  if (because.length > 0) context.checkAgreed({ file: relative, because });
}

/** The editor refuses to change a text that it has read anew since: it is put in the place of the new one then. */
async function putInPlace(document: vscode.TextDocument, text: string, file: ProjectPath): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const edit = new vscode.WorkspaceEdit();
    edit.set(document.uri, [vscode.TextEdit.replace(wholeOf(document), text), ...lineEnds(document, text)]);
    const { version } = document;
    if (await vscode.workspace.applyEdit(edit)) return;
    if (document.isDirty || document.version === version) throw notChanged(file);
  }
  throw notChanged(file);
}

async function apply(edit: vscode.WorkspaceEdit, file: ProjectPath): Promise<void> {
  if (!(await vscode.workspace.applyEdit(edit))) throw notChanged(file);
}

function notChanged({ relative }: ProjectPath): AppError {
  return failed(
    `The editor did not change ${relative}.`,
    'It may be read-only in the editor, an extension may have refused it, or a part of its path is a file.',
  );
}

async function saved(document: vscode.TextDocument, file: ProjectPath, before: string): Promise<void> {
  if (!document.isDirty || (await document.save()) || (await savedOver(document, file, before))) return;
  throw new AppError('E_EDIT_FAILED', `${file.relative} was changed in the editor but could not be saved.`, {
    hint: 'The text stands there unsaved. The user sees why, and can save it or revert it.',
    details: { applied: true },
  });
}

/**
 * The editor does not save over a file that is newer than what it has read, and it goes by the time: one that was
 * written while the editor read it counts as newer with the very same text. There the file is made to look old.
 */
async function savedOver(document: vscode.TextDocument, file: ProjectPath, before: string): Promise<boolean> {
  const { signal } = new AbortController();
  if ((await textOnDisk(file, document, signal)) !== before) return false;
  const { atime, mtime } = statSync(file.absolute);
  utimesSync(file.absolute, atime, 0);
  const isSaved = await document.save();
  if (!isSaved) utimesSync(file.absolute, atime, mtime);
  return isSaved;
}

/** Where a file has no line end yet, those of the text are its. */
function lineEnds(document: vscode.TextDocument, text: string): vscode.TextEdit[] {
  const isOwn = document.lineCount > 1 || !text.includes('\n');
  if (isOwn) return [];
  return [vscode.TextEdit.setEndOfLine(text.includes('\r\n') ? vscode.EndOfLine.CRLF : vscode.EndOfLine.LF)];
}

function wholeOf(document: vscode.TextDocument): vscode.Range {
  return document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
}

function statusOf({ absolute, relative }: ProjectPath): Stats | undefined {
  try {
    return lstatSync(absolute);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw failed(`There can be no file ${relative}.`, 'A part of the path may be a file, or its name too long.', error);
  }
}

function exists({ relative }: ProjectPath): AppError {
  return new AppError('E_ALREADY_EXISTS', `${relative} exists already.`, {
    hint: 'Choose another name, or replace its text with replace_file_text_by_path.',
    details: { applied: false },
  });
}

function stale({ relative }: ProjectPath): AppError {
  return failed(
    `${relative} has changed on the disk, and the editor still shows the text before.`,
    'Call again in a moment, or ask the user to run "File: Revert File" in it.',
  );
}

function failed(message: string, hint: string, cause?: unknown): AppError {
  return new AppError('E_EDIT_FAILED', message, { hint, cause, details: { applied: false } });
}
