import { isPlainLines, type PlainText } from '@devdb/shared/plain-text';

declare const editorMark: unique symbol;

/** Text that the editor shows as it stands: every icon, link and command in it is one of our own literals. */
export type EditorText = string & { readonly [editorMark]: true };

/** Words of ours, which may have icons, around what is plain. Others' text makes no icon and no link. */
export function editorText(literals: TemplateStringsArray, ...parts: readonly (PlainText | number)[]): EditorText {
  const shown = parts.map((part) => (typeof part === 'number' ? part : forEditor(part)));
  return sure(literals.reduce((text, literal, at) => `${text}${shown[at - 1] ?? ''}${literal}`));
}

/** Plain text for the editor. */
export function forEditor(text: PlainText): EditorText {
  return sure(inert(text));
}

/** Lines below each other. */
export function editorLines(lines: readonly EditorText[]): EditorText {
  return sure(lines.join('\n'));
}

/** The editor makes an icon of `$(name)`, in messages and prompts a link or command of `[text](target)`. */
function inert(text: string): string {
  return text.replaceAll('$(', '$ (').replaceAll('](', '] (');
}

function sure(text: string): EditorText {
  if (isForEditor(text)) return text;
  throw new Error(`Not for the editor: ${JSON.stringify(text)}`);
}

/** Icons are ours by then; links we write none. */
function isForEditor(text: string): text is EditorText {
  return isPlainLines(text) && !text.includes('](');
}
