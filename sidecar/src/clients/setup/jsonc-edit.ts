import { readJsonc } from '../../detection/readers/jsonc.ts';
import { type Located, plain } from '../../detection/readers/located.ts';
import { append, cut, type Edit, memberValue, replaceValue, rootOf, withoutMark } from '../../host/jsonc-text.ts';

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
  const root = rootOf(text);
  const object = root && memberValue(root, group);
  const places = (object?.children ?? []).flatMap(({ children }, place) =>
    children?.[0]?.value === name ? [place] : [],
  );
  const [index, ...more] = places;
  if (object === undefined || index === undefined) return { ok: true, text: file };
  // Removing the last one would silently make another one effective.
  if (more.length > 0) return { ok: false, line: found.group?.line ?? 1, reason: `"${name}" occurs more than once` };
  return { ok: true, text: mark + cut(text, object, index) };
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

type Group =
  | { readonly ok: true; readonly group: Extract<Located, { kind: 'object' }> | undefined }
  | Extract<Edit, { ok: false }>;

function readGroup(text: string, group: string): Group {
  const { value: root, problems } = readJsonc(text);
  const [problem] = problems;
  if (problem !== undefined) return { ok: false, ...problem };
  if (root?.kind !== 'object') return { ok: false, line: 1, reason: 'not a JSON object' };
  const found = root.entries.get(group);
  if (found !== undefined && found.kind !== 'object')
    return { ok: false, line: found.line, reason: `"${group}" is not an object` };
  return { ok: true, group: found };
}

function setIn(text: string, group: string, name: string, value: unknown): string {
  const root = rootOf(text);
  if (root === undefined) return text;
  const object = memberValue(root, group);
  if (object === undefined) return append(text, root, { key: group, value: { [name]: value } });
  const entry = memberValue(object, name);
  return entry === undefined ? append(text, object, { key: name, value }) : replaceValue(text, entry, value);
}
