import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';

export interface PageFrame {
  /** The name of the page's script and style sheet. */
  readonly view: string;
  /** HTML of our own, before the script has run. */
  readonly main: string;
  /** What the page may load besides, as a policy has it. */
  readonly more?: string;
}

/**
 * Loads a view's page. It gets its own script and style sheet and nothing else, and reaches no network. Both stand in the
 * page: the editor takes a file to a page by way of the thread on which its user types. The bundler leaves nothing in
 * them that would end their elements.
 */
export function loadPage(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  { view, main, more = '' }: PageFrame,
): void {
  webview.options = { enableScripts: true, localResourceRoots: [] };
  const bundled = (file: string) =>
    readFileSync(vscode.Uri.joinPath(extensionUri, 'dist', 'views', file).fsPath, 'utf8');
  const nonce = randomBytes(16).toString('hex');
  const policy = `default-src 'none'; ${more}style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  webview.html = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>DevDB</title>
<style nonce="${nonce}">${bundled(`${view}.css`)}</style>
</head>
<body>
${main}
<script nonce="${nonce}">${bundled(`${view}.js`)}</script>
</body>
</html>`;
}
