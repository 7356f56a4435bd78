const QUOTE = 34;
const COMMA = 44;
const OPEN = 91;
const BACKSLASH = 92;
const CLOSE = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Where a cell stands in the rows' JSON. */
export type CellSpan = readonly [from: number, end: number];

/** The cells of each row in a JSON text of rows. */
export function cellSpans(rows: string): CellSpan[][] {
  const found: CellSpan[][] = [];
  let at = 1;
  while (rows.charCodeAt(at) === OPEN) {
    const cells: CellSpan[] = [];
    at += 1;
    while (rows.charCodeAt(at) !== CLOSE) {
      const end = endOfValue(rows, at);
      cells.push([at, end]);
      at = rows.charCodeAt(end) === COMMA ? end + 1 : end;
    }
    found.push(cells);
    at += rows.charCodeAt(at + 1) === COMMA ? 2 : 1;
  }
  return found;
}

/** Whether a cell is a text of more characters in JSON. */
export function isLongText(json: string, span: CellSpan | undefined, most: number): boolean {
  return span !== undefined && json.charCodeAt(span[0]) === QUOTE && span[1] - span[0] - QUOTES > most;
}

/** A cell as JSON; of a longer text the start, with no half of an escape or of a character, and an ellipsis. */
export function shortText(json: string, span: CellSpan, most: number): string {
  const [from, end] = span;
  if (!isLongText(json, span, most)) return json.slice(from, end);
  let to = from + 1 + most;
  const backslash = json.lastIndexOf('\\', to - 1);
  // The longest escape is \\u with four digits; a backslash behind an odd number of others ends one.
  if (backslash >= to - ESCAPE_CHARS && backslash > from && isEscape(json, backslash)) to = backslash;
  if (/[\uD800-\uDBFF]/.test(json.charAt(to - 1))) to -= 1;
  return `${json.slice(from, to)}…"`;
}

const QUOTES = 2;
const ESCAPE_CHARS = 6;

function isEscape(json: string, at: number): boolean {
  let before = 0;
  while (json.charCodeAt(at - 1 - before) === BACKSLASH) before += 1;
  return before % 2 === 0;
}

/** Where the value that begins here ends. */
function endOfValue(json: string, from: number): number {
  if (json.charCodeAt(from) === QUOTE) return endOfText(json, from);
  let depth = 0;
  for (let at = from; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (depth === 0 && (code === COMMA || code === CLOSE)) return at;
    if (code === QUOTE) at = endOfText(json, at) - 1;
    else if (code === OPEN || code === OPEN_OBJECT) depth += 1;
    else if (code === CLOSE || code === CLOSE_OBJECT) depth -= 1;
  }
  throw new Error('The rows are not a JSON array.');
}

function endOfText(json: string, from: number): number {
  for (let at = json.indexOf('"', from + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let slashes = 0;
    while (json.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  throw new Error('The rows are not a JSON array.');
}
