import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';
import { MAX_OPEN_FILES } from './limits.ts';
import { projectPath } from './paths.ts';

/** The project's files that the window shows, by their real paths. */
export function openFiles(root: string): { activeFile: string; openFiles: string[] } {
  const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: some }) => some).flatMap(({ input }) => uriOf(input));
  const paths = tabs.flatMap((uri) => inProject(root, uri));
  const active = vscode.window.activeTextEditor?.document.uri;
  return {
    activeFile: active === undefined ? '' : (inProject(root, active)[0] ?? ''),
    openFiles: [...new Set(paths)].slice(0, MAX_OPEN_FILES),
  };
}

function uriOf(input: unknown): readonly vscode.Uri[] {
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook) return [input.uri];
  return input instanceof vscode.TabInputTextDiff ? [input.modified] : [];
}

function inProject(root: string, { scheme, fsPath }: vscode.Uri): readonly string[] {
  if (scheme !== 'file') return [];
  try {
    return [projectPath(root, fsPath).absolute];
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}
