import { isCredentialName, withoutCredentials } from '@devdb/shared/credentials';
import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';
import { inEditor } from './folders.ts';
import { isRefused } from './refused-settings.ts';

export type Scope = 'workspace' | 'user';

/** The value of a setting: as it applies to the project, or as the user set it for all projects. */
export function readSetting(root: string, key: string, scope: Scope): unknown {
  const config = vscode.workspace.getConfiguration(undefined, vscode.Uri.file(inEditor(root).path));
  const found = config.inspect<unknown>(key);
  const value = scope === 'user' ? (found?.globalValue ?? found?.defaultValue) : config.get<unknown>(key);
  if (isCredentialName(key) && !isPlain(value)) throw isCredential(key);
  const levels = [found?.workspaceFolderValue, found?.workspaceValue, found?.globalValue, found?.defaultValue];
  if (levels.every((one) => one === undefined)) throw unknownSetting(key);
  return withoutCredentials(value ?? null);
}

/** Refuses what only the user may change, and what the editor does not know. */
export function checkSetting(root: string, key: string): void {
  if (isRefused(key) || isGuarded(key)) {
    throw new AppError('E_FORBIDDEN', `${key} is not changed by agents: it governs safety, or what is run.`, {
      hint: 'Tell the user which value you would like and why; they can set it themselves.',
      details: { applied: false },
    });
  }
  const found = configOf(root).inspect<unknown>(key);
  const levels = [found?.workspaceFolderValue, found?.workspaceValue, found?.globalValue, found?.defaultValue];
  if (!isContributed(key) && levels.every((one) => one === undefined)) throw unknownSetting(key);
}

/** Changes a setting; undefined removes what is set at this level. */
export async function writeSetting(root: string, key: string, value: unknown, scope: Scope): Promise<void> {
  const isOneOfMany = (vscode.workspace.workspaceFolders ?? []).length > 1;
  const { Global, Workspace, WorkspaceFolder } = vscode.ConfigurationTarget;
  const target = scope === 'user' ? Global : isOneOfMany ? WorkspaceFolder : Workspace;
  try {
    await configOf(root).update(key, value, target);
  } catch (error) {
    throw new AppError('E_EDIT_FAILED', error instanceof Error ? error.message : 'The setting was not changed.', {
      hint: 'The key may only hold for all projects (scope user), or settings.json may have unsaved text or an error in it.',
      cause: error,
    });
  }
}

function configOf(root: string): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration(undefined, vscode.Uri.file(inEditor(root).path));
}

interface Contributed {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly restricted: readonly unknown[];
}

/** What the manifests of the extensions say of settings. */
function contributed(): readonly Contributed[] {
  return vscode.extensions.all.map(({ packageJSON }) => {
    const { contributes, capabilities } = Object(packageJSON);
    const configuration: unknown = Object(contributes).configuration;
    const parts: readonly unknown[] = Array.isArray(configuration) ? configuration : [configuration];
    const restricted: unknown = Object(Object(capabilities).untrustedWorkspaces).restrictedConfigurations;
    return {
      properties: Object.assign({}, ...parts.map((part) => Object(Object(part).properties))),
      restricted: Array.isArray(restricted) ? restricted : [],
    };
  });
}

/** A workspace may not set it, or not before it is trusted: an agent may not either. */
function isGuarded(key: string): boolean {
  return contributed().some(({ properties, restricted }) => {
    const scope: unknown = Object(properties[key]).scope;
    return restricted.includes(key) || (typeof scope === 'string' && /^(machine|application)/.test(scope));
  });
}

function isContributed(key: string): boolean {
  return contributed().some(({ properties }) => Object.hasOwn(properties, key));
}

/** A number or a boolean is of no use elsewhere. */
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
    hint: 'Use the full name as in settings.json, e.g. editor.tabSize. The extension that defines it may be missing.',
  });
}
