import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';
import { type Applying, applyAction, checkAction, codeActionsAt, namePosition } from './code-actions.ts';
import { renameEdit } from './rename-symbol.ts';
import { applyEdit, type Saved, Saving } from './text-edits.ts';
import { asked } from './waiting.ts';

const KINDS = { extract_function: 'refactor.extract.function', extract_variable: 'refactor.extract.constant' } as const;
type Extraction = keyof typeof KINDS;
/** Expressions around a place that are tried, from the smallest on. */
const MAX_RANGES = 12;
const MAX_SCOPES = 20;

/** What is extracted, 0-based. Without an end it is the smallest code at the place that can be. */
export interface Extent {
  readonly line: number;
  readonly character: number;
  readonly endLine: number;
  readonly endCharacter: number | undefined;
}

/** The offered extraction, worked out. */
export async function extractionAt(
  root: string,
  document: vscode.TextDocument,
  what: Extraction,
  extent: Extent,
  applying: Applying,
): Promise<vscode.CodeAction> {
  const { signal } = applying;
  if (extent.line >= document.lineCount) {
    throw new AppError('E_SYMBOL_NOT_FOUND', `The file has ${document.lineCount} lines.`, {
      hint: 'Lines count from 0.',
      details: { applied: false },
    });
  }
  for (const range of await rangesAt(document, extent, signal)) {
    const offered = await codeActionsAt(document, range, KINDS[what], signal, MAX_SCOPES);
    // They come from the innermost scope on: a variable goes where it is used, a function out of the others.
    const action = what === 'extract_function' ? offered.at(-1) : offered[0];
    if (action === undefined) continue;
    await checkAction(root, action, applying);
    return action;
  }
  throw new AppError('E_NOT_FOUND', `The editor offers no ${what.replace('_', ' ')} there.`, {
    hint: 'Name a whole expression or whole statements, with options.endLine and options.endCharacter.',
    details: { applied: false },
  });
}

async function rangesAt(
  document: vscode.TextDocument,
  { line, character, endLine, endCharacter }: Extent,
  signal: AbortSignal,
): Promise<readonly vscode.Range[]> {
  const start = document.validatePosition(new vscode.Position(line, character));
  if (endCharacter !== undefined) return [new vscode.Range(start, new vscode.Position(endLine, endCharacter))];
  if (endLine > line)
    return [new vscode.Range(start, document.lineAt(Math.min(endLine, document.lineCount - 1)).range.end)];
  const command = 'vscode.executeSelectionRangeProvider';
  const [found] = (await asked<readonly vscode.SelectionRange[]>(signal, command, document.uri, [start])) ?? [];
  const ranges: vscode.Range[] = [];
  for (let at = found; at !== undefined && ranges.length < MAX_RANGES; at = at.parent) ranges.push(at.range);
  return ranges.filter(({ isEmpty }) => !isEmpty);
}

/** Extracts, gives what is new its name, and saves. */
export async function makeExtraction(
  root: string,
  document: vscode.TextDocument,
  action: vscode.CodeAction,
  newName: string | undefined,
  signal: AbortSignal,
): Promise<Saved & { readonly name: string }> {
  const saving = new Saving();
  const changed = new Set(await applyAction(action));
  const position = namePosition(action);
  const word = position && document.getWordRangeAtPosition(position);
  let name = word === undefined ? '' : document.getText(word);
  if (newName !== undefined && position !== undefined && newName !== name) {
    await applyEdit(await renameEdit({ uri: document.uri, position, name, document }, newName, signal));
    name = newName;
  }
  return { ...(await saving.save(root, changed)), name };
}
