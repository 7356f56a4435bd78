import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { untilEnded } from './waiting.ts';

/** Documents of files that are gone, with the language that they had and what tells when they are back. */
const removed = new Map<string, { readonly language: string; readonly watcher: vscode.Disposable }>();

/**
 * Takes files that were removed from the disk away from the language servers. The editor keeps their documents for
 * minutes, and a server believes a document more than the disk. A document that its user sees is left alone.
 */
export async function forgetRemoved(signal: AbortSignal): Promise<boolean> {
  const gone = vscode.workspace.textDocuments.filter(isGone);
  for (const document of gone) {
    const watcher = watch(document.uri);
    removed.set(document.uri.toString(), { language: document.languageId, watcher });
    // For a server this is the end of the document.
    await untilEnded(withLanguage(document, 'plaintext'), signal);
  }
  return gone.length > 0;
}

/** The document in its own language again, should its file have been away. */
export async function known(document: vscode.TextDocument): Promise<vscode.TextDocument> {
  const key = document.uri.toString();
  const before = removed.get(key);
  if (before === undefined) return document;
  removed.delete(key);
  before.watcher.dispose();
  if (document.languageId !== 'plaintext') return document;
  return withLanguage(document, before.language);
}

/** One that the editor closes meanwhile has ended by itself. */
async function withLanguage(document: vscode.TextDocument, language: string): Promise<vscode.TextDocument> {
  try {
    return await vscode.languages.setTextDocumentLanguage(document, language);
  } catch (error) {
    if (document.isClosed) return document;
    throw error;
  }
}

function isGone({ uri, isDirty, isClosed }: vscode.TextDocument): boolean {
  if (uri.scheme !== 'file' || isDirty || isClosed || removed.has(uri.toString())) return false;
  return !existsSync(uri.fsPath) && !isInTab(uri);
}

/** Whether the user has the file in a tab. */
export function isInTab(uri: vscode.Uri): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
  );
}

/** A file that comes back, or a document that goes, ends it. */
function watch(uri: vscode.Uri): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(
    new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), '*'),
  );
  const back = watcher.onDidCreate(async (created) => {
    const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
    if (created.toString() === uri.toString() && document !== undefined) await known(document);
  });
  return vscode.Disposable.from(watcher, back);
}
