import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';
import { existingPath, type ProjectPath } from './paths.ts';

/** The file of the project in the active tab, whatever shows it. Undefined where none is open. */
export function activeFile(root: string): ProjectPath | undefined {
  const uri = activeUri();
  return uri === undefined ? undefined : existingPath(root, uri.fsPath);
}

/** The same for what cannot do without. */
export async function requiredActiveFile(root: string, signal: AbortSignal): Promise<ProjectPath> {
  await questionGone(signal);
  const file = activeFile(root);
  if (file !== undefined) return file;
  throw new AppError('E_NO_ACTIVE_EDITOR', 'no file open', {
    hint: 'Call open_file_in_editor first, or name the file with replace_file_text_by_path.',
    details: { applied: false },
  });
}

/** The editor in which the user has a file of the project open, with what they have selected in it. */
export async function activeSelection(
  root: string,
  signal: AbortSignal,
): Promise<{ readonly file: ProjectPath; readonly editor: vscode.TextEditor }> {
  await questionGone(signal);
  const uri = activeUri();
  const editors = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors];
  const editor = editors.find((one) => one !== undefined && one.document.uri.toString() === uri?.toString());
  if (editor === undefined) {
    throw new AppError('E_NO_ACTIVE_EDITOR', 'no active editor', {
      hint: 'Ask the user to open a file and to select something in it.',
      details: { applied: false },
    });
  }
  const file = existingPath(root, editor.document.uri.fsPath);
  if (editor.selections.some(({ isEmpty }) => !isEmpty)) return { file, editor };
  throw new AppError('E_NO_SELECTION', 'no text selected', {
    hint: 'Ask the user to select the text, or use replace_file_text_by_path.',
    details: { applied: false },
  });
}

/** A question about this very call was the active tab, and closes once it is answered: then the file is again. */
function questionGone(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const listening = vscode.window.tabGroups.onDidChangeTabs(() => look());
    const done = () => {
      listening.dispose();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const look = () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      if (!(input instanceof vscode.TabInputWebview && input.viewType.endsWith('devdb.question'))) done();
    };
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
    else look();
  });
}

/** A panel such as the output may be the active text editor: the active tab is what counts. */
function activeUri(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uri = uriOfTab(input) ?? vscode.window.activeTextEditor?.document.uri;
  return uri?.scheme === 'file' ? uri : undefined;
}

function uriOfTab(input: unknown): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputTextDiff) return input.modified;
  const isOfFile =
    input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputCustom ||
    input instanceof vscode.TabInputNotebook;
  return isOfFile ? input.uri : undefined;
}
