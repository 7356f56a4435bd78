import { isAbsolute, relative, sep } from 'node:path';
import { stoppedBy } from '@devdb/shared/abort';
import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';
import { textOnDisk } from '../file-text.ts';
import { inEditor } from '../folders.ts';
import { MAX_SEARCHED_FILES } from '../limits.ts';
import { existingFolder, existingPath, shownPath } from '../paths.ts';
import { told, type Waiting } from '../waiting.ts';
import { type Found, FoundPaths } from './found.ts';
import { findRipgrep, runRipgrep } from './ripgrep.ts';
import { listArgs, type Scope, searchArgs } from './ripgrep-args.ts';

const NO_RIPGREP = 'This editor brings no ripgrep: .gitignore was not heeded, and a part of the files may be missing.';

/** Files of the project that hold a text; unsaved text counts as the text of its file. */
export async function filesWith(root: string, text: string, waiting: Waiting): Promise<Found> {
  const { signal } = waiting;
  const scope = scopeOf(root);
  const program = findRipgrep(vscode.env.appRoot);
  const paths = new FoundPaths();
  await told(
    waiting,
    () => `Searching. Files found so far: ${paths.size}.`,
    program === undefined
      ? readAll(root, text, paths, signal)
      : runRipgrep({ program, folder: root, args: searchArgs(scope, text), signal, onPath: paths.add }),
  );
  for (const { path, holds } of unsavedTexts(root, text)) {
    if (holds) paths.add(path);
    else paths.delete(path);
  }
  return { ...paths.found, note: program === undefined ? NO_RIPGREP : undefined };
}

/** Files of the project that a search looks into, by their names; `only` narrows them. */
export async function filesNamed(
  root: string,
  { fits, only = [] }: { readonly fits: (path: string) => boolean; readonly only?: readonly string[] },
  waiting: Waiting,
): Promise<Found> {
  const { signal } = waiting;
  const scope = scopeOf(root);
  const program = findRipgrep(vscode.env.appRoot);
  const paths = new FoundPaths();
  const onPath = (path: string) => !fits(path) || paths.add(path);
  await told(
    waiting,
    () => `Looking for files. Found so far: ${paths.size}.`,
    program === undefined
      ? takeListed(root, onPath, signal)
      : runRipgrep({ program, folder: root, args: listArgs(scope, only), signal, onPath }),
  );
  return { ...paths.found, note: program === undefined ? NO_RIPGREP : undefined };
}

function scopeOf(root: string): Scope {
  existingFolder(root, '/');
  const config = vscode.workspace.getConfiguration(undefined, vscode.Uri.file(inEditor(root).path));
  const excluded = ['files.exclude', 'search.exclude'].flatMap((setting) =>
    Object.entries(Object(config.get<unknown>(setting))).flatMap(([glob, isOn]) => (isOn === true ? [glob] : [])),
  );
  return { root, excluded };
}

function unsavedTexts(root: string, text: string): { readonly path: string; readonly holds: boolean }[] {
  const lines = withOneLineEnd(text);
  return vscode.workspace.textDocuments
    .filter(({ isDirty, uri }) => isDirty && uri.scheme === 'file')
    .map((document) => ({
      path: shownPath(root, document.uri.fsPath),
      holds: withOneLineEnd(document.getText()).includes(lines),
    }))
    .filter(({ path }) => !isAbsolute(path));
}

/** A line end of what is looked for stands for any line end. */
function withOneLineEnd(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/** Paths from the root, as the editor itself lists files. */
async function listedByEditor(root: string, signal: AbortSignal): Promise<string[]> {
  const folder = inEditor(root).path;
  const cancel = new vscode.CancellationTokenSource();
  const pattern = new vscode.RelativePattern(vscode.Uri.file(folder), '**/*');
  const find = async () => vscode.workspace.findFiles(pattern, undefined, MAX_SEARCHED_FILES, cancel.token);
  try {
    const uris = await stoppedBy(signal, () => cancel.cancel(), find);
    signal.throwIfAborted();
    return uris.map(({ fsPath }) => relative(folder, fsPath).split(sep).join('/'));
  } finally {
    cancel.dispose();
  }
}

async function takeListed(root: string, onPath: (path: string) => boolean, signal: AbortSignal): Promise<void> {
  for (const path of await listedByEditor(root, signal)) if (!onPath(path)) return;
}

async function readAll(root: string, text: string, found: FoundPaths, signal: AbortSignal): Promise<void> {
  for (const path of await listedByEditor(root, signal)) {
    signal.throwIfAborted();
    if ((await holds(root, path, text, signal)) && !found.add(path)) return;
  }
}

async function holds(root: string, path: string, text: string, signal: AbortSignal): Promise<boolean> {
  try {
    return withOneLineEnd(await textOnDisk(existingPath(root, path), undefined, signal)).includes(withOneLineEnd(text));
  } catch (error) {
    // Binary, too large, not readable, or a link that leads out: no file that is searched.
    if (error instanceof AppError) return false;
    throw error;
  }
}
