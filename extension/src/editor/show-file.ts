import { statSync } from 'node:fs';
import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';
import { uriOf } from './file-text.ts';
import { cannotOpen, existingPath, type ProjectPath } from './paths.ts';

/** The file that a path names. */
export function shownFile(root: string, path: string): ProjectPath {
  const file = existingPath(root, path);
  if (!statSync(file.absolute).isFile()) throw cannotOpen(file.relative);
  return file;
}

/** Shows a file in the editor that fits its kind. What the user types goes where it went before, where that can be. */
export async function showFile(file: ProjectPath): Promise<void> {
  try {
    await vscode.commands.executeCommand('vscode.open', uriOf(file), { preserveFocus: true, preview: false });
  } catch (cause) {
    throw new AppError('E_EDIT_FAILED', `The editor does not open ${file.relative}.`, {
      hint: 'An extension that shows such files may have failed. get_file_text_by_path reads its text.',
      details: { applied: false },
      cause,
    });
  }
}
