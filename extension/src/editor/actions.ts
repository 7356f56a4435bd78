import { AppError } from '@devdb/shared/errors';
import { actionWords } from '@devdb/shared/tools/ide/action-words';
import * as vscode from 'vscode';

export interface Action {
  readonly id: string;
  readonly text: string;
}

/** Where the editor lists its commands with their titles, for users who write keyboard shortcuts by hand. */
const COMMANDS_SCHEMA = vscode.Uri.parse('vscode://schemas/keybindings');

/** Every action that can be run, with its title, by id. */
export async function allActions(): Promise<Action[]> {
  const [ids, own] = await Promise.all([actionIds(), ownTitles()]);
  const contributed = contributedTitles();
  return [...ids]
    .sort()
    .map((id) => ({ id, text: contributed.get(id) ?? (own.get(id) || undefined) ?? actionWords(id) }));
}

/** The ids of all actions but the internal ones. */
async function actionIds(): Promise<ReadonlySet<string>> {
  return new Set(await vscode.commands.getCommands(true));
}

/** Those whose id or title has every word of the filter in it. */
export function actionsThatFit(actions: readonly Action[], filter: string): Action[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return actions.filter(({ id, text }) => {
    const both = `${id} ${text}`.toLowerCase();
    return words.every((word) => both.includes(word));
  });
}

function contributedTitles(): ReadonlyMap<string, string> {
  return new Map(
    vscode.extensions.all.flatMap(({ packageJSON }) => {
      const commands: unknown = packageJSON?.contributes?.commands;
      return Array.isArray(commands) ? commands.flatMap((one: unknown) => titled(one)) : [];
    }),
  );
}

function titled(command: unknown): readonly (readonly [id: string, title: string])[] {
  if (!isRecord(command)) return [];
  const { command: id, title, category } = command;
  const [text, group] = [textOf(title), textOf(category)];
  if (typeof id !== 'string' || text === undefined) return [];
  return [[id, group === undefined ? text : `${group}: ${text}`]];
}

/** A title is a text, or one with its original beside the translation. */
function textOf(title: unknown): string | undefined {
  if (typeof title === 'string') return title === '' ? undefined : title;
  return isRecord(title) ? textOf(title['value']) : undefined;
}

async function ownTitles(): Promise<ReadonlyMap<string, string>> {
  const { text } = await schemaText();
  const schema: unknown = text === '' ? undefined : JSON.parse(text);
  const names = field(field(schema, 'definitions'), 'commandNames');
  const [ids, titles] = [field(names, 'enum'), field(names, 'enumDescriptions')];
  if (!Array.isArray(ids) || !Array.isArray(titles)) return new Map();
  return new Map(
    ids.flatMap((id: unknown, at) => {
      const title: unknown = titles[at];
      return typeof id === 'string' && typeof title === 'string' && title !== '' ? [[id, title] as const] : [];
    }),
  );
}

async function schemaText(): Promise<{ readonly text: string }> {
  try {
    return { text: (await vscode.workspace.openTextDocument(COMMANDS_SCHEMA)).getText() };
  } catch {
    // An editor without this list: the ids in words are what is left.
    return { text: '' };
  }
}

function field(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Runs an action as if the user chose it, and waits for it. */
export async function runAction(id: string): Promise<void> {
  try {
    await vscode.commands.executeCommand(id);
  } catch (error) {
    throw new AppError(
      'E_EDIT_FAILED',
      `The action failed: ${error instanceof Error ? error.message : String(error)}`,
      {
        hint: 'It may need arguments, a file that is open or a selection.',
      },
    );
  }
}
