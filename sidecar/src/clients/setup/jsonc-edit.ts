import { readJsonc } from '../../detection/readers/jsonc.ts';
import { type Located, plain } from '../../detection/readers/located.ts';

/** The new text, or the line and the reason why the old one was left unchanged. */
export type Edit =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly line: number; readonly reason: string };

interface Entry {
  readonly key: string;
  readonly keyAt: number;
  readonly valueAt: number;
  readonly valueEnd: number;
}

interface ObjectSpan {
  /** Of the opening brace. */
  readonly start: number;
  /** Of the closing brace. */
  readonly end: number;
  readonly entries: readonly Entry[];
}

/**
 * Sets `group.name` in a JSON file that may have comments and trailing commas. Everything else keeps every comment and
 * space.
 */
export function setJsonEntry(file: string, group: string, name: string, value: unknown): Edit {
  const { mark, text } = withoutMark(file);
  if (text.trim() === '')
    return { ok: true, text: `${mark}${JSON.stringify({ [group]: { [name]: value } }, null, 2)}\n` };
  const found = readGroup(text, group);
  if (!found.ok) return found;
  const entryNow = found.group?.entries.get(name);
  if (entryNow !== undefined && JSON.stringify(plain(entryNow)) === JSON.stringify(value))
    return { ok: true, text: file };
  return { ok: true, text: mark + setIn(text, group, name, value) };
}

/** Removes `group.name` with the comma it needed, and nothing else. The group stays, even if empty. */
export function removeJsonEntry(file: string, group: string, name: string): Edit {
  const { mark, text } = withoutMark(file);
  if (text.trim() === '') return { ok: true, text: file };
  const found = readGroup(text, group);
  if (!found.ok) return found;
  if (!found.group?.entries.has(name)) return { ok: true, text: file };
  const at = findEntry(objectAt(text, skipBlank(text, 0)), group)?.valueAt;
  if (at === undefined) return { ok: true, text: file };
  const object = objectAt(text, at);
  const [index, ...more] = object.entries.flatMap((entry, place) => (entry.key === name ? [place] : []));
  // Removing the last one would make another one effective, which nobody asked for.
  if (more.length > 0) return { ok: false, line: found.group.line, reason: `"${name}" occurs more than once` };
  return { ok: true, text: index === undefined ? file : mark + removeEntry(text, object, index) };
}

/** The value of `group.name` in a readable text, else undefined. */
export function jsonEntry(file: string, group: string, name: string): unknown {
  const found = readGroup(withoutMark(file).text, group);
  const entry = found.ok ? found.group?.entries.get(name) : undefined;
  return entry === undefined ? undefined : plain(entry);
}

/** Whether the text is an object with nothing in it, not even a comment, except the empty group. */
export function isEmptyFrame(file: string, group: string): boolean {
  return withoutMark(file).text.replace(/\s/g, '') === `{${JSON.stringify(group)}:{}}`;
}

function withoutMark(file: string): { readonly mark: string; readonly text: string } {
  const mark = file.startsWith('\ufeff') ? '\ufeff' : '';
  return { mark, text: file.slice(mark.length) };
}

type Group =
  | { readonly ok: true; readonly group: Extract<Located, { kind: 'object' }> | undefined }
  | Extract<Edit, { ok: false }>;

function readGroup(text: string, group: string): Group {
  if (text[skipBlank(text, 0)] !== '{') return { ok: false, line: 1, reason: 'not a JSON object' };
  const { value: root, problems } = readJsonc(text);
  const [problem] = problems;
  if (problem !== undefined) return { ok: false, line: problem.line, reason: problem.reason };
  if (root?.kind !== 'object') return { ok: false, line: 1, reason: 'not a JSON object' };
  const found = root.entries.get(group);
  if (found !== undefined && found.kind !== 'object')
    return { ok: false, line: found.line, reason: `"${group}" is not an object` };
  return { ok: true, group: found };
}

/** Whether a readable text has `group.name`. */
export function hasJsonEntry(text: string, group: string, name: string): boolean {
  const { value: root } = readJsonc(text.replace(/^\ufeff/, ''));
  const groupNow = root?.kind === 'object' ? root.entries.get(group) : undefined;
  return groupNow?.kind === 'object' && groupNow.entries.has(name);
}

function setIn(text: string, group: string, name: string, value: unknown): string {
  const outer = objectAt(text, skipBlank(text, 0));
  const found = findEntry(outer, group);
  if (found === undefined) return setEntry(text, outer, group, { [name]: value });
  return setEntry(text, objectAt(text, found.valueAt), name, value);
}

/** When a key is repeated, the last one counts. */
function findEntry(object: ObjectSpan, key: string): Entry | undefined {
  return object.entries.findLast((entry) => entry.key === key);
}

function setEntry(text: string, object: ObjectSpan, key: string, value: unknown): string {
  const style = styleOf(text);
  const found = findEntry(object, key);
  if (found !== undefined) {
    const written = indented(value, indentAt(text, found.keyAt), style);
    return text.slice(0, found.valueAt) + written + text.slice(found.valueEnd);
  }
  const last = object.entries.at(-1);
  if (last === undefined) return fillEmpty(text, object, key, value, style);
  return append(text, object, last, key, value, style);
}

