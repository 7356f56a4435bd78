import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';
import { shownPath } from './paths.ts';
import type { CodePlace } from './places.ts';
import { isScript } from './script-requests.ts';
import { spotsOf } from './spots.ts';
import { isPossibleName, lastPart } from './symbol-names.ts';
import { applyEdit, documentsOf, type FileEdits, type Saved, Saving, withoutLinks } from './text-edits.ts';
import { asked, pause } from './waiting.ts';

const ASK_AGAIN_MS = 300;
const MAX_TRIES = 20;

/** A rename that was worked out and not yet made. */
export interface PlannedRename {
  readonly edit: vscode.WorkspaceEdit;
  readonly files: readonly FileEdits[];
}

/** Refuses what is no name in the language of the file. */
export function checkName(newName: string, document: vscode.TextDocument): void {
  if (isPossibleName(newName, isScript(document))) return;
  throw new AppError('E_INVALID_PARAMS', `newName: ${newName} cannot be a name in ${document.languageId}.`, {
    hint: 'Pass one identifier that is no keyword.',
    details: { fields: ['newName'], applied: false },
  });
}

/** Works out a rename. A name that is imported is renamed where it is declared, if that is in the project. */
export async function planRename(
  root: string,
  place: CodePlace,
  newName: string,
  signal: AbortSignal,
): Promise<PlannedRename> {
  const target = await declarationOf(root, place, signal);
  for (let tries = 1; ; tries += 1) {
    const edit = await renameEdit(target, newName, signal);
    const files = await documentsOf(root, edit, signal);
    if (isUpToDate(files, place.name)) return { edit, files };
    // The language server worked with an older text than the disk has.
    if (tries === MAX_TRIES) throw refused('The language server does not know the newest text of the files.');
    await pause(ASK_AGAIN_MS, signal);
  }
}

interface Target {
  readonly uri: vscode.Uri;
  readonly position: vscode.Position;
  readonly name: string;
  /** Where it was asked about: a document of the same language. */
  readonly document: vscode.TextDocument;
}

async function declarationOf(root: string, place: CodePlace, signal: AbortSignal): Promise<Target> {
  const { document: from, name } = place;
  const here = { uri: from.uri, position: place.range.start, name, document: from };
  const [spot, ...others] = await spotsOf('definition', here.uri, here.position, signal);
  if (spot === undefined || others.length > 0 || spot.uri.toString() === here.uri.toString()) return here;
  const path = shownPath(root, spot.uri.fsPath);
  const isOwn = path !== spot.uri.fsPath && !/(^|\/)node_modules\//.test(path);
  if (!isOwn) return here;
  const document = await vscode.workspace.openTextDocument(spot.uri);
  // An import under another name, or the default of a module: that is what is renamed here.
  if (document.getText(spot.range) !== name) return here;
  return { uri: spot.uri, position: spot.range.start, name, document };
}

/** What has to be edited for a name that stands there to become another. */
export async function renameEdit(
  { uri, position, name, document }: Target,
  newName: string,
  signal: AbortSignal,
): Promise<vscode.WorkspaceEdit> {
  try {
    const edit = await asked<vscode.WorkspaceEdit>(
      signal,
      'vscode.executeDocumentRenameProvider',
      uri,
      position,
      newName,
    );
    if (edit !== undefined && edit.size > 0) return withoutLinks(edit);
  } catch (error) {
    if (error instanceof AppError || !(error instanceof Error)) throw error;
    throw refused(`${name} cannot be renamed: ${error.message}`);
  }
  if (isScript(document)) throw refused(`${name} cannot be renamed.`);
  throw new AppError('E_NO_PROVIDER', `The language server of ${document.languageId} renames nothing here.`, {
    hint: 'Edit the files by hand: find the uses by searching.',
    details: { applied: false },
  });
}

/** Makes it, and saves what the user had no unsaved text in. */
export async function makeRename(root: string, { edit, files }: PlannedRename): Promise<Saved> {
  const saving = new Saving();
  await applyEdit(edit);
  return saving.save(
    root,
    files.map(([document]) => document),
  );
}

/** Every edit stands on the name, as the documents are now. */
function isUpToDate(files: readonly FileEdits[], name: string): boolean {
  return files.every(([document, edits]) =>
    edits.every(({ range }) => document.getText(range).includes(lastPart(name))),
  );
}

function refused(message: string): AppError {
  return new AppError('E_EDIT_FAILED', message, {
    hint: 'Nothing was changed. Names of libraries and keywords cannot be renamed.',
    details: { applied: false },
  });
}
