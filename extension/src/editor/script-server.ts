import { statSync } from 'node:fs';
import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';
import { freshText } from './fresh-documents.ts';
import { outlineOfReady } from './language-server.ts';
import type { Waiting } from './waiting.ts';

const EXTENSION = 'vscode.typescript-language-features';
const SCRIPTS = '**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}';
const IS_SCRIPT = /\.[cm]?[jt]sx?$/;

/**
 * Waits until the language server of a script, or of a folder's scripts, has read their project: before that it notices
 * no move.
 */
export async function scriptServerReady(path: string, waiting: Waiting): Promise<void> {
  const script = await firstScript(path);
  if (script === undefined || vscode.extensions.getExtension(EXTENSION) === undefined) return;
  const document = await freshText(script.fsPath, waiting.signal);
  if (document === undefined) return;
  try {
    await outlineOfReady(document, waiting);
  } catch (error) {
    // A file without a server moves all the same.
    if (error instanceof AppError && error.code === 'E_NO_PROVIDER') return;
    throw error;
  }
}

/** A request that the server answers in turn, after everything it was asked before. */
export async function askScriptServer(path: string): Promise<void> {
  const script = await firstScript(path);
  if (script !== undefined) await referencesAt(script, new vscode.Position(0, 0));
}

async function referencesAt(script: vscode.Uri, at: vscode.Position): Promise<readonly unknown[]> {
  return (await vscode.commands.executeCommand<unknown[]>('vscode.executeReferenceProvider', script, at)) ?? [];
}

async function firstScript(path: string): Promise<vscode.Uri | undefined> {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    return IS_SCRIPT.test(path) ? vscode.Uri.file(path) : undefined;
  }
  const pattern = new vscode.RelativePattern(vscode.Uri.file(path), SCRIPTS);
  return (await vscode.workspace.findFiles(pattern, '**/node_modules/**', 1))[0];
}
