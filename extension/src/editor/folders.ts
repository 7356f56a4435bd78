import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import * as vscode from 'vscode';
import { editorPath } from './paths.ts';

/** A real path in the editor's spelling, and the open folder whose settings apply there. */
export interface EditorPlace {
  readonly path: string;
  readonly folder: string;
}

export function inEditor(path: string): EditorPlace {
  const folders = (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);
  const named = editorPath(path, folders);
  const holders = folders.filter((folder) => named === folder || named.startsWith(`${folder}${sep}`));
  const [nearest = named] = holders.sort((one, other) => other.length - one.length);
  return { path: named, folder: nearest };
}

/**
 * The name under which the editor hears of changes to a file: without links below its folder. Undefined for a file that
 * is gone.
 */
export function watchedPath(path: string): string | undefined {
  try {
    // Not the native one, which also corrects the case: the editor keeps what it was opened with.
    return vscode.Uri.file(inEditor(realpathSync(path)).path).fsPath;
  } catch {
    return undefined;
  }
}
