/** A value of a properties file. */
export interface Property {
  readonly line: number;
  readonly value: string;
}

const PAIR = /^((?:\\.|[^\\\s=:])+)\s*[=:\s]?\s*([\s\S]*)$/;
const SEPARATOR = /^[#!]---\s*$/;

/** Reads a Java properties file; `#---` begins another document. A line that ends with a backslash goes on. */
export function readProperties(text: string): readonly ReadonlyMap<string, Property>[] {
  const documents: Map<string, Property>[] = [new Map()];
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  for (let at = 0; at < lines.length; at += 1) {
    const first = at + 1;
    let line = (lines[at] ?? '').trimStart();
    if (SEPARATOR.test(line)) documents.push(new Map());
    if (line === '' || line.startsWith('#') || line.startsWith('!')) continue;
    while (/(?:^|[^\\])(?:\\\\)*\\$/.test(line) && at + 1 < lines.length) {
      at += 1;
      line = line.slice(0, -1) + (lines[at] ?? '').trimStart();
    }
    const [, name, value = ''] = PAIR.exec(line) ?? [];
    if (name !== undefined)
      documents.at(-1)?.set(withoutEscapes(name), { line: first, value: withoutEscapes(value).trimEnd() });
  }
  return documents;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['f', '\f'],
]);

function withoutEscapes(text: string): string {
  return text.replace(/\\(u[0-9a-fA-F]{4}|[\s\S])/g, (_whole, code: string) =>
    code.length > 1 ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : (ESCAPES.get(code) ?? code),
  );
}
