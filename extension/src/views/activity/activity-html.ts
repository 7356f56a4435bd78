/** The addresses of the page's own files, and what its policy admits. */
export interface PageFiles {
  readonly script: string;
  readonly style: string;
  readonly nonce: string;
}

/** The frame of the activity page. It loads its own two files and nothing else. */
export function activityHtml({ script, style, nonce }: PageFiles): string {
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>DevDB: Activity</title>
<link nonce="${nonce}" rel="stylesheet" href="${style}">
</head>
<body>
<main aria-label="What agents do"></main>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
