/** A value of a properties file. */
export interface Property {
  readonly line: number;
  readonly value: string;
}

const NAME = /^(?:\\.|[^\\\s=:])+/;
const SEPARATOR = /^[#!]---\s*$/;

/** Reads a Java properties file; `#---` starts another document. A line that ends with a backslash continues. */
export function readProperties(text: string): readonly ReadonlyMap<string, Property>[] {
  const documents: Map<string, Property>[] = [new Map()];
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  for (let at = 0; at < lines.length; at += 1) {
    const first = at + 1;
    const line = (lines[at] ?? '').trimStart();
    if (SEPARATOR.test(line)) documents.push(new Map());
    if (line === '' || line.startsWith('#') || line.startsWith('!')) continue;
    const parts = [line];
    for (let last = line; goesOn(last) && at + 1 < lines.length; parts.push(last)) {
      parts[parts.length - 1] = last.slice(0, -1);
      at += 1;
      last = (lines[at] ?? '').trimStart();
    }
    const whole = parts.join('');
    const name = NAME.exec(whole)?.[0];
    if (name === undefined) continue;
    const value = whole.slice(name.length).trimStart().replace(/^[=:]/, '').trimStart();
    documents.at(-1)?.set(withoutEscapes(name), { line: first, value: withoutEscapes(value).trimEnd() });
  }
  return documents;
}

/** Whether the line ends with a backslash that is not itself escaped. */
function goesOn(line: string): boolean {
  let slashes = 0;
  while (line[line.length - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
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
