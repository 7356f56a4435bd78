import type { Edit } from '../../host/jsonc-text.ts';

/** One table of a TOML file: its header's path and the range of its text. */
interface Table {
  readonly path: readonly string[];
  readonly start: number;
  end: number;
}

interface Scan {
  readonly tables: readonly Table[];
  readonly keys: readonly Key[];
}

interface Key {
  readonly path: readonly string[];
  /** The path of the table it belongs to. */
  readonly table: readonly string[];
  readonly line: number;
}

class Unreadable extends Error {
  readonly at: number;

  constructor(at: number, reason: string) {
    super(reason);
    this.at = at;
  }
}

const BARE_OR_QUOTED = /[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;

/** Puts `body` into the table `[group.name]` of a TOML file, replacing its content, or appends the table. */
export function setTomlTable(file: string, group: string, name: string, body: readonly string[]): Edit {
  const lineEnd = file.includes('\r\n') ? '\r\n' : '\n';
  const block = [`[${group}.${name}]`, ...body, ''].join(lineEnd);
  let scan: Scan;
  try {
    scan = scanToml(file);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { ok: false, line: lineOf(file, error.at), reason: `not valid TOML: ${error.message}` };
  }
  const { tables, keys } = scan;
  const table = tables.find(({ path }) => isPath(path, group, name));
  const inline = keys.find(({ path, table: header }) => header.length < 2 && isUpTo(path, group, name));
  if (inline !== undefined)
    return { ok: false, line: inline.line, reason: `"${group}" is not written as [${group}.${name}]` };
  if (table === undefined) return { ok: true, text: appended(file, block, lineEnd) };
  const old = file.slice(table.start, table.end);
  // Blank lines and comments before the next table belong to that one.
  const tail = trailingRemarks(old);
  if (old.slice(0, old.length - tail.length).trimEnd() === block.trimEnd()) return { ok: true, text: file };
  return { ok: true, text: file.slice(0, table.start) + block + tail + file.slice(table.end) };
}

function trailingRemarks(text: string): string {
  const lines = text.split(/(?<=\n)/);
  const last = lines.findLastIndex((line) => !/^[ \t]*(?:#.*)?\r?\n?$/.test(line));
  return lines.slice(last + 1).join('');
}

/** Whether a key conflicts with the table: the group itself as a value, or the entry as one. */
function isUpTo(path: readonly string[], group: string, name: string): boolean {
  return path[0] === group && (path.length === 1 || path[1] === name);
}

function isPath(path: readonly string[], group: string, name: string): boolean {
  return path.length === 2 && path[0] === group && path[1] === name;
}

function appended(file: string, block: string, lineEnd: string): string {
  if (file.trim() === '') return block;
  return `${file}${file.endsWith('\n') ? '' : lineEnd}${lineEnd}${block}`;
}

function scanToml(text: string): Scan {
  const tables: Table[] = [];
  const keys: Key[] = [];
  let prefix: readonly string[] = [];
  let at = text.startsWith('\ufeff') ? 1 : 0;
  for (at = skipBlankLines(text, at); at < text.length; at = skipBlankLines(text, at)) {
    const start = at;
    if (text[at] === '[') {
      const double = text[at + 1] === '[';
      const [path, next] = readPath(text, at + (double ? 2 : 1));
      const close = double ? ']]' : ']';
      if (!text.startsWith(close, next)) throw new Unreadable(next, `needs "${close}" here`);
      const before = tables.at(-1);
      if (before !== undefined) before.end = start;
      tables.push({ path: double ? [...path, '[]'] : path, start, end: text.length });
      prefix = path;
      at = endOfLine(text, next + close.length);
      continue;
    }
    const [path, next] = readPath(text, at);
    if (text[next] !== '=') throw new Unreadable(next, 'needs "=" here');
    keys.push({ path: [...prefix, ...path], table: prefix, line: lineOf(text, start) });
    at = endOfLine(text, endOfValue(text, skipSpaces(text, next + 1)));
  }
  return { tables, keys };
}

function readPath(text: string, start: number): [string[], number] {
  const path: string[] = [];
  let at = skipSpaces(text, start);
  for (;;) {
    BARE_OR_QUOTED.lastIndex = at;
    const part = BARE_OR_QUOTED.exec(text)?.[0];
    if (part === undefined) throw new Unreadable(at, 'needs a name here');
    path.push(/^["']/.test(part) ? part.slice(1, -1) : part);
    at = skipSpaces(text, at + part.length);
    if (text[at] !== '.') return [path, at];
    at = skipSpaces(text, at + 1);
  }
}

/** No real settings nest this deep; reading on would overflow the stack. */
const MAX_DEPTH = 100;

function endOfValue(text: string, at: number, depth = 0): number {
  if (depth > MAX_DEPTH) throw new Unreadable(at, 'is nested too deep');
  const char = text[at];
  for (const quote of ['"""', "'''"]) if (text.startsWith(quote, at)) return endOfLongString(text, at, quote);
  if (char === '"' || char === "'") return endOfString(text, at);
  if (char === '[') return endOfList(text, at, ']', (start) => endOfValue(text, start, depth + 1));
  if (char === '{') return endOfList(text, at, '}', (start) => endOfPair(text, start, depth + 1));
  const word = /\d{4}-\d\d-\d\d \d\d:[\d:.]+(?:Z|[+-]\d\d:\d\d)?|[^\s,\]}#=]+/y;
  word.lastIndex = at;
  const found = word.exec(text)?.[0];
  if (found === undefined) throw new Unreadable(at, 'needs a value here');
  if (!/^(?:true|false|[+-]?(?:inf|nan|\d[\w.:+\- ]*))$/.test(found)) throw new Unreadable(at, 'needs a value here');
  return at + found.length;
}

function endOfPair(text: string, start: number, depth: number): number {
  const [, next] = readPath(text, start);
  if (text[next] !== '=') throw new Unreadable(next, 'needs "=" here');
  return endOfValue(text, skipSpaces(text, next + 1), depth);
}

function endOfList(text: string, start: number, close: string, endOfItem: (at: number) => number): number {
  let at = skipBlankLines(text, start + 1);
  while (text[at] !== close) {
    at = skipBlankLines(text, endOfItem(at));
    if (text[at] === ',') at = skipBlankLines(text, at + 1);
    else if (text[at] !== close) throw new Unreadable(at, `needs "," or "${close}" here`);
  }
  return at + 1;
}

function endOfString(text: string, start: number): number {
  const string = text[start] === '"' ? /"(?:[^"\\\n]|\\.)*"/y : /'[^'\n]*'/y;
  string.lastIndex = start;
  const found = string.exec(text)?.[0];
  if (found === undefined) throw new Unreadable(start, 'a string is not closed');
  return start + found.length;
}

function endOfLongString(text: string, start: number, quote: string): number {
  let at = start + 3;
  while (at < text.length && !text.startsWith(quote, at)) at += quote === '"""' && text[at] === '\\' ? 2 : 1;
  if (at >= text.length) throw new Unreadable(start, 'a string is not closed');
  // Up to two more quotes are part of the string.
  while (text[at + 3] === quote[0]) at += 1;
  return at + 3;
}

function skipSpaces(text: string, start: number): number {
  let at = start;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  return at;
}

function skipBlankLines(text: string, start: number): number {
  const blank = /(?:\s|#[^\n]*)*/y;
  blank.lastIndex = start;
  blank.test(text);
  return Math.max(blank.lastIndex, start);
}

function endOfLine(text: string, start: number): number {
  const rest = /[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y;
  rest.lastIndex = start;
  const found = rest.exec(text)?.[0];
  if (found === undefined) throw new Unreadable(start, 'unexpected text after the value');
  return start + found.length;
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}
