import { statSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';
import * as vscode from 'vscode';

const EXTENSION = 'vscode.typescript-language-features';
const SCRIPTS = '**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}';
const IS_SCRIPT = /\.[cm]?[jt]sx?$/;
/** A server that does not know a file by then will not know it soon. */
const START_MS = 10_000;
const ASK_AGAIN_MS = 100;

/** Waits for the language server of a script, or of a folder's scripts, to have read their project: it sees no move before. */
export async function scriptServerReady(path: string, signal: AbortSignal): Promise<void> {
  const extension = vscode.extensions.getExtension(EXTENSION);
  const script = await firstScript(path);
  if (script === undefined || extension === undefined) return;
  await extension.activate();
  const { lineCount } = await vscode.workspace.openTextDocument(script);
  const deadline = performance.now() + START_MS;
  // Its providers come when the server is there, and no event tells of them.
  while (lineCount > 1 && !(await knows(script)) && performance.now() < deadline && !signal.aborted) {
    await after(ASK_AGAIN_MS);
  }
}

/** A question that the server answers in its turn, behind everything that it was asked before. */
export async function askScriptServer(path: string): Promise<void> {
  const script = await firstScript(path);
  if (script !== undefined) await referencesAt(script, new vscode.Position(0, 0));
}

/** Whoever knows a file's project finds at least where its first symbol is declared. */
async function knows(script: vscode.Uri): Promise<boolean> {
  const symbols = await vscode.commands.executeCommand<
    readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
  >('vscode.executeDocumentSymbolProvider', script);
  const [first] = symbols ?? [];
  if (first === undefined) return false;
  const { start } = 'selectionRange' in first ? first.selectionRange : first.location.range;
  return (await referencesAt(script, start)).length > 0;
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
