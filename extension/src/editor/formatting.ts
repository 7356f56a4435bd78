import * as vscode from 'vscode';
import { type Applying, applyAction, checkAction, codeActionsAt } from './code-actions.ts';
import { projectPath } from './paths.ts';
import { refuseReadOnly } from './read-only.ts';
import { applyEdit, type Saved, Saving } from './text-edits.ts';
import { asked } from './waiting.ts';

/** The edits that the formatter of the file's language makes, with the settings that hold for the file. */
async function formattingEdits(
  document: vscode.TextDocument,
  signal: AbortSignal,
): Promise<readonly vscode.TextEdit[]> {
  const config = vscode.workspace.getConfiguration('editor', document);
  const options = { tabSize: config.get('tabSize', 4), insertSpaces: config.get('insertSpaces', true) };
  const command = 'vscode.executeFormatDocumentProvider';
  return (await asked<readonly vscode.TextEdit[]>(signal, command, document.uri, options)) ?? [];
}

/** What sorts the imports and drops those that are not used, where the language has that. */
async function organizingAction(
  document: vscode.TextDocument,
  signal: AbortSignal,
): Promise<vscode.CodeAction | undefined> {
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  const [action] = await codeActionsAt(document, document.validateRange(whole), 'source.organizeImports', signal, 1);
  return action;
}

/** Sorts the imports, formats, saves. What the user has typed and not saved is formatted too, and stays unsaved. */
export async function formatFile(
  root: string,
  document: vscode.TextDocument,
  organizeImports: boolean,
  applying: Applying,
): Promise<Saved> {
  const { signal } = applying;
  refuseReadOnly(projectPath(root, document.uri.fsPath));
  const saving = new Saving();
  const before = document.getText();
  const action = organizeImports ? await organizingAction(document, signal) : undefined;
  if (action !== undefined) {
    await checkAction(root, action, applying);
    await applyAction(action);
  }
  const edits = await formattingEdits(document, signal);
  if (edits.length > 0) {
    const edit = new vscode.WorkspaceEdit();
    edit.set(document.uri, [...edits]);
    await applyEdit(edit);
  }
  return document.getText() === before ? { changedFiles: [] } : saving.save(root, [document]);
}
