import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve } from 'node:path';
import type { ProjectSettings, WindowProject } from '@devdb/shared/protocol/handshake';
import * as vscode from 'vscode';
import { oneOf, portProblem, projectSettingsOf } from './project-settings.ts';

const AGENTS = ['tools', 'mcp', 'off'] as const;

/** How the editor's own agent gets DevDB's tools. */
export type VscodeAgent = (typeof AGENTS)[number];

/** The folders of the window that lie on this machine's disk. */
export function openFolders(): readonly vscode.Uri[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri).filter(({ scheme }) => scheme === 'file');
}

/** The window's folders in which DevDB is on, each with its settings; the one that `customBasePath` names comes first. */
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

/** What stands in the settings of the open folders and cannot be heeded, in sentences. */
export function settingProblems(): string[] {
  return openFolders().flatMap(
    (folder) => portProblem(vscode.workspace.getConfiguration('Devdb', folder).get<unknown>('http.port')) ?? [],
  );
}

/** The Node the user chose for the sidecar; undefined is the editor's own. */
export function chosenNodePath(): string | undefined {
  const path = textSetting('sidecar.nodePath');
  return path === '' ? undefined : path;
}

/** Whether the log has every call, not only what went wrong. */
export function isLogging(): boolean {
  return vscode.workspace.getConfiguration('Devdb').get<unknown>('enableLogging') !== false;
}

/** What the setting `Devdb.vscodeAgent` says. */
export function vscodeAgent(): VscodeAgent {
  return oneOf(AGENTS, vscode.workspace.getConfiguration('Devdb').get<unknown>('vscodeAgent')) ?? 'tools';
}

function isEnabled(folder: vscode.Uri): boolean {
  return vscode.workspace.getConfiguration('Devdb', folder).get<unknown>('enableMcpServer') !== false;
}

/** The folder that takes the first one's place, where it exists. */
function basePath(folders: readonly vscode.Uri[]): string | undefined {
  const [first] = folders;
  // The editor answers an untrusted workspace's value with the default; what the user set is not for that place either.
  if (first === undefined || !vscode.workspace.isTrusted) return undefined;
  const given = textSetting('customBasePath', first);
  if (given === '') return undefined;
  const path = /^~(?=$|[\\/])/.test(given) ? join(homedir(), given.slice(1)) : resolve(first.fsPath, given);
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? path : undefined;
}

/** The folder whose settings hold for a path: the innermost that contains it, else the first. */
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

/** The text of a setting; what is none counts as not set. */
function textSetting(name: string, folder?: vscode.Uri): string {
  const value = vscode.workspace.getConfiguration('Devdb', folder).get<unknown>(name);
  return typeof value === 'string' ? value.trim() : '';
}
