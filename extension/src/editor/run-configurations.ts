import { withoutCredentials } from '@devdb/shared/credentials';
import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';
import { inEditor } from './folders.ts';
import { shownTask } from './shown-task.ts';
import { definitionText, everythingThatRuns, field, type Runnable, type Step, stepsOfLaunch } from './what-runs.ts';

/** Something that can be started by its name. */
export interface RunConfiguration extends Runnable {
  readonly kind: Step['kind'];
  readonly isDefaultBuild?: boolean;
  readonly start: () => Promise<void>;
}

/** The launch configurations, compounds, tasks and scripts of the project, in this order. */
export async function runConfigurations(root: string, signal: AbortSignal): Promise<readonly RunConfiguration[]> {
  const folder = folderOf(root);
  const launches = launchesOf(folder);
  // Asked for tasks, the editor asks its user to trust the workspace first.
  const tasks = vscode.workspace.isTrusted ? await tasksOf(root, folder, signal) : [];
  return withOwnNames([...launches, ...tasks]);
}

function folderOf(root: string): vscode.WorkspaceFolder | undefined {
  return vscode.workspace.getWorkspaceFolder(vscode.Uri.file(inEditor(root).path));
}

/** Everything that a debug session would run now, which is started by its name in launch.json or by its definition. */
export async function whatStarts(root: string, what: string | object, signal: AbortSignal): Promise<string> {
  const launches = launchesOf(folderOf(root));
  const first =
    typeof what === 'string'
      ? launches.find(({ name }) => name === what)
      : { name: '', shown: definitionText(what), leadsTo: stepsOfLaunch(what) };
  if (first === undefined) throw launchFailed(`launch.json has no configuration ${JSON.stringify(what)} any more.`);
  const parts = [first, ...launches.filter(({ name }) => first.leadsTo.some((step) => step.name === name))];
  // The editor takes its time to find all tasks.
  const hasTask = parts.some(({ leadsTo }) => leadsTo.some(({ kind }) => kind === 'task'));
  return whatRuns(first, hasTask ? await runConfigurations(root, signal) : launches);
}

/** Everything that one of them would run now. */
export function whatRuns(wanted: Runnable, all: readonly RunConfiguration[]): string {
  const statement = everythingThatRuns(wanted, ({ kind, name }) =>
    all.find((one) => one.kind === kind && (one.name === name || (isDefault(name) && one.isDefaultBuild))),
  );
  if (statement !== undefined) return statement;
  throw launchFailed('It runs too many others to show them to the user.');
}

function isDefault(name: string): boolean {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the editor's own name for it
  return name === '${defaultBuildTask}';
}

/** Names must be unique: of several equal ones, the later get a number. */
export function withOwnNames<Named extends { readonly name: string }>(all: readonly Named[]): readonly Named[] {
  const taken = new Set<string>();
  return all.map((one) => {
    let name = one.name;
    for (let at = 2; taken.has(name); at += 1) name = `${one.name} (${at})`;
    taken.add(name);
    return { ...one, name };
  });
}

interface Entry {
  readonly name: string;
  readonly definition: unknown;
}

function launchesOf(folder: vscode.WorkspaceFolder | undefined): RunConfiguration[] {
  const config = vscode.workspace.getConfiguration('launch', folder?.uri);
  return ['configurations', 'compounds'].flatMap((list) => {
    const found = config.inspect<unknown>(list);
    const ofFolder = entriesIn(found?.workspaceFolderValue);
    const isOther = (known: readonly Entry[]) => (entry: Entry) => !known.some(({ name }) => name === entry.name);
    // With one folder open its launch.json is the workspace's.
    const ofWorkspace = entriesIn(found?.workspaceValue).filter(isOther(ofFolder));
    const ofUser = entriesIn(found?.globalValue).filter(isOther([...ofFolder, ...ofWorkspace]));
    const isSingle = vscode.workspace.workspaceFile === undefined;
    return [
      ...ofFolder.map((entry) => launch(entry, folder)),
      ...ofWorkspace.map((entry) => launch(entry, isSingle ? folder : undefined)),
      // An agent reads what the project has. What the user keeps for themselves may hold secrets.
      ...ofUser.map((entry) => launch({ ...entry, definition: withoutCredentials(entry.definition) }, folder)),
    ];
  });
}

function entriesIn(list: unknown): Entry[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((definition: unknown) => {
    const name = field(definition, 'name');
    return typeof name === 'string' ? [{ name, definition }] : [];
  });
}

function launch({ name, definition }: Entry, folder: vscode.WorkspaceFolder | undefined): RunConfiguration {
  return {
    name,
    kind: 'launch',
    shown: definitionText(definition),
    leadsTo: stepsOfLaunch(definition),
    start: async () => {
      if (await vscode.debug.startDebugging(folder, name)) return;
      throw launchFailed('The debugger did not start it.');
    },
  };
}

async function tasksOf(
  root: string,
  folder: vscode.WorkspaceFolder | undefined,
  signal: AbortSignal,
): Promise<RunConfiguration[]> {
  const tasks = await vscode.tasks.fetchTasks();
  const own = tasks.filter(({ scope }) => belongsTo(scope, folder));
  return Promise.all(
    own.map(async (task) => ({
      ...(await shownTask(root, folder, task, signal)),
      kind: 'task' as const,
      isDefaultBuild: task.group?.id === vscode.TaskGroup.Build.id && task.group.isDefault === true,
      start: async () => {
        try {
          await vscode.tasks.executeTask(task);
        } catch (error) {
          throw launchFailed(error instanceof Error ? error.message : String(error));
        }
      },
    })),
  );
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
