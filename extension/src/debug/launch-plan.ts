import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';
import { inEditor } from '../editor/folders.ts';
import { sourceFile } from './breakpoints.ts';
import { configurationFor, mustBeInstalled } from './launchers.ts';

/** A configuration as launch.json has it. */
interface RawConfiguration {
  readonly [name: string]: unknown;
  readonly type: string;
  readonly request: 'launch' | 'attach';
}

/** What is to be started: exactly one of the three. */
export interface LaunchInput {
  readonly launch?: string | undefined;
  readonly config?: RawConfiguration | undefined;
  readonly program?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly folder?: string | undefined;
}

/** How the editor is asked for it. */
export interface LaunchPlan {
  readonly folder: vscode.WorkspaceFolder | undefined;
  readonly what: string | vscode.DebugConfiguration;
  /** The names that the sessions of this start will have. */
  readonly names: ReadonlySet<string>;
  /** A task runs before: where it fails, the editor would ask. */
  readonly hasTask: boolean;
}

interface Named {
  readonly name: string;
  readonly type?: unknown;
  readonly preLaunchTask?: unknown;
}

interface Compound extends Named {
  readonly configurations: readonly string[];
}

export async function launchPlan(root: string, input: LaunchInput): Promise<LaunchPlan> {
  const folder = folderOf(root, input.folder);
  if (input.launch !== undefined) return namedPlan(folder, input.launch);
  const config = await configurationOf(root, input);
  mustBeInstalled(config.type);
  return { folder, what: config, names: new Set([config.name]), hasTask: config['preLaunchTask'] !== undefined };
}

/** The project's own folder of the window, or another one of it by name. */
function folderOf(root: string, name: string | undefined): vscode.WorkspaceFolder | undefined {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (name !== undefined) {
    const found = folders.find((folder) => folder.name === name);
    if (found !== undefined && found.uri.fsPath === inEditor(root).path) return found;
    throw new AppError('E_NOT_FOUND', `The folder "${name}" is not this project's.`, {
      hint: 'Leave folder out, and name the project of the other folder as projectRoot.',
    });
  }
  return folders.find(({ uri }) => uri.fsPath === inEditor(root).path);
}

async function configurationOf(
  root: string,
  { config, program, args = [] }: LaunchInput,
): Promise<vscode.DebugConfiguration> {
  if (config === undefined) return configurationFor(sourceFile(root, program ?? ''), args);
  const { name, type, request } = config;
  return { ...config, name: typeof name === 'string' && name !== '' ? name : `${type} ${request}` };
}

function namedPlan(folder: vscode.WorkspaceFolder | undefined, name: string): LaunchPlan {
  const launch = vscode.workspace.getConfiguration('launch', folder?.uri ?? null);
  const configurations = namedOf(launch.get('configurations'));
  const compounds = namedOf(launch.get('compounds')).map(compoundOf);
  const single = configurations.find((one) => one.name === name);
  const compound = compounds.find((one) => one.name === name);
  if (single === undefined && compound === undefined) {
    const known = [...configurations, ...compounds].map((one) => one.name);
    throw new AppError('E_NOT_FOUND', `launch.json has no configuration "${name}".`, {
      hint: known.length === 0 ? 'It has none: pass program or config instead.' : `It has: ${known.join(', ')}.`,
      details: { launch: known },
    });
  }
  const parts =
    compound === undefined ? [] : configurations.filter((one) => compound.configurations.includes(one.name));
  for (const { type } of single === undefined ? parts : [single, ...parts]) mustBeInstalled(String(type));
  const names = new Set([name, ...(compound?.configurations ?? [])]);
  const tasks = [single, compound, ...parts].map((one) => one?.preLaunchTask);
  return { folder, what: name, names, hasTask: tasks.some((task) => task !== undefined) };
}

function namedOf(list: unknown): Named[] {
  if (!Array.isArray(list)) return [];
  return list.filter((one: unknown): one is Named => typeof Object(one).name === 'string');
}

function compoundOf(one: Named): Compound {
  const { configurations } = Object(one);
  const list: unknown[] = Array.isArray(configurations) ? configurations : [];
  return { ...one, configurations: list.map((part) => (typeof part === 'string' ? part : String(Object(part).name))) };
}
