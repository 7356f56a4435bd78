import { withoutVoid } from '@devdb/shared/plain-sight';
import { nameText, withUnseenShown } from '@devdb/shared/plain-text';
import type { ToolFacts } from '@devdb/shared/tools/tool-facts';
import { type EditorText, editorText, forEditor } from '../editor-text.ts';

const SHOWN_CHARS = 4_000;

/** The editor's question before a tool that is not read-only; the message is Markdown. */
export interface Confirmation {
  readonly title: EditorText;
  readonly message: string;
}

/** The question for a tool with this input; undefined for a read-only tool. */
export function confirmationFor(
  { title, readOnly, beforeRun }: Pick<ToolFacts, 'title' | 'readOnly' | 'beforeRun'>,
  input: unknown,
): Confirmation | undefined {
  if (readOnly) return undefined;
  const given = Object.entries(Object(input)).filter(([, value]) => value !== undefined);
  const parts = given.map(([name, value]) => `${forEditor(nameText(name))}:\n\n${fenced(textOf(value))}`);
  // A dialog shows Markdown as plain text, where only the first line stands out.
  return {
    title: editorText`DevDB: ${nameText(title)}?`,
    message: [...(beforeRun === undefined ? [] : [beforeRun]), ...parts].join('\n\n'),
  };
}

function textOf(value: unknown): string {
  const given = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? String(value));
  const text = withUnseenShown(withoutVoid(given), (number) => `[${number}]`);
  if (text.length <= SHOWN_CHARS) return text;
  const half = SHOWN_CHARS / 2;
  return `${text.slice(0, half)}\n[... ${text.length - SHOWN_CHARS} characters are not shown ...]\n${text.slice(-half)}`;
}

/** A code block that no text inside can end. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
