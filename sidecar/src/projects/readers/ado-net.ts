/** The pairs of an ADO.NET connection string; names in small letters without blanks. Undefined when it is none. */
export function readConnectionString(text: string): ReadonlyMap<string, string> | undefined {
  const pairs = new Map<string, string>();
  const pair = /\s*([^=;]+?)\s*=\s*(?:"((?:[^"]|"")*)"|'((?:[^']|'')*)'|([^;]*?))\s*(?:;|$)/y;
  let at = 0;
  while (at < text.length) {
    if (/^[\s;]*$/.test(text.slice(at))) break;
    pair.lastIndex = at;
    const match = pair.exec(text);
    if (match === null || match[0] === '') return undefined;
    const [whole, name = '', double, single, bare = ''] = match;
    const value = double?.replaceAll('""', '"') ?? single?.replaceAll("''", "'") ?? bare;
    pairs.set(name.toLowerCase().replaceAll(/\s/g, ''), value);
    at += whole.length;
  }
  return pairs.size === 0 ? undefined : pairs;
}
