import * as vscode from 'vscode';

/**
 * The path that a debugger's answer names. Where the editor's window is on another machine, the editor has made an
 * address of it on the way; this extension runs beside the debugger and needs the path.
 */
export function sourcePath(named: string): string {
  if (!/^[a-z][a-z\d+.-]+:\/\//i.test(named)) return named;
  const uri = vscode.Uri.parse(named);
  if (uri.scheme === 'file') return uri.fsPath;
  return uri.scheme === 'vscode-remote' ? vscode.Uri.file(uri.path).fsPath : named;
}