function removeEntry(text: string, object: ObjectSpan, index: number): string {
  const [entry, previous] = [object.entries[index], object.entries[index - 1]];
  if (entry === undefined) return text;
  const afterValue = skipBlank(text, entry.valueEnd);
  const hasComma = text[afterValue] === ',';
  const valueEnd = hasComma ? afterValue + 1 : entry.valueEnd;
  const isLast = object.entries.at(-1) === entry;
  const { from, to } = removed(text, entry.keyAt, valueEnd, isLast);
  const isAlone = object.entries.length === 1;
  if (isAlone && (text.slice(object.start + 1, from) + text.slice(to, object.end)).trim() === '')
    return `${text.slice(0, object.start)}{}${text.slice(object.end + 1)}`;
  // The comma before the last entry exists because of that entry.
  const comma = hasComma || !isLast || previous === undefined ? undefined : skipBlank(text, previous.valueEnd);
  const head = comma === undefined ? text.slice(0, from) : text.slice(0, comma) + text.slice(comma + 1, from);
  return head + text.slice(to);
}

/** The range removed with an entry: the whole lines it has to itself, else the whitespace on one side. */
function removed(text: string, keyAt: number, valueEnd: number, isLast: boolean): { from: number; to: number } {
  const lineStart = blankBefore(text, keyAt);
  const startsItsLine = text[lineStart - 1] === '\n';
  const blankStart = startsItsLine ? lineStart - (text[lineStart - 2] === '\r' ? 2 : 1) : lineStart;
  const endsItsLine = /[ \t]*\r?\n/y;
  endsItsLine.lastIndex = valueEnd;
  const isAtLineEnd = endsItsLine.test(text);
  // The line break before it may end a comment, so it is removed only where another one follows.
  if (startsItsLine ? isAtLineEnd : isAtLineEnd || isLast) return { from: blankStart, to: valueEnd };
  return { from: keyAt, to: valueEnd + (/^[ \t]*/.exec(text.slice(valueEnd))?.[0].length ?? 0) };
}

/** Where the whitespace before `at` on its line begins. Not by a pattern, which would retry from every space. */
function blankBefore(text: string, at: number): number {
  let start = at;
  while (text[start - 1] === ' ' || text[start - 1] === '\t') start -= 1;
  return start;
}

interface Style {
  readonly lineEnd: string;
  readonly unit: string;
}

function styleOf(text: string): Style {
  const [, unit = '  '] = /\n([ \t]+)\S/.exec(text) ?? [];
  return { lineEnd: text.includes('\r\n') ? '\r\n' : '\n', unit: unit.startsWith('\t') ? '\t' : unit };
}

function indented(value: unknown, indent: string, { lineEnd, unit }: Style): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', lineEnd + indent);
}

/** The indentation of the line that holds `at`. */
function indentAt(text: string, at: number): string {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, at))?.[0] ?? '';
}

function fillEmpty(text: string, { start, end }: ObjectSpan, key: string, value: unknown, style: Style): string {
  const outerIndent = indentAt(text, start);
  const indent = outerIndent + style.unit;
  const entry = `${style.lineEnd}${indent}${JSON.stringify(key)}: ${indented(value, indent, style)}`;
  const between = text.slice(start + 1, end);
  // Comments in an otherwise empty object stay, below the new entry.
  const rest = between.trim() === '' ? style.lineEnd + outerIndent : between;
  return text.slice(0, start + 1) + entry + rest + text.slice(end);
}

function append(text: string, object: ObjectSpan, last: Entry, key: string, value: unknown, style: Style): string {
  const afterValue = skipBlank(text, last.valueEnd);
  const hasComma = text[afterValue] === ',';
  const head = hasComma ? text.slice(0, afterValue + 1) : `${text.slice(0, last.valueEnd)},`;
  const rest = text.slice(hasComma ? afterValue + 1 : last.valueEnd);
  const isOneLine = !text.slice(object.start, last.valueEnd).includes('\n');
  if (isOneLine) return `${head} ${JSON.stringify(key)}: ${JSON.stringify(value)}${hasComma ? ',' : ''}${rest}`;
  const indent = indentAt(text, last.keyAt);
  const entry = `${style.lineEnd}${indent}${JSON.stringify(key)}: ${indented(value, indent, style)}${hasComma ? ',' : ''}`;
  // A comment after the last value on the same line belongs to that value.
  const remark = /^[ \t]*(?:\/\/[^\r\n]*|\/\*(?:(?!\*\/)[^\n])*\*\/[ \t]*(?=\r?\n))/.exec(rest)?.[0] ?? '';
  return head + remark + entry + rest.slice(remark.length);
}

/** The entries of the object whose brace is at `start`, in a valid text. */
function objectAt(text: string, start: number): ObjectSpan {
  const entries: Entry[] = [];
  let at = skipBlank(text, start + 1);
  while (text[at] === '"') {
    const keyAt = at;
    at = stringEnd(text, at);
    const key = String(JSON.parse(text.slice(keyAt, at)));
    const valueAt = skipBlank(text, skipBlank(text, at) + 1);
    const valueEnd = endOfValue(text, valueAt);
    entries.push({ key, keyAt, valueAt, valueEnd });
    at = skipBlank(text, valueEnd);
    if (text[at] === ',') at = skipBlank(text, at + 1);
  }
  return { start, end: at, entries };
}

function endOfValue(text: string, start: number): number {
  let depth = 0;
  let at = start;
  do {
    const char = text[at] ?? '';
    if (char === '{' || char === '[') depth += 1;
    if (char === '}' || char === ']') depth -= 1;
    if (char === '"') at = stringEnd(text, at);
    else if (/[{}[\],:]/.test(char)) at += 1;
    else at += /^[^\s,:[\]{}"/]+/.exec(text.slice(at))?.[0].length ?? 1;
    if (depth > 0) at = skipBlank(text, at);
  } while (depth > 0 && at < text.length);
  return at;
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function skipBlank(text: string, start: number): number {
  const blank = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
  blank.lastIndex = start;
  blank.test(text);
  return Math.max(blank.lastIndex, start);
}
