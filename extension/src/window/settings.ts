import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve } from 'node:path';
import type { ProjectSettings, WindowProject } from '@devdb/shared/protocol/handshake';
import * as vscode from 'vscode';
import { oneOf, portProblem, projectSettingsOf } from './project-settings.ts';

const AGENTS = ['tools', 'mcp', 'off'] as const;

/** How the editor's own agent gets DevDB's tools. */
export type VscodeAgent = (typeof AGENTS)[number];

/** The window's folders that are on this machine's disk. */
export function openFolders(): readonly vscode.Uri[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri).filter(({ scheme }) => scheme === 'file');
}

/** The window's folders in which DevDB is on, each with its settings; the one named by `customBasePath` comes first. */
export function windowProjects(): WindowProject[] {
  const folders = openFolders();
  const base = basePath(folders);
  const wanted = folders.map((folder) => ({ root: folder.fsPath, folder }));
  const first = base === undefined ? [] : [{ root: base, folder: holderOf(base, folders) }];
  const projects = [...first, ...wanted]
    .filter(({ folder }) => folder !== undefined && isEnabled(folder))
    .map(({ root, folder }) => ({ root, settings: projectSettings(folder) }));
  return projects.filter(({ root }, index) => projects.findIndex((other) => other.root === root) === index);
}

/** Settings of the open folders that cannot be applied, in sentences. */
export function settingProblems(): string[] {
  return openFolders().flatMap(
    (folder) => portProblem(vscode.workspace.getConfiguration('Devdb', folder).get<unknown>('http.port')) ?? [],
  );
}

/** The Node the user chose for the sidecar; undefined means the editor's own. */
export function chosenNodePath(): string | undefined {
  const path = textSetting('sidecar.nodePath');
  return path === '' ? undefined : path;
}

/** Whether the log has every call, not only what went wrong. */
export function isLogging(): boolean {
  return vscode.workspace.getConfiguration('Devdb').get<unknown>('enableLogging') !== false;
}

/** Whether the statements that a person runs are kept. */
export function keepsHistory(): boolean {
  return vscode.workspace.getConfiguration('Devdb').get<unknown>('query.history') !== false;
}

/** The value of the setting `Devdb.vscodeAgent`. */
export function vscodeAgent(): VscodeAgent {
  return oneOf(AGENTS, vscode.workspace.getConfiguration('Devdb').get<unknown>('vscodeAgent')) ?? 'tools';
}

function isEnabled(folder: vscode.Uri): boolean {
  return vscode.workspace.getConfiguration('Devdb', folder).get<unknown>('enableMcpServer') !== false;
}

/** The folder that replaces the first one, if it exists. */
function basePath(folders: readonly vscode.Uri[]): string | undefined {
  const [first] = folders;
  // In an untrusted workspace the editor returns the default; the user's own value is not meant for such a place
  // either.
  if (first === undefined || !vscode.workspace.isTrusted) return undefined;
  const given = textSetting('customBasePath', first);
  if (given === '') return undefined;
  const path = /^~(?=$|[\\/])/.test(given) ? join(homedir(), given.slice(1)) : resolve(first.fsPath, given);
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? path : undefined;
}

/** The folder whose settings apply to a path: the innermost that contains it, else the first. */
function holderOf(path: string, folders: readonly vscode.Uri[]): vscode.Uri | undefined {
  const holders = folders.filter((folder) => contains(folder.fsPath, path));
  return holders.sort((one, other) => other.fsPath.length - one.fsPath.length)[0] ?? folders[0];
}

function contains(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!/^\.\.($|[\\/])/.test(way) && !isAbsolute(way));
}

function projectSettings(folder: vscode.Uri | undefined): ProjectSettings {
  const config = vscode.workspace.getConfiguration('Devdb', folder);
  return projectSettingsOf((name) => config.get<unknown>(name), vscode.workspace.isTrusted);
}

/** A setting's text; any other type counts as not set. */
function textSetting(name: string, folder?: vscode.Uri): string {
  const value = vscode.workspace.getConfiguration('Devdb', folder).get<unknown>(name);
  return typeof value === 'string' ? value.trim() : '';
}
