import { UnreadManifest } from './manifest.ts';

/** Deeper than any manifest nests. */
const MAX_DEPTH = 100;

export interface XmlElement {
  /** The names of the elements around it, and its own: project/dependencies/dependency. */
  readonly path: string;
  readonly attributes: string;
  /** The text in it, where it holds no element. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

interface Begun {
  readonly path: string;
  readonly attributes: string;
  readonly children: XmlElement[];
  readonly textFrom: number;
}

/** The elements of an XML file. It declares no entities that count here, so that nothing can grow. */
export function xmlElements(source: string): XmlElement[] {
  const text = withoutComments(source);
  const roots: XmlElement[] = [];
  const open: Begun[] = [];
  for (const { index, 0: tag, 1: close, 2: name = '', 3: rest = '' } of text.matchAll(TAG)) {
    const holder = open.at(-1);
    if (close === '/') {
      const { path, attributes, children, textFrom } = open.pop() ?? wrong();
      if (!path.endsWith(name)) wrong();
      const inner = children.length > 0 ? '' : text.slice(textFrom, index).trim();
      (open.at(-1)?.children ?? roots).push({ path, attributes, text: inner, children });
      continue;
    }
    const path = holder === undefined ? name : `${holder.path}/${name}`;
    const isWhole = rest.endsWith('/');
    if (isWhole) (holder?.children ?? roots).push({ path, attributes: rest.slice(0, -1), text: '', children: [] });
    else open.push({ path, attributes: rest, children: [], textFrom: index + tag.length });
    if (open.length > MAX_DEPTH) wrong();
  }
  if (open.length > 0 || roots.length === 0) wrong();
  return roots;
}

/** The elements at a path below these, each step a name. */
export function elementsAt(roots: readonly XmlElement[], path: string): XmlElement[] {
  return roots.flatMap((one) => {
    if (one.path === path) return [one];
    return path.startsWith(`${one.path}/`) ? elementsAt(one.children, path) : [];
  });
}

/** The value of an attribute. */
export function attributeOf({ attributes }: XmlElement, name: string): string | undefined {
  for (const [, key, double, single] of attributes.matchAll(ATTRIBUTE)) if (key === name) return double ?? single;
  return undefined;
}

const TAG = /<(\/?)([A-Za-z_][\w:.-]*)([^<>]*)>/g;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Also what a CDATA section holds: no manifest has names there. */
function withoutComments(text: string): string {
  const kept: string[] = [];
  let at = 0;
  for (;;) {
    const found = /<!--|<!\[CDATA\[/g;
    found.lastIndex = at;
    const begin = found.exec(text);
    if (begin === null) return [...kept, text.slice(at)].join('');
    kept.push(text.slice(at, begin.index));
    const mark = begin[0] === '<!--' ? '-->' : ']]>';
    const end = text.indexOf(mark, begin.index);
    if (end < 0) wrong();
    at = end + mark.length;
  }
}

function wrong(): never {
  throw new UnreadManifest('is not valid XML');
}
