/** An element of an XML text, without its text content: a plan keeps everything in attributes. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
}

interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
}

const TAG = /<(\/?)([^\s/<>"']+)((?:[\s/](?:[^<>"']|"[^"]*"|'[^']*')*)?)>/y;
const ATTRIBUTE = /(?<![^\s=])([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/** Parts that are not elements: how each starts and ends. */
const PASSED_OVER = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '>'],
  ['<!', '>'],
] as const;

/** Reads the elements of XML from a server. Throws where tags do not match. */
export function readXml(xml: string): XmlElement {
  const root: OpenElement = { name: '', attributes: {}, children: [] };
  const open: OpenElement[] = [root];
  for (const [, closing, name = '', attributes = ''] of tagsIn(xml)) {
    const parent = open.at(-1);
    if (parent === undefined) throw new Error('The XML of the plan closes more elements than it opens.');
    if (closing === '/') {
      if (parent.name !== localName(name)) throw new Error('The XML of the plan closes an element that is not open.');
      open.pop();
      continue;
    }
    const element: OpenElement = { name: localName(name), attributes: readAttributes(attributes), children: [] };
    parent.children.push(element);
    if (!attributes.endsWith('/')) open.push(element);
  }
  if (open.length !== 1) throw new Error('The XML of the plan ends too early.');
  return root;
}

/** Each position is examined once: reading ends where the text stops being XML. */
function* tagsIn(xml: string): Generator<RegExpExecArray> {
  for (let at = xml.indexOf('<'); at !== -1; at = xml.indexOf('<', at)) {
    const other = PASSED_OVER.find(([begin]) => xml.startsWith(begin, at));
    if (other !== undefined) {
      const [begin, end] = other;
      const close = xml.indexOf(end, at + begin.length);
      if (close === -1) throw new Error('The XML of the plan ends too early.');
      at = close + end.length;
      continue;
    }
    TAG.lastIndex = at;
    const tag = TAG.exec(xml);
    if (tag === null) throw new Error('The XML of the plan has an element that cannot be read.');
    at = TAG.lastIndex;
    yield tag;
  }
}

/** All elements of this name below one, in document order, without descending into `until`. */
export function elementsBelow(element: XmlElement, name: string, until?: string): XmlElement[] {
  return element.children.flatMap((child) => {
    if (child.name === name) return [child];
    return child.name === until ? [] : elementsBelow(child, name, until);
  });
}

function readAttributes(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = '', double, single] of text.matchAll(ATTRIBUTE))
    attributes[name] = plainText(double ?? single ?? '');
  return attributes;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function plainText(text: string): string {
  return text.replaceAll(
    /&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi,
    (whole, hex?: string, decimal?: string, named?: string) => {
      if (named !== undefined) return ENTITIES[named] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
