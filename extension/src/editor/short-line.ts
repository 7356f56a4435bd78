const MAX_LINE_CHARS = 200;
/** So much of a long line stands before the place that it is shown for. */
const LEAD_CHARS = 60;

/** A line that an answer can carry: whole where it is short, else what stands around a column. */
export function shortLine(line: string, column: number, whole = line.trim()): string {
  if (whole.length <= MAX_LINE_CHARS) return whole;
  const start = column < MAX_LINE_CHARS - LEAD_CHARS ? 0 : column - LEAD_CHARS;
  const end = start + MAX_LINE_CHARS;
  // No half of a character at either end.
  const piece = line.slice(start, end).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
  return `${start === 0 ? '' : '…'}${piece.trimEnd()}${end < line.length ? '…' : ''}`;
}
