import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';
import { watchedPath } from './folders.ts';
import { freshDocument } from './fresh-documents.ts';
import { projectPath, shownPath } from './paths.ts';
import { refuseReadOnly } from './read-only.ts';

export type FileEdits = readonly [document: vscode.TextDocument, edits: readonly vscode.TextEdit[]];

/** What became of the files of an edit, as answers name them. */
export interface Saved {
  readonly changedFiles: readonly string[];
  readonly unsavedFiles?: readonly string[];
}

/** The documents an edit changes, as they are on the disk now. E_OUTSIDE_PROJECT where one is not of the project. */
export async function documentsOf(
  root: string,
  edit: vscode.WorkspaceEdit,
  signal: AbortSignal,
): Promise<readonly FileEdits[]> {
  const entries = edit.entries().filter(([, edits]) => edits.length > 0);
  for (const [uri] of entries) {
    refuseForeign(root, uri);
    refuseReadOnly(projectPath(root, uri.fsPath));
  }
  const found: FileEdits[] = [];
  for (const [uri, edits] of entries) found.push([await freshDocument(uri.fsPath, signal), edits]);
  return found;
}

function refuseForeign(root: string, { scheme, fsPath }: vscode.Uri): void {
  if (scheme === 'file' && !/[\\/]node_modules[\\/]/.test(projectPath(root, fsPath).relative)) return;
  throw new AppError(
    'E_OUTSIDE_PROJECT',
    `It would change ${shownPath(root, fsPath)}, which is not the project's own.`,
    {
      hint: 'Nothing was changed. Names of packages are not renamed.',
      details: { applied: false },
    },
  );
}

/** The edit with each file once: a language server may know one by the name of a link too, and edits it under both. */
export function withoutLinks(edit: vscode.WorkspaceEdit): vscode.WorkspaceEdit {
  const entries = edit.entries().map(([uri, edits]) => ({ uri, edits, path: watchedPath(uri.fsPath) ?? uri.fsPath }));
  const isOwn = ({ uri, path }: (typeof entries)[number]) => path === uri.fsPath;
  if (entries.every(isOwn)) return edit;
  // What was worked out for a file's own name counts: under another the server may know an older text.
  const ordered = entries.toSorted((one, other) => Number(isOwn(one)) - Number(isOwn(other)));
  const own = new vscode.WorkspaceEdit();
  for (const [path, edits] of new Map(ordered.map((entry) => [entry.path, entry.edits])))
    own.set(vscode.Uri.file(path), edits);
  return own;
}

/** Saves the files that had no unsaved changes before. What the user has not saved keeps waiting for them. */
export class Saving {
  readonly #unsavedBefore: ReadonlySet<string>;

  constructor() {
    const dirty = vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty);
    this.#unsavedBefore = new Set(dirty.map(({ uri }) => uri.toString()));
  }

  async save(root: string, documents: Iterable<vscode.TextDocument>): Promise<Saved> {
    const saved: string[] = [];
    const unsaved: string[] = [];
    for (const document of documents) {
      const isTheirs = this.#unsavedBefore.has(document.uri.toString());
      const isSaved = !document.isDirty || (!isTheirs && (await document.save()));
      (isSaved ? saved : unsaved).push(shownPath(root, document.uri.fsPath));
    }
    return { changedFiles: saved.sort(), ...(unsaved.length === 0 ? {} : { unsavedFiles: unsaved.sort() }) };
  }
}

/** Applies an edit as one step that the editor can undo. */
export async function applyEdit(edit: vscode.WorkspaceEdit): Promise<void> {
  if (await vscode.workspace.applyEdit(edit)) return;
  throw new AppError('E_EDIT_FAILED', 'The editor did not apply the edit.', {
    hint: 'A file may be read-only, or may have changed meanwhile. Look at it, then call again.',
    details: { applied: false },
  });
}
