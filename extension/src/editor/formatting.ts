import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';
import { type Applying, applyAction, checkAction, codeActionsAt } from './code-actions.ts';
import { existingFile, freshDocument } from './fresh-documents.ts';
import { projectPath } from './paths.ts';
import { openFile } from './places.ts';
import { refuseReadOnly } from './read-only.ts';
import { applyEdit, type Saved, Saving } from './text-edits.ts';
import { asked, type Waiting } from './waiting.ts';

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

/** A file, and whether a language server knows it. */
export interface Formattable {
  readonly document: vscode.TextDocument;
  readonly isKnown: boolean;
}

/** A formatter needs no language server; where there is one, it has started. */
export async function fileToFormat(root: string, path: string, waiting: Waiting): Promise<Formattable> {
  try {
    return { document: (await openFile(root, path, waiting)).document, isKnown: true };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'E_NO_PROVIDER') throw error;
    const { absolute } = await existingFile(root, path);
    return { document: await freshDocument(absolute, waiting.signal), isKnown: false };
  }
}

/** Languages without a server that a formatter has changed a file of: one that it leaves alone is in order. */
const formatted = new Set<string>();

/** Sorts the imports, formats, saves. What the user has typed and not saved is formatted too, and stays unsaved. */
export async function formatFile(
  root: string,
  { document, isKnown }: Formattable,
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
  if (document.getText() !== before) {
    formatted.add(document.languageId);
    return saving.save(root, [document]);
  }
  if (!isKnown && !formatted.has(document.languageId)) throw noFormatter(document);
  return { changedFiles: [] };
}

function noFormatter({ languageId }: vscode.TextDocument): AppError {
  return new AppError(
    'E_NO_PROVIDER',
    `The editor has no formatter for ${languageId}, or one with nothing to change.`,
    {
      hint: "An extension for the language may be missing; the project's own formatter may run in a terminal.",
      details: { language: languageId, applied: false },
    },
  );
}
