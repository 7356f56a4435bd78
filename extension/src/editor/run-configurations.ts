import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';
import { inEditor } from './folders.ts';

/** Something that can be started by its name. */
export interface RunConfiguration {
  readonly name: string;
  readonly start: () => Promise<void>;
}

/** The launch configurations, compounds, tasks and scripts of the project, in this order. */
export async function runConfigurations(root: string): Promise<readonly RunConfiguration[]> {
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(inEditor(root).path));
  const launches = launchesOf(folder);
  // Asked for tasks, the editor asks its user to trust the workspace first.
  const tasks = vscode.workspace.isTrusted ? await tasksOf(folder) : [];
  return withOwnNames([...launches, ...tasks]);
}

/** Two of one name could not be told apart: the later ones get a number. */
export function withOwnNames<Named extends { readonly name: string }>(all: readonly Named[]): readonly Named[] {
  const taken = new Set<string>();
  return all.map((one) => {
    let name = one.name;
    for (let at = 2; taken.has(name); at += 1) name = `${one.name} (${at})`;
    taken.add(name);
    return { ...one, name };
  });
}

function launchesOf(folder: vscode.WorkspaceFolder | undefined): RunConfiguration[] {
  const config = vscode.workspace.getConfiguration('launch', folder?.uri);
  return ['configurations', 'compounds'].flatMap((list) => {
    const found = config.inspect<unknown>(list);
    const ofFolder = namesIn(found?.workspaceFolderValue);
    // With one folder open its launch.json is the workspace's.
    const ofWorkspace = namesIn(found?.workspaceValue).filter((name) => !ofFolder.includes(name));
    const ofUser = namesIn(found?.globalValue).filter(
      (name) => !ofFolder.includes(name) && !ofWorkspace.includes(name),
    );
    const isSingle = vscode.workspace.workspaceFile === undefined;
    return [
      ...ofFolder.map((name) => launch(name, folder)),
      ...ofWorkspace.map((name) => launch(name, isSingle ? folder : undefined)),
      ...ofUser.map((name) => launch(name, folder)),
    ];
  });
}

function namesIn(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: unknown) => {
    const isShown = typeof one === 'object' && one !== null && 'name' in one && typeof one.name === 'string';
    return isShown ? [String(one.name)] : [];
  });
}

function launch(name: string, folder: vscode.WorkspaceFolder | undefined): RunConfiguration {
  return {
    name,
    start: async () => {
      if (await vscode.debug.startDebugging(folder, name)) return;
      throw launchFailed('The debugger did not start it.');
    },
  };
}

async function tasksOf(folder: vscode.WorkspaceFolder | undefined): Promise<RunConfiguration[]> {
  const tasks = await vscode.tasks.fetchTasks();
  return tasks
    .filter(({ scope }) => belongsTo(scope, folder))
    .map((task) => ({
      name: titleOf(task),
      start: async () => {
        try {
          await vscode.tasks.executeTask(task);
        } catch (error) {
          throw launchFailed(error instanceof Error ? error.message : String(error));
        }
      },
    }));
}

/** What the user's list calls it: tasks of tasks.json by their label, others behind where they come from. */
function titleOf({ name, source }: vscode.Task): string {
  return source === 'Workspace' || source === 'User' ? name : `${source}: ${name}`;
}

function belongsTo(scope: vscode.Task['scope'], folder: vscode.WorkspaceFolder | undefined): boolean {
  if (typeof scope !== 'object') return true;
  return scope.uri.toString() === folder?.uri.toString();
}

function launchFailed(why: string): AppError {
  return new AppError('E_LAUNCH_FAILED', `Failed to start run configuration: ${why}`, {
    hint: 'The editor may have told its user more. Look at launch.json or tasks.json.',
  });
}
