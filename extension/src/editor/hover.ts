import type * as vscode from 'vscode';
import { asked } from './waiting.ts';

/** What the editor shows of a place when the mouse rests on it, as text. */
export async function hoverText(
  { uri }: vscode.TextDocument,
  position: vscode.Position,
  signal: AbortSignal,
): Promise<string> {
  const found = (await asked<readonly vscode.Hover[]>(signal, 'vscode.executeHoverProvider', uri, position)) ?? [];
  const texts = found.flatMap(({ contents }) => contents.map(textOf));
  return [...new Set(texts.map(withoutFences).filter((text) => text !== ''))].join('\n\n');
}

function textOf(content: vscode.MarkdownString | vscode.MarkedString): string {
  return typeof content === 'string' ? content : content.value;
}

/** Of Markdown only the lines that say something. */
function withoutFences(text: string): string {
  const lines = text.split('\n').filter((line) => !/^\s*(```|~~~)/.test(line));
  return lines.join('\n').trim();
}
