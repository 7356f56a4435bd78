import { listIn, readDevdbrc } from '../detection/detectors/devdbrc.ts';
import { readJsonc } from '../detection/readers/jsonc.ts';
import { plain } from '../detection/readers/located.ts';
import { append, cut, type Edit, memberValue, rootOf, withoutMark } from '../host/jsonc-text.ts';

type Entry = Readonly<Record<string, unknown>>;

/** Appends a connection to the list. Comments and everything else stay as they are. */
export function addEntry(file: string, entry: Entry): Edit {
  const { mark, text } = withoutMark(file);
  if (text.trim() === '') return { ok: true, text: `${mark}${JSON.stringify([entry], null, 2)}\n` };
  const before = itemsOf(text);
  if (!before.ok) return before;
  const list = jsonList(text);
  const edited = list === undefined ? addToYaml(text, entry) : append(text, list, { value: entry });
  return checked(mark, edited, [...before.items, entry]);
}

/** Removes the connection that begins on this line. */
export function removeEntry(file: string, line: number): Edit {
  const { mark, text } = withoutMark(file);
  const before = itemsOf(text);
  if (!before.ok) return before;
  const index = before.lines.indexOf(line);
  if (index < 0) return { ok: false, line, reason: 'the connection is no longer there' };
  const list = jsonList(text);
  if (before.lines.lastIndexOf(line) !== index || list === undefined)
    return { ok: false, line, reason: 'it can only be removed by hand' };
  return checked(mark, cut(text, list, index, { withRemark: true }), before.items.toSpliced(index, 1));
}

type Items =
  | { readonly ok: true; readonly items: readonly unknown[]; readonly lines: readonly number[] }
  | { readonly ok: false; readonly line: number; readonly reason: string };

function itemsOf(text: string): Items {
  const { value: written, problems } = readDevdbrc(text);
  const value = listIn(written);
  const [problem] = problems;
  if (problem !== undefined) return { ok: false, ...problem };
  if (value?.kind !== 'array') {
    return { ok: false, line: value?.line ?? 1, reason: 'it is not a list of connections' };
  }
  return { ok: true, items: value.items.map(plain), lines: value.items.map((item) => item.line) };
}

/** Refuses an edit that would change anything else. */
function checked(mark: string, text: string, wanted: readonly unknown[]): Edit {
  const after = itemsOf(text);
  if (after.ok && JSON.stringify(after.items) === JSON.stringify(wanted)) return { ok: true, text: mark + text };
  return { ok: false, line: 1, reason: 'its formatting only allows editing by hand' };
}

/** The text's list, if it is JSON rather than YAML. */
function jsonList(text: string): ReturnType<typeof rootOf> {
  const { value, problems } = readJsonc(text);
  if (problems.length > 0 || listIn(value)?.kind !== 'array') return undefined;
  const root = rootOf(text);
  return root?.type === 'object' ? memberValue(root, 'connections') : root;
}

/** JSON is also YAML, so an entry fits on one line whatever its values are. */
function addToYaml(text: string, entry: Entry): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const indent = /^([ \t]*)-(?=\s)/m.exec(text)?.[1] ?? '';
  const body = text.endsWith('\n') ? text : text + lineEnd;
  return `${body}${indent}- ${JSON.stringify(entry)}${lineEnd}`;
}
