import { createScanner, type Node, parseTree } from 'jsonc-parser';

/** The new text, or the line and the reason why the old one was left unchanged. */
export type Edit =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly line: number; readonly reason: string };

/** An object's entry or a list's item. */
interface Member {
  readonly key?: string;
  readonly value: unknown;
}

interface Style {
  readonly lineEnd: string;
  readonly unit: string;
}

/** A comment after a value on the same line belongs to that value. */
const REMARK = /[ \t]*(?:\/\/[^\r\n]*|\/\*(?:(?!\*\/)[^\n])*\*\/[ \t]*(?=\r?\n))/y;

// The package's own `modify` is not used: it puts a new entry between the last value and its comment, reformats what
// stands on the same line, and removes comments with an entry. Nodes are those of a text without mistakes.

/** Separates a byte order mark from the text. */
export function withoutMark(file: string): { readonly mark: string; readonly text: string } {
  const mark = file.startsWith('\ufeff') ? '\ufeff' : '';
  return { mark, text: file.slice(mark.length) };
}

/** The outermost value of a valid text. */
export function rootOf(text: string): Node | undefined {
  return parseTree(text, [], { allowTrailingComma: true });
}

/** The value of an object's key. When a key is repeated, the last one counts. */
export function memberValue(object: Node, key: string): Node | undefined {
  return object.children?.findLast(({ children }) => children?.[0]?.value === key)?.children?.[1];
}

/** Replaces the value of a key, indented like the key. */
export function replaceValue(text: string, node: Node, value: unknown): string {
  const written = json(value, indentAt(text, node.parent?.offset ?? node.offset), styleOf(text));
  return text.slice(0, node.offset) + written + text.slice(endOf(node));
}

/** Adds a last member to an object or a list. Every comment and space stays. */
export function append(text: string, container: Node, member: Member): string {
  const last = container.children?.at(-1);
  if (last === undefined) return fillEmpty(text, container, member);
  const comma = commaEnd(text, last);
  const end = comma ?? endOf(last);
  const head = text.slice(0, end) + (comma === undefined ? ',' : '');
  const closing = comma === undefined ? '' : ',';
  if (!text.slice(container.offset, endOf(last)).includes('\n'))
    return `${head} ${keyOf(member)}${JSON.stringify(member.value)}${closing}${text.slice(end)}`;
  const remark = end + remarkLength(text, end);
  return head + text.slice(end, remark) + onOwnLine(text, last.offset, member) + closing + text.slice(remark);
}

/** Removes a member and the comma it needed; its comment on the same line only with `withRemark`, and all others never. */
export function cut(text: string, container: Node, index: number, { withRemark = false } = {}): string {
  const { children: members = [] } = container;
  const [member, previous] = [members[index], members[index - 1]];
  if (member === undefined) return text;
  const comma = commaEnd(text, member);
  const end = comma ?? endOf(member);
  const isLast = index === members.length - 1;
  const { from, to } = removedRange(text, member.offset, end, isLast, withRemark);
  const [open, close] = [container.offset + 1, endOf(container) - 1];
  if (members.length === 1 && (text.slice(open, from) + text.slice(to, close)).trim() === '')
    return text.slice(0, open) + text.slice(close);
  // The comma before the last member exists because of that member.
  const orphan = comma === undefined && isLast && previous !== undefined ? commaEnd(text, previous) : undefined;
  const head = orphan === undefined ? text.slice(0, from) : text.slice(0, orphan - 1) + text.slice(orphan, from);
  return head + text.slice(to);
}

/** The whole lines that a member has to itself, else the member and the whitespace on one side. */
function removedRange(
  text: string,
  start: number,
  end: number,
  isLast: boolean,
  withRemark: boolean,
): { readonly from: number; readonly to: number } {
  const lineStart = blankBefore(text, start);
  const startsItsLine = text[lineStart - 1] === '\n';
  const from = startsItsLine ? lineStart - (text[lineStart - 2] === '\r' ? 2 : 1) : lineStart;
  const to = withRemark && startsItsLine ? end + remarkLength(text, end) : end;
  const isAtLineEnd = matchLength(/[ \t]*\r?\n/y, text, to) > 0;
  // The line break before it may end a comment, so it is removed only where another one follows.
  if (startsItsLine ? isAtLineEnd : isAtLineEnd || isLast) return { from, to };
  return { from: start, to: end + matchLength(/[ \t]*/y, text, end) };
}

/** Where the whitespace before `at` on its line begins. Not by a pattern, which would retry from every space. */
function blankBefore(text: string, at: number): number {
  let start = at;
  while (text[start - 1] === ' ' || text[start - 1] === '\t') start -= 1;
  return start;
}

function fillEmpty(text: string, container: Node, member: Member): string {
  const [open, close] = [container.offset + 1, endOf(container) - 1];
  const added = onOwnLine(text, container.offset, member, styleOf(text).unit);
  const between = text.slice(open, close);
  // Comments in an otherwise empty place stay, below the new member.
  const rest = between.trim() === '' ? styleOf(text).lineEnd + indentAt(text, container.offset) : between;
  return text.slice(0, open) + added + rest + text.slice(close);
}

/** A member on a new line, indented like the line of `at`. */
function onOwnLine(text: string, at: number, member: Member, deeper = ''): string {
  const style = styleOf(text);
  const indent = indentAt(text, at) + deeper;
  return style.lineEnd + indent + keyOf(member) + json(member.value, indent, style);
}

function keyOf({ key }: Member): string {
  return key === undefined ? '' : `${JSON.stringify(key)}: `;
}

function json(value: unknown, indent: string, { lineEnd, unit }: Style): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', lineEnd + indent);
}

function styleOf(text: string): Style {
  const [, unit = '  '] = /\n([ \t]+)\S/.exec(text) ?? [];
  return { lineEnd: text.includes('\r\n') ? '\r\n' : '\n', unit: unit.startsWith('\t') ? '\t' : unit };
}

/** The indentation of the line that holds `at`. */
function indentAt(text: string, at: number): string {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, at))?.[0] ?? '';
}

/** The end of the comma that follows a member, past comments. */
function commaEnd(text: string, member: Node): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(endOf(member));
  scanner.scan();
  return text[scanner.getTokenOffset()] === ',' ? scanner.getPosition() : undefined;
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function remarkLength(text: string, at: number): number {
  return matchLength(REMARK, text, at);
}

/** The length of what a sticky pattern matches at a position. */
function matchLength(sticky: RegExp, text: string, at: number): number {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0].length ?? 0;
}
