import { lstatSync, type Stats } from 'node:fs';
import { AppError } from '@devdb/shared/errors';
import type { FinalReason } from '@devdb/shared/final-change';
import * as vscode from 'vscode';
import { openDocument } from './file-text.ts';
import type { Move } from './following-edits.ts';
import type { ProjectPath } from './paths.ts';
import { runsPrograms } from './program-files.ts';

/** Whether imports follow a moved file: the newer setting, and those it replaces. */
const UPDATE_IMPORTS = [
  'js/ts.updateImportsOnFileMove.enabled',
  'typescript.updateImportsOnFileMove.enabled',
  'javascript.updateImportsOnFileMove.enabled',
];
/** The same setting for other languages. Changed only where its value would ask. */
const UPDATES_ON_MOVE = /\.update\w+On(FileMove|Move|Rename)\.enabled$/;

/**
 * The editor saves what a refactoring changed, including the user's unsaved changes. We save only the rest ourselves.
 */
const SAVE_ALL = 'files.refactoring.autoSave';

/** The settings that let the editor rename without a question: `prompt`, a default, is a modal dialog. */
export function renameSettings(folder: string, updateImports: boolean): ReadonlyMap<string, unknown> {
  const config = vscode.workspace.getConfiguration(undefined, vscode.Uri.file(folder));
  const scripts = UPDATE_IMPORTS.filter((key) => config.inspect(key)?.defaultValue !== undefined);
  const asking = contributedSettings().filter((key) => UPDATES_ON_MOVE.test(key) && config.get(key) === 'prompt');
  const follow = updateImports ? 'always' : 'never';
  const keys = [...new Set([...scripts, ...asking])];
  return new Map<string, unknown>([[SAVE_ALL, false], ...keys.map((key) => [key, follow] as const)]);
}

/** Refuses what cannot be renamed, before anything is changed. */
export function checkRename(from: ProjectPath, to: ProjectPath, overwrite: boolean): void {
  const source = statusOf(from.absolute);
  if (source === undefined) {
    throw new AppError('E_FILE_NOT_FOUND', `${from.relative} does not exist.`, {
      hint: 'Paths are relative to the project root.',
    });
  }
  const target = statusOf(to.absolute);
  if (target === undefined || isOtherSpelling(from, source, to, target)) return;
  if (from.absolute === to.absolute) throw exists(`${to.relative} already has this name.`, 'Choose another name.');
  if (target.isDirectory())
    throw exists(`${to.relative} is a folder.`, 'A folder is not replaced: choose another name.');
  if (!overwrite)
    throw exists(`${to.relative} already exists.`, 'Choose another name, or pass overwrite: true to replace it.');
}

/** Why the user has to agree first, although nothing of it stands in the paths' own question. */
export function reasonsAgainst(from: ProjectPath, to: ProjectPath): FinalReason[] {
  return [
    ...(openDocument(to)?.isDirty ? (['unsaved'] as const) : []),
    ...([from, to].some(({ relative }) => runsPrograms(relative)) ? (['runs-code'] as const) : []),
  ];
}

/** Renames in one step that the editor can undo. */
export async function applyRename({ from, to }: Move, overwrite: boolean): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(vscode.Uri.file(from), vscode.Uri.file(to), { overwrite });
  if (await vscode.workspace.applyEdit(edit, { isRefactoring: true })) return;
  throw new AppError('E_EDIT_FAILED', 'The editor refused the rename.', {
    hint: 'An extension may have refused it, the file may be read-only, or a part of the new path is a file.',
    details: { applied: isThere(to) && !isThere(from) },
  });
}

function contributedSettings(): string[] {
  return vscode.extensions.all.flatMap(({ packageJSON }) => {
    const configuration: unknown = packageJSON?.contributes?.configuration;
    const parts: unknown[] = Array.isArray(configuration) ? configuration : [configuration];
    return parts.flatMap((part) => {
      const has = typeof part === 'object' && part !== null && 'properties' in part;
      return has ? Object.keys(Object(part.properties)) : [];
    });
  });
}

function isThere(path: string): boolean {
  return statusOf(path) !== undefined;
}

function statusOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // Below a file, or a name no file can have.
    return undefined;
  }
}

/** On a disk that ignores case, another spelling of the name is the same file. */
function isOtherSpelling(from: ProjectPath, source: Stats, to: ProjectPath, target: Stats): boolean {
  const isSame = target.ino === source.ino && target.dev === source.dev;
  const plain = (path: string) => path.normalize('NFC').toLowerCase();
  return isSame && from.absolute !== to.absolute && plain(from.absolute) === plain(to.absolute);
}

function exists(message: string, hint: string): AppError {
  return new AppError('E_ALREADY_EXISTS', message, { hint });
}
