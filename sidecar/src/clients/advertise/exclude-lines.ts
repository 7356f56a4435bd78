/** The text with the line appended; unchanged when it already has the line. */
export function withLine(text: string, line: string): string {
  if (linesOf(text).includes(line)) return text;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = text === '' || text.endsWith('\n') ? '' : lineEnd;
  return `${text}${gap}${line}${lineEnd}`;
}

/** The text without the line where it occurs once; a second occurrence means that somebody else wants it too. */
export function withoutLine(text: string, line: string): string {
  if (linesOf(text).filter((one) => one === line).length !== 1) return text;
  const parts = text.split('\n');
  const at = parts.findIndex((part) => part.replace(/\r$/, '') === line);
  return parts.toSpliced(at, 1).join('\n');
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}
