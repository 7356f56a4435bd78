/** Lists in a line of an answer's text. An item that could be misread stands as JSON behind `=`. */

/** Items with `, ` between them. */
export function inLine(items: readonly string[]): string {
  return items.map(item).join(', ');
}

/** One of them. What stands in parentheses keeps its commas. */
export function item(text: string): string {
  return isPlain(text) ? text : `=${JSON.stringify(text)}`;
}

const IN_PARENTHESES = /\([^()]*\)/g;
/** What separates items, and what may follow one. */
const SEPARATES = /, | -> | ~> | \[|[()\r\n\u2028\u2029]/;

function isPlain(text: string): boolean {
  if (text === '' || text.startsWith('=') || text !== text.trim()) return false;
  return !/[\r\n\u2028\u2029]/.test(text) && !SEPARATES.test(text.replace(IN_PARENTHESES, ''));
}

/** A text that ends its line; as JSON where it has several lines or could be taken for JSON. */
export function restOfLine(text: string): string {
  return text === text.trim() && /^[^"=\r\n\u2028\u2029][^\r\n\u2028\u2029]*$/.test(text)
    ? text
    : `=${JSON.stringify(text)}`;
}
