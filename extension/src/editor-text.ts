import { isPlainLines, type PlainText } from '@devdb/shared/plain-text';

declare const editorMark: unique symbol;

/** Text that is safe to show in the editor: every icon, link and command in it is one of our own literals. */
export type EditorText = string & { readonly [editorMark]: true };

/** Our own words, which may have icons, around plain parts. Untrusted text cannot form an icon or link. */
export function editorText(literals: TemplateStringsArray, ...parts: readonly (PlainText | number)[]): EditorText {
  const shown = parts.map((part) => (typeof part === 'number' ? part : forEditor(part)));
  return sure(literals.reduce((text, literal, at) => `${text}${shown[at - 1] ?? ''}${literal}`));
}

/** Plain text made safe for the editor. */
export function forEditor(text: PlainText): EditorText {
  return sure(inert(text));
}

/** Several lines. */
export function editorLines(lines: readonly EditorText[]): EditorText {
  return sure(lines.join('\n'));
}

/** The editor turns `$(name)` into an icon, and in messages and prompts `[text](target)` into a link or command. */
function inert(text: string): string {
  return text.replaceAll('$(', '$ (').replaceAll('](', '] (');
}

function sure(text: string): EditorText {
  if (isForEditor(text)) return text;
  throw new Error(`Not for the editor: ${JSON.stringify(text)}`);
}

/** Any icons left are ours; we write no links. */
function isForEditor(text: string): text is EditorText {
  return isPlainLines(text) && !text.includes('](');
}
