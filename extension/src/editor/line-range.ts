import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';

/** A line from its first character on, or the whole file. */
export function rangeOfLine(document: vscode.TextDocument, line: number | undefined): vscode.Range {
  if (line === undefined) return document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
  if (line > document.lineCount) {
    throw new AppError('E_INVALID_PARAMS', `line: the file has ${document.lineCount} lines.`, {
      hint: 'Lines count from 1.',
      details: { fields: ['line'], applied: false },
    });
  }
  const { range, firstNonWhitespaceCharacterIndex } = document.lineAt(line - 1);
  return new vscode.Range(line - 1, firstNonWhitespaceCharacterIndex, line - 1, range.end.character);
}
