import { realpathSync, type Stats, statSync } from 'node:fs';
import { readFile, stat, utimes } from 'node:fs/promises';
import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';
import { inEditor, watchedPath } from './folders.ts';
import { type ProjectPath, projectPath } from './paths.ts';
import { known } from './removed-files.ts';
import { nextEvent, untilEnded } from './waiting.ts';

/** What a language server is asked about: larger files are data. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const LOOK_AGAIN_MS = 250;
const LOOKS_BEFORE_NUDGE = 8;
/**
 * The editor may never hear of a file: its settings can exclude it from watching, and of two names that a link makes,
 * watchers of Linux tell one.
 */
const UNHEARD_MS = { asked: 25_000, other: 5_000 } as const;

/** A file or folder of the project that is there. A link that leads out of the project is refused like a path that does. */
export async function existing(root: string, given: string): Promise<ProjectPath & { readonly status: Stats }> {
  const place = projectPath(root, given);
  const status = statusOf(place.absolute);
  if (status === undefined) {
    throw new AppError('E_FILE_NOT_FOUND', `${place.relative} does not exist.`, {
      hint: 'Paths are relative to the project root.',
    });
  }
  // By the name that it has without links: only under that one the editor hears of changes to it.
  return { ...projectPath(root, realpathSync(place.absolute)), status };
}

/** A file that a language server can be asked about. */
export async function existingFile(root: string, given: string): Promise<ProjectPath> {
  const { status, ...place } = await existing(root, given);
  if (status.isFile() && status.size <= MAX_FILE_BYTES) return place;
  const why = status.isFile() ? 'is too large for a language server' : 'is no file';
  throw new AppError('E_FILE_NOT_FOUND', `${place.relative} ${why}.`, {
    hint: status.isFile() ? 'Search it as text instead.' : 'Name a file in it.',
  });
}

/** The document of a file as it is on the disk now, or as the user is changing it. It is not shown. */
export async function freshDocument(
  path: string,
  signal: AbortSignal,
  which: keyof typeof UNHEARD_MS = 'asked',
): Promise<vscode.TextDocument> {
  const opened = await untilEnded(open(path), signal);
  const document = await untilEnded(known(opened), signal);
  if (await hasCaughtUp(document, which, signal)) return document;
  throw new AppError('E_TIMEOUT', 'The editor has not read a file again that has changed on the disk.', {
    hint: 'It does not hear of it: files.watcherExclude may name its folder, or a link give it a second name. Read and search the file itself, or ask the user to open it.',
    details: { path },
  });
}

/** The same of a file that came up in a search: what is no text, or is not heard of, is left out. */
export async function freshText(path: string, signal: AbortSignal): Promise<vscode.TextDocument | undefined> {
  try {
    return await freshDocument(path, signal, 'other');
  } catch (error) {
    if (error instanceof AppError && (error.code === 'E_FILE_NOT_FOUND' || error.code === 'E_TIMEOUT'))
      return undefined;
    throw error;
  }
}

async function open(path: string): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(vscode.Uri.file(inEditor(path).path));
  } catch (cause) {
    throw new AppError('E_FILE_NOT_FOUND', 'The editor cannot open this file as text.', {
      hint: 'It may be binary, or may just have been removed.',
      cause,
    });
  }
}

/** Since when documents have differed from their files. */
const differsSince = new WeakMap<vscode.TextDocument, number>();

/** Waits until a document has the text of its file. False where the editor does not hear of its changes. */
export async function hasCaughtUp(
  document: vscode.TextDocument,
  which: keyof typeof UNHEARD_MS,
  signal: AbortSignal,
): Promise<boolean> {
  if (isTheirs(document) || (await isAsOnDisk(document))) {
    differsSince.delete(document);
    return true;
  }
  const { fsPath } = document.uri;
  // Under the name of a link it is never read again; its own name has the text.
  if (watchedPath(fsPath) !== fsPath) return true;
  const since = differsSince.get(document) ?? Date.now();
  differsSince.set(document, since);
  const enough = AbortSignal.timeout(Math.max(0, since + UNHEARD_MS[which] - Date.now()));
  try {
    await upToDate(document, AbortSignal.any([signal, enough]));
    return true;
  } catch (error) {
    if (signal.aborted || !enough.aborted) throw error;
    return false;
  }
}

function isTheirs({ isDirty, isClosed }: vscode.TextDocument): boolean {
  return isDirty || isClosed;
}

/** The editor reads a file again some time after it changed; a document with unsaved text stays as its user left it. */
async function upToDate(document: vscode.TextDocument, signal: AbortSignal): Promise<void> {
  const { uri } = document;
  const isIt = ({ document: changed }: vscode.TextDocumentChangeEvent) => changed.uri.toString() === uri.toString();
  for (let looks = 1; !isTheirs(document) && !(await isAsOnDisk(document)); looks += 1) {
    await nextEvent(vscode.workspace.onDidChangeTextDocument, isIt, LOOK_AGAIN_MS, signal);
    if (looks % LOOKS_BEFORE_NUDGE === 0) await nudge(uri.fsPath);
  }
}

/**
 * Has the editor's watcher look at a file once more, without a change to it: of a folder that was removed and made again
 * it misses what is written into it at once.
 */
async function nudge(path: string): Promise<void> {
  try {
    const { atime, mtime } = await stat(path);
    await utimes(path, atime, mtime);
  } catch {
    // Removed, or another user's: then only the watcher can tell.
  }
}

/** What a document and its file were when their texts were the same. */
interface Same {
  readonly version: number;
  readonly changedAt: number;
  readonly size: number;
}

const compared = new WeakMap<vscode.TextDocument, Same>();
/** Clocks of disks are coarse: a file that changed so shortly ago may change again at the same time. */
const COARSE_MS = 50;

async function isAsOnDisk(document: vscode.TextDocument): Promise<boolean> {
  const found = statusOf(document.uri.fsPath);
  if (!found?.isFile() || found.size > MAX_FILE_BYTES) return true;
  const { version } = document;
  const { size } = found;
  const changedAt = Math.max(found.mtimeMs, found.ctimeMs);
  const known = compared.get(document);
  if (known?.version === version && known.changedAt === changedAt && known.size === size) return true;
  const isSame = await hasTextOfDisk(document);
  if (isSame && changedAt < Date.now() - COARSE_MS) compared.set(document, { version, changedAt, size });
  return isSame;
}

async function hasTextOfDisk(document: vscode.TextDocument): Promise<boolean> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(document.uri.fsPath);
  } catch {
    // Removed since: the editor will say so itself.
    return true;
  }
  const text = new TextDecoder('utf-8', { ignoreBOM: false }).decode(bytes);
  // Another encoding than UTF-8 is the editor's to know.
  return /[\ufffd\0]/.test(text) || comparable(text) === comparable(document.getText());
}

/** The editor gives all lines of a file the same end. */
function comparable(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/** At once: waiting for a thread takes far longer than the look itself, and a call about code needs many. */
function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // Missing, or not to be seen by this user.
    return undefined;
  }
}
