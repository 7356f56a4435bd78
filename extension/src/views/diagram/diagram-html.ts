/** The page of a diagram. It reaches no network; pictures are those that it makes itself, for a file. */
export function diagramHtml(script: string, style: string, nonce: string): string {
  const policy = `default-src 'none'; img-src data:; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Diagram</title>
<link rel="stylesheet" nonce="${nonce}" href="${style}">
</head>
<body>
<main id="diagram"><h1 class="unseen">Diagram</h1></main>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
