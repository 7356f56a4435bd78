import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';

export type Scope = 'workspace' | 'user';

/** What a setting's value is like by its name: whoever asks for it could use it elsewhere. */
const CREDENTIAL =
  /token|secret|password|passwd|passphrase|credential|api[-_]?key|private[-_]?key|\bauth(orization)?$/i;

/** The value of a setting: as it holds for the project, or as the user set it for all of them. */
export function readSetting(root: string, key: string, scope: Scope): unknown {
  if (CREDENTIAL.test(key)) throw isCredential(key);
  const config = vscode.workspace.getConfiguration(undefined, vscode.Uri.file(root));
  const found = config.inspect<unknown>(key);
  const levels = [found?.workspaceFolderValue, found?.workspaceValue, found?.globalValue, found?.defaultValue];
  if (levels.every((value) => value === undefined)) throw unknownSetting(key);
  const value = scope === 'user' ? (found?.globalValue ?? found?.defaultValue) : config.get<unknown>(key);
  return withoutCredentials(value ?? null);
}

/** Settings may hold objects, such as the environment of a terminal, in which single values are credentials. */
function withoutCredentials(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCredentials);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, CREDENTIAL.test(name) ? '[secret]' : withoutCredentials(inner)]),
  );
}

function isCredential(key: string): AppError {
  return new AppError('E_FORBIDDEN', `${key} may hold a credential, which is not given out.`, {
    hint: 'Ask the user what you need to know about it.',
  });
}

function unknownSetting(key: string): AppError {
  return new AppError('E_NOT_FOUND', `This editor has no setting ${key}.`, {
    hint: 'Use the full name as it stands in settings.json, e.g. editor.tabSize. An extension that brings it may be missing.',
  });
}
