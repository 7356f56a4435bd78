import * as vscode from 'vscode';
import { inEditor } from './folders.ts';
import { hasCaughtUp } from './fresh-documents.ts';
import { isInTab } from './removed-files.ts';

/**
 * Has the editor read again what a command changed of the files in its tabs: its own watcher takes a moment, and misses
 * what is written at once into a folder that was made anew. What its user has not saved stays. The setting turns it off.
 */
export async function reloadEditors(root: string, signal: AbortSignal): Promise<void> {
  const folder = vscode.Uri.file(inEditor(root).path);
  const value = vscode.workspace.getConfiguration('Devdb', folder).get<unknown>('autoReloadModifiedFiles');
  if (value === false) return;
  const shown = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === 'file' && isInTab(uri));
  await Promise.all(shown.map((document) => hasCaughtUp(document, 'other', signal)));
}
