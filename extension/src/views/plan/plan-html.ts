/** The page of a plan. Its script and style come from the extension alone; it reaches no network. */
export function planHtml(script: string, style: string, nonce: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'">
<title>Plan</title>
<link rel="stylesheet" nonce="${nonce}" href="${style}">
</head>
<body>
<main id="plan"><h1>Plan</h1></main>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
