const PIECE = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/g;
const INDENT = '  ';

/**
 * JSON with one value a line; undefined for a text that is none, or a mere number or word. Every value stays as it is
 * written: parsed, a long number would lose digits.
 */
export function prettyJson(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text) || !isJson(text)) return undefined;
  const parts: string[] = [];
  let depth = 0;
  let isAtOpening = false;
  for (const [piece] of text.matchAll(PIECE)) {
    const isClosing = piece === ']' || piece === '}';
    if (isClosing) depth -= 1;
    // An empty list or object stays on its line.
    if (isClosing ? !isAtOpening : isAtOpening) parts.push(newLine(depth));
    parts.push(piece === ':' ? ': ' : piece);
    isAtOpening = piece === '[' || piece === '{';
    if (isAtOpening) depth += 1;
    if (piece === ',') parts.push(newLine(depth));
  }
  return parts.join('');
}

function newLine(depth: number): string {
  return `\n${INDENT.repeat(depth)}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
