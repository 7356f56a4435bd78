import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

export interface PageFrame {
  /** The name of the page's script and style sheet. */
  readonly view: string;
  /** HTML of our own, before the script has run. */
  readonly main: string;
  /** What the page may load besides, as a policy has it. */
  readonly more?: string;
}

/** Loads a view's page. It gets its own script and style sheet and nothing else, and reaches no network. */
export function loadPage(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  { view, main, more = '' }: PageFrame,
): void {
  const pages = vscode.Uri.joinPath(extensionUri, 'dist', 'views');
  webview.options = { enableScripts: true, localResourceRoots: [pages] };
  const uriOf = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(pages, file)).toString();
  const nonce = randomBytes(16).toString('hex');
  const policy = `default-src 'none'; ${more}style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  webview.html = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>DevDB</title>
<link rel="stylesheet" nonce="${nonce}" href="${uriOf(`${view}.css`)}">
</head>
<body>
${main}
<script nonce="${nonce}" src="${uriOf(`${view}.js`)}"></script>
</body>
</html>`;
}
