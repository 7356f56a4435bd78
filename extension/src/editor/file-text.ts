import { lstatSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';
import { isBinary } from './binary.ts';
import { inEditor } from './folders.ts';
import { readProjectFile } from './foreign-file.ts';
import { MAX_TEXT_FILE_BYTES } from './limits.ts';
import type { ProjectPath } from './paths.ts';

/** A text as the user would see it. */
export interface FileText {
  readonly text: string;
  /** It stands in the editor alone. */
  readonly isUnsaved: boolean;
}

/** The text of a file: the editor's where the user has changed it, else the disk's, by the editor's own decoding. */
export async function fileText(file: ProjectPath, signal: AbortSignal): Promise<FileText> {
  const document = openDocument(file);
  if (document?.isDirty) return { text: document.getText(), isUnsaved: true };
  return { text: await textOnDisk(file, document, signal), isUnsaved: false };
}

/** What stands on the disk, whatever the editor shows. Nothing is opened for it. */
export async function textOnDisk(
  file: ProjectPath,
  document: vscode.TextDocument | undefined,
  signal: AbortSignal,
): Promise<string> {
  const bytes = await readProjectFile(file, MAX_TEXT_FILE_BYTES, signal);
  if (isBinary(bytes)) throw notText(file);
  try {
    // The user may have chosen another encoding for a file that is open.
    return document === undefined
      ? await vscode.workspace.decode(bytes, { uri: uriInEditor(file) })
      : await vscode.workspace.decode(bytes, { encoding: document.encoding });
  } catch (error) {
    throw notText(file, error);
  }
}

/** The document of a file, if the editor has it open by any name. */
export function openDocument({ absolute }: ProjectPath): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'file' && isNameOf(uri.fsPath, absolute));
}

/** An editor may have hundreds of documents, and resolving a path costs a look at each of its folders. */
function isNameOf(path: string, absolute: string): boolean {
  const isAlike = basename(path).toLowerCase() === basename(absolute).toLowerCase();
  return (isAlike || isLink(path)) && realName(path) === absolute;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** How the editor names a file. */
export function uriOf(file: ProjectPath): vscode.Uri {
  return openDocument(file)?.uri ?? uriInEditor(file);
}

function uriInEditor({ absolute }: ProjectPath): vscode.Uri {
  return vscode.Uri.file(inEditor(absolute).path);
}

function realName(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // Deleted since it was opened.
    return undefined;
  }
}

function notText({ relative }: ProjectPath, cause?: unknown): AppError {
  return new AppError('E_NOT_TEXT', `${relative} is a binary file.`, {
    hint: 'Only text is read and written; use a program that knows this kind of file.',
    cause,
  });
}
