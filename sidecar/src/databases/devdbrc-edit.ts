import { readDevdbrc } from '../detection/detectors/devdbrc.ts';
import { readJsonc } from '../detection/readers/jsonc.ts';
import { plain } from '../detection/readers/located.ts';

/** The new text, or why the old one is left unchanged. */
export type DevdbrcEdit =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly line: number; readonly reason: string };

type Entry = Readonly<Record<string, unknown>>;

interface Span {
  readonly start: number;
  readonly end: number;
}

interface Item extends Span {
  /** The end of the comma after it, if there is one. */
  readonly comma: number | undefined;
}

interface List extends Span {
  readonly items: readonly Item[];
}

/** A string, a comment, a bracket or comma, a bare value, or whitespace: every token of a valid text. */
const TOKEN = /"(?:[^"\\]|\\.)*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[[\]{},]|[^\s"/[\]{},]+|\s+/g;
/** A comment after a value on the same line belongs to that value. */
const REMARK = /^[ \t]*(?:\/\/[^\r\n]*|\/\*(?:(?!\*\/)[^\n])*\*\/[ \t]*(?=\r?\n))/;

/** Appends a connection to the list. Comments and everything else stay as they are. */
export function addEntry(file: string, entry: Entry): DevdbrcEdit {
  const { mark, text } = withoutMark(file);
  if (text.trim() === '') return { ok: true, text: `${mark}[\n  ${pretty(entry, '  ', '\n')}\n]\n` };
  const before = itemsOf(text);
  if (!before.ok) return before;
  const edited = isJson(text) ? addToJson(text, entry) : addToYaml(text, entry);
  return checked(mark, edited, [...before.items, entry]);
}

/** Removes the connection that begins on this line. */
export function removeEntry(file: string, line: number): DevdbrcEdit {
  const { mark, text } = withoutMark(file);
  const before = itemsOf(text);
  if (!before.ok) return before;
  const index = before.lines.indexOf(line);
  if (index < 0) return { ok: false, line, reason: 'the connection is no longer there' };
  if (before.lines.lastIndexOf(line) !== index || !isJson(text)) {
    return { ok: false, line, reason: 'it can only be removed by hand' };
  }
  return checked(mark, cut(text, listIn(text), index), before.items.toSpliced(index, 1));
}

function withoutMark(file: string): { readonly mark: string; readonly text: string } {
  const mark = file.startsWith('\ufeff') ? '\ufeff' : '';
  return { mark, text: file.slice(mark.length) };
}

type Items =
  | { readonly ok: true; readonly items: readonly unknown[]; readonly lines: readonly number[] }
  | { readonly ok: false; readonly line: number; readonly reason: string };

function itemsOf(text: string): Items {
  const { value, problems } = readDevdbrc(text);
  const [problem] = problems;
  if (problem !== undefined) return { ok: false, ...problem };
  if (value?.kind !== 'array') {
    return { ok: false, line: value?.line ?? 1, reason: 'it is not a list of connections' };
  }
  return { ok: true, items: value.items.map(plain), lines: value.items.map((item) => item.line) };
}

/** Refuses an edit that would change anything else. */
function checked(mark: string, text: string, wanted: readonly unknown[]): DevdbrcEdit {
  const after = itemsOf(text);
  if (after.ok && JSON.stringify(after.items) === JSON.stringify(wanted)) return { ok: true, text: mark + text };
  return { ok: false, line: 1, reason: 'its formatting only allows editing by hand' };
}

function isJson(text: string): boolean {
  const { value, problems } = readJsonc(text);
  return problems.length === 0 && value?.kind === 'array';
}

function addToJson(text: string, entry: Entry): string {
  const list = listIn(text);
  const lineEnd = lineEndOf(text);
  const last = list.items.at(-1);
  if (last === undefined) return fill(text, list, entry, lineEnd);
  const { comma } = last;
  const head = comma === undefined ? `${text.slice(0, last.end)},` : text.slice(0, comma);
  const rest = text.slice(comma ?? last.end);
  if (!text.slice(list.start, last.start).includes('\n')) return `${head} ${JSON.stringify(entry)}${rest}`;
  const indent = indentAt(text, last.start);
  const remark = REMARK.exec(rest)?.[0] ?? '';
  const added = `${lineEnd}${indent}${pretty(entry, indent, lineEnd)}${comma === undefined ? '' : ','}`;
  return head + remark + added + rest.slice(remark.length);
}

function fill(text: string, { start, end }: Span, entry: Entry, lineEnd: string): string {
  const indent = `${indentAt(text, start)}  `;
  const between = text.slice(start + 1, end);
  // Comments in an otherwise empty list stay, below the new entry.
  const rest = between.trim() === '' ? `${lineEnd}${indentAt(text, start)}` : between;
  return `${text.slice(0, start + 1)}${lineEnd}${indent}${pretty(entry, indent, lineEnd)}${rest}${text.slice(end)}`;
}

/** JSON is also YAML, so an entry fits on one line whatever its values are. */
function addToYaml(text: string, entry: Entry): string {
  const lineEnd = lineEndOf(text);
  const indent = /^([ \t]*)-(?=\s)/m.exec(text)?.[1] ?? '';
  const body = text.endsWith('\n') ? text : text + lineEnd;
  return `${body}${indent}- ${JSON.stringify(entry)}${lineEnd}`;
}

function cut(text: string, list: List, index: number): string {
  const item = list.items[index];
  if (item === undefined) return text;
  const comma = list.items[index - 1]?.comma;
  const end = item.comma ?? item.end;
  const remark = REMARK.exec(text.slice(end))?.[0].length ?? 0;
  const lineStart = text.lastIndexOf('\n', item.start) + 1;
  const isWholeLine =
    text.slice(lineStart, item.start).trim() === '' && /^\s*?(\r?\n|$)/.test(text.slice(end + remark));
  const start = isWholeLine ? lineStart : item.start;
  const after = isWholeLine ? end + remark + (/^\s*?\r?\n/.exec(text.slice(end + remark))?.[0].length ?? 0) : end;
  const rest = isWholeLine ? text.slice(after) : text.slice(after).replace(/^[ \t]+/, '');
  // The last entry has no comma after it, so the comma before it is removed instead.
  if (item.comma === undefined && comma !== undefined) {
    return text.slice(0, comma - 1) + text.slice(comma, start) + rest;
  }
  return text.slice(0, start) + rest;
}

/** The position of a valid text's outer list and of its items. */
function listIn(text: string): List {
  const items: Item[] = [];
  let start = 0;
  let depth = 0;
  let open: Span | undefined;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (/^(\s|\/\/|\/\*)/.test(token)) continue;
    if (depth === 0) start = index;
    if (depth === 1 && (token === ',' || token === ']')) {
      if (open !== undefined) items.push({ ...open, comma: token === ',' ? index + 1 : undefined });
      if (token === ']') return { start, end: index, items };
      open = undefined;
      continue;
    }
    if (depth > 0) open = { start: open?.start ?? index, end: index + token.length };
    if (token === '[' || token === '{') depth += 1;
    if (token === ']' || token === '}') depth -= 1;
  }
  return { start, end: text.length, items };
}

function pretty(entry: Entry, indent: string, lineEnd: string): string {
  return JSON.stringify(entry, null, 2).replaceAll('\n', lineEnd + indent);
}

function lineEndOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** The indentation of the line that holds `at`. */
function indentAt(text: string, at: number): string {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, at))?.[0] ?? '';
}
