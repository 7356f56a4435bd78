import type * as vscode from 'vscode';

/** A range as tools with 0-based positions tell it. */
export function zeroBased({ start, end }: vscode.Range) {
  return { startLine: start.line, startCharacter: start.character, endLine: end.line, endCharacter: end.character };
}
