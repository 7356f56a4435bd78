/** Longer than any real connection string. */
const MAX_CHARS = 16 * 1024;

const SYNONYMS: readonly (readonly string[])[] = [
  ['server', 'datasource', 'address', 'addr', 'networkaddress'],
  ['database', 'initialcatalog'],
  ['userid', 'uid', 'user', 'username'],
  ['password', 'pwd'],
  ['integratedsecurity', 'trusted_connection'],
];

/** The pairs of an ADO.NET connection string; names in lower case without spaces. Undefined when it is not one. */
export function readConnectionString(text: string): ReadonlyMap<string, string> | undefined {
  if (text.length > MAX_CHARS) return undefined;
  const pairs = new Map<string, string>();
  for (let at = skip(text, 0, BETWEEN); at < text.length; at = skip(text, at, BETWEEN)) {
    const equals = text.indexOf('=', at);
    const name = equals === -1 ? '' : text.slice(at, equals).trim();
    if (name === '' || name.includes(';')) return undefined;
    const { value, end } = valueAt(text, skip(text, equals + 1, BLANKS));
    const key = name.toLowerCase().replaceAll(/\s/g, '');
    // Of several names for one thing the last holds.
    for (const other of SYNONYMS.find((names) => names.includes(key)) ?? []) pairs.delete(other);
    pairs.set(key, value);
    at = end;
  }
  return pairs.size === 0 ? undefined : pairs;
}

const BLANKS = /\s/;
const BETWEEN = /[\s;]/;

function skip(text: string, from: number, which: RegExp): number {
  let at = from;
  while (at < text.length && which.test(text[at] ?? '')) at += 1;
  return at;
}

/** A value that starts with a quote but does not end with it is plain and contains the quote. */
function valueAt(text: string, start: number): { readonly value: string; readonly end: number } {
  const quote = text[start];
  const closing = quote === '"' || quote === "'" ? closingQuote(text, start + 1, quote) : undefined;
  if (quote !== undefined && closing !== undefined) {
    const next = skip(text, closing + 1, BLANKS);
    if (next === text.length || text[next] === ';') {
      return { value: text.slice(start + 1, closing).replaceAll(quote + quote, quote), end: next };
    }
  }
  const semicolon = text.indexOf(';', start);
  const end = semicolon === -1 ? text.length : semicolon;
  return { value: text.slice(start, end).trimEnd(), end };
}

/** A doubled quote means one quote inside the value. */
function closingQuote(text: string, from: number, quote: string): number | undefined {
  for (let at = text.indexOf(quote, from); at !== -1; at = text.indexOf(quote, at + 2)) {
    if (text[at + 1] !== quote) return at;
  }
  return undefined;
}
