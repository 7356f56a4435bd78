import * as vscode from 'vscode';

/** What links to tables begin with in this editor. */
export function linkOpener(): string {
  return `${vscode.env.uriScheme}://devdb.devdb/open`;
}
