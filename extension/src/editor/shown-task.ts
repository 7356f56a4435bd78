import { withoutCredentials } from '@devdb/shared/credentials';
import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';
import { textOnDisk } from './file-text.ts';
import { existingPath } from './paths.ts';
import { commandLineOf, definitionText, field, type Runnable, scriptLines, stepsOfTask } from './what-runs.ts';

/** A task with all that it runs. */
export async function shownTask(
  root: string,
  folder: vscode.WorkspaceFolder | undefined,
  task: vscode.Task,
  signal: AbortSignal,
): Promise<Runnable> {
  const entry = entryOf(task, folder);
  const lines = [
    ...commandLineOf(task.source === 'User' ? withoutCredentials(task.execution) : task.execution),
    ...(await scriptOf(root, task, signal)),
    ...(entry === undefined ? [] : [definitionText(entry)]),
  ];
  return {
    name: titleOf(task),
    shown: lines.join('\n') || `An extension of the editor runs it: ${definitionText(task.definition)}`,
    leadsTo: stepsOfTask(entry),
  };
}

/** What the user's list calls it: tasks of tasks.json by their label, others behind where they come from. */
function titleOf({ name, source }: vscode.Task): string {
  return source === 'Workspace' || source === 'User' ? name : `${source}: ${name}`;
}

/** Its entry in tasks.json: only that names the tasks that run before it. */
function entryOf({ name, source }: vscode.Task, folder: vscode.WorkspaceFolder | undefined): unknown {
  const found = vscode.workspace.getConfiguration('tasks', folder?.uri).inspect<unknown>('tasks');
  const isNamed = (entry: unknown) => [field(entry, 'label'), field(entry, 'taskName')].includes(name);
  if (source === 'User') return withoutCredentials(listOf(found?.globalValue).find(isNamed));
  return [...listOf(found?.workspaceFolderValue), ...listOf(found?.workspaceValue)].find(isNamed);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The text of an npm script, as it stands in its package.json now. */
async function scriptOf(root: string, { definition }: vscode.Task, signal: AbortSignal): Promise<string[]> {
  const { type, script, path = '' } = definition;
  if (type !== 'npm' || typeof script !== 'string' || typeof path !== 'string') return [];
  try {
    const file = existingPath(root, [path, 'package.json'].filter((part) => part !== '').join('/'));
    return scriptLines(JSON.parse(await textOnDisk(file, undefined, signal)), script);
  } catch (error) {
    // No such file, or none that npm could read either.
    if (error instanceof AppError || error instanceof SyntaxError) return [];
    throw error;
  }
}
