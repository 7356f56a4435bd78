/** Lists in a line of an answer's text. An item that could be misread stands as JSON behind `=`. */

const IN_PARENTHESES = /\([^()]*\)/g;
const BREAKS_LINE = /[\p{Cc}\u2028\u2029]/u;

/** Items with `, ` between them. `marks` are what may follow an item. */
export function inLine(items: readonly string[], marks: readonly string[] = []): string {
  return items.map((text) => item(text, marks)).join(', ');
}

/** One of them. What stands in parentheses keeps its commas. */
export function item(text: string, marks: readonly string[] = []): string {
  return isPlain(text, [', ', ...marks]) ? text : quoted(text);
}

function isPlain(text: string, separators: readonly string[]): boolean {
  if (text === '' || text.startsWith('=') || text !== text.trim() || BREAKS_LINE.test(text)) return false;
  const open = text.replace(IN_PARENTHESES, '');
  return !/[()]/.test(open) && !separators.some((separator) => `${open} `.includes(separator));
}

/** A text that ends its line; as JSON where it has several lines or could be taken for JSON. */
export function restOfLine(text: string): string {
  return text === text.trim() && /^[^"=]/.test(text) && !BREAKS_LINE.test(text) ? text : quoted(text);
}

function quoted(text: string): string {
  return `=${JSON.stringify(text)}`;
}
