import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';
import { isCredentialName, withoutCredentials } from './credentials.ts';
import { inEditor } from './folders.ts';

export type Scope = 'workspace' | 'user';

/** The value of a setting: as it holds for the project, or as the user set it for all of them. */
export function readSetting(root: string, key: string, scope: Scope): unknown {
  const config = vscode.workspace.getConfiguration(undefined, vscode.Uri.file(inEditor(root).path));
  const found = config.inspect<unknown>(key);
  const value = scope === 'user' ? (found?.globalValue ?? found?.defaultValue) : config.get<unknown>(key);
  if (isCredentialName(key) && !isPlain(value)) throw isCredential(key);
  const levels = [found?.workspaceFolderValue, found?.workspaceValue, found?.globalValue, found?.defaultValue];
  if (levels.every((one) => one === undefined)) throw unknownSetting(key);
  return withoutCredentials(value ?? null);
}

/** Nobody can use a number or a switch elsewhere. */
function isPlain(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

function isCredential(key: string): AppError {
  return new AppError('E_FORBIDDEN', `${key} may hold a credential, which DevDB does not reveal.`, {
    hint: 'Ask the user what you need to know about it.',
  });
}

function unknownSetting(key: string): AppError {
  return new AppError('E_NOT_FOUND', `This editor has no setting ${key}.`, {
    hint: 'Use the full name as it stands in settings.json, e.g. editor.tabSize. The extension that defines it may be missing.',
  });
}
