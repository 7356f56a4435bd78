/** From a Git configuration file: the last value of each `section.name` without a subsection, names in lower case. */
export function configValues(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  let section = '';
  for (const line of logicalLines(text)) {
    const header = /^[ \t]*\[([^\]"\n]*)("(?:[^"\\]|\\.)*"[ \t]*)?\](.*)$/s.exec(line);
    if (header !== null) section = header[2] === undefined ? (header[1] ?? '').trim().toLowerCase() : '';
    const [, name, value] = /^[ \t]*([A-Za-z][A-Za-z0-9-]*)[ \t]*(?:=(.*))?$/s.exec(header?.[3] ?? line) ?? [];
    if (section !== '' && name !== undefined)
      values.set(`${section}.${name.toLowerCase()}`, plainValue(value ?? 'true'));
  }
  return values;
}

/** Lines, with those joined that a backslash continues. */
function logicalLines(text: string): string[] {
  const lines: string[] = [];
  let open = '';
  for (const line of text.replace(/^\u00ef\u00bb\u00bf/, '').split(/\r?\n/)) {
    if (endsWithBackslash(line)) open += line.slice(0, -1);
    else {
      lines.push(open + line);
      open = '';
    }
  }
  return open === '' ? lines : [...lines, open];
}

function endsWithBackslash(line: string): boolean {
  let count = 0;
  while (line[line.length - 1 - count] === '\\') count += 1;
  return count % 2 === 1;
}

const ESCAPES = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['b', '\b'],
]);

/** A value without its quotes and comment. Whitespace counts inside quotes and between words. */
function plainValue(raw: string): string {
  let value = '';
  let kept = 0;
  let quoted = false;
  for (let at = 0; at < raw.length; at += 1) {
    const char = raw[at] ?? '';
    if (!quoted && (char === '#' || char === ';')) break;
    if (char === '"') quoted = !quoted;
    else if (char === '\\') {
      at += 1;
      value += ESCAPES.get(raw[at] ?? '') ?? raw[at] ?? '';
    } else if (value !== '' || quoted || !isBlank(char)) value += char;
    if (quoted || !isBlank(char)) kept = value.length;
  }
  return value.slice(0, kept);
}

/** Not \s: bytes of other letters would look like whitespace to it. */
function isBlank(char: string): boolean {
  return char === ' ' || char === '\t' || char === '\r';
}
