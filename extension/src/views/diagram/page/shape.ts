/** A drawn element, for the page and for a file alike. Its text is text, whatever it contains. */
export interface Shape {
  readonly name: 'g' | 'path' | 'rect' | 'text' | 'title';
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly content: string | readonly Shape[];
}

export function shape(name: Shape['name'], attributes: Shape['attributes'], content: Shape['content'] = []): Shape {
  return { name, attributes, content };
}

/** The shape as an element of the page. */
export function toElement({ name, attributes, content }: Shape): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...(typeof content === 'string' ? [content] : content.map(toElement)));
  return made;
}

/** The shape as a file has it. */
export function toXml({ name, attributes, content }: Shape): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${xmlText(String(value))}"`);
  const inside = typeof content === 'string' ? xmlText(content) : content.map(toXml).join('');
  return `<${name}${written.join('')}>${inside}</${name}>`;
}

/** Characters that XML cannot contain, whichever way they are written. */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function xmlText(text: string): string {
  return text.replace(NOT_XML, '\u{FFFD}').replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}
