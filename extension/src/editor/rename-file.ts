import { lstatSync, statSync } from 'node:fs';
import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';
import type { ProjectPath } from './paths.ts';

/** What decides whether imports follow a file that moves: the newer name, and those it takes the place of. */
const UPDATE_IMPORTS = [
  'js/ts.updateImportsOnFileMove.enabled',
  'typescript.updateImportsOnFileMove.enabled',
  'javascript.updateImportsOnFileMove.enabled',
];
const SCRIPTS = '**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}';
const IS_SCRIPT = /\.[cm]?[jt]sx?$/;

/** The editor saves what a refactoring changed, together with what its user has not saved yet. We save the rest alone. */
const SAVE_ALL = 'files.refactoring.autoSave';

/** The settings under which the editor renames without a question: `prompt`, its default, is a modal dialog. */
export function renameSettings(updateImports: boolean): ReadonlyMap<string, unknown> {
  const known = UPDATE_IMPORTS.filter(
    (key) => vscode.workspace.getConfiguration().inspect(key)?.defaultValue !== undefined,
  );
  const follow = updateImports ? 'always' : 'never';
  return new Map<string, unknown>([[SAVE_ALL, false], ...known.map((key) => [key, follow] as const)]);
}

/** Refuses what cannot be renamed, before anything is changed. */
export function checkRename(from: ProjectPath, to: ProjectPath, overwrite: boolean): void {
  const source = lstatSync(from.absolute, { throwIfNoEntry: false });
  if (source === undefined) {
    throw new AppError('E_FILE_NOT_FOUND', `${from.relative} does not exist.`, {
      hint: 'Paths count from the project root.',
    });
  }
  const target = lstatSync(to.absolute, { throwIfNoEntry: false });
  // On a disk without case another spelling of the name is the same file.
  if (target === undefined || overwrite || (target.ino === source.ino && target.dev === source.dev)) return;
  throw new AppError('E_ALREADY_EXISTS', `${to.relative} exists already.`, {
    hint: 'Choose another name, or pass overwrite: true to replace it.',
  });
}

/** Has the language server of what moves load its project, since one that is not there does not see the move. */
export async function awaitLanguageServer(from: ProjectPath, signal: AbortSignal): Promise<void> {
  const script = await firstScript(from);
  if (script === undefined || signal.aborted) return;
  await vscode.workspace.openTextDocument(script);
  await vscode.commands.executeCommand('vscode.executeDocumentSymbolProvider', script);
}

async function firstScript({ absolute }: ProjectPath): Promise<vscode.Uri | undefined> {
  if (!statSync(absolute, { throwIfNoEntry: false })?.isDirectory()) {
    return IS_SCRIPT.test(absolute) ? vscode.Uri.file(absolute) : undefined;
  }
  const pattern = new vscode.RelativePattern(vscode.Uri.file(absolute), SCRIPTS);
  return (await vscode.workspace.findFiles(pattern, '**/node_modules/**', 1))[0];
}

/** Renames in one step that the editor can undo. */
export async function applyRename(from: ProjectPath, to: ProjectPath, overwrite: boolean): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(vscode.Uri.file(from.absolute), vscode.Uri.file(to.absolute), { overwrite });
  if (await vscode.workspace.applyEdit(edit, { isRefactoring: true })) return;
  throw new AppError('E_EDIT_FAILED', `The editor did not rename ${from.relative}.`, {
    hint: 'An extension may have refused it, or the file is read-only. Check the file and its folder.',
  });
}
