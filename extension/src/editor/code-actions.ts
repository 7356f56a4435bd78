import { AppError } from '@devdb/shared/errors';
import type { FinalChange } from '@devdb/shared/final-change';
import * as vscode from 'vscode';
import { withKnownProblems } from './problems.ts';
import { applyEdit, documentsOf } from './text-edits.ts';
import { asked } from './waiting.ts';

/** So many actions are worked out when one of them is to be applied. */
const RESOLVED = 100;
/** Commands for somebody who looks at the editor and chooses there. */
const FOR_A_PERSON =
  /^(editor\.action|workbench|vscode\.(open|diff)|_workbench|_typescript\.(moveToFile|select|learnMore|open|configure))/;
/** Commands by which the editor's own TypeScript extension makes an edit, and nothing else. */
const EDITS_ONLY = /^_typescript\./;
const RENAME = 'editor.action.rename';

/** The call that applies an action. */
export interface Applying {
  readonly signal: AbortSignal;
  /** Refuses what the user has not agreed to. */
  checkAgreed(change: FinalChange): void;
}

/** What the editor offers for a range, for one kind of actions or all. */
export function codeActionsAt(
  document: vscode.TextDocument,
  range: vscode.Range,
  kind: string | undefined,
  signal: AbortSignal,
  resolved = 0,
): Promise<readonly vscode.CodeAction[]> {
  return withKnownProblems(document, signal, async () => {
    const found = await asked<readonly (vscode.CodeAction | vscode.Command)[]>(
      signal,
      'vscode.executeCodeActionProvider',
      document.uri,
      range,
      kind,
      resolved,
    );
    return (found ?? []).flatMap((action) => (isAction(action) && isForAgents(action) ? [action] : []));
  });
}

/** The offered action that is meant, worked out, by its title. E_NOT_FOUND names what is offered. */
export async function codeActionNamed(
  document: vscode.TextDocument,
  range: vscode.Range,
  kind: string | undefined,
  title: string,
  signal: AbortSignal,
): Promise<vscode.CodeAction> {
  const offered = await codeActionsAt(document, range, kind, signal, RESOLVED);
  const found = offered.find((action) => action.title === title);
  if (found !== undefined) return found;
  const titles = [...new Set(offered.map((action) => action.title))].slice(0, 20);
  throw new AppError('E_NOT_FOUND', `No code action "${title}" is offered there.`, {
    hint:
      titles.length > 0 ? `Offered are: ${titles.join(' | ')}` : 'None is offered there: list them with another line.',
    details: { offered: titles, applied: false },
  });
}

/**
 * Checks what an action would edit and run, before anything is changed. A command of an extension may start programs, so
 * the user is asked about it.
 */
export async function checkAction(root: string, action: vscode.CodeAction, applying: Applying): Promise<void> {
  const { title, edit, command } = action;
  if (edit !== undefined) await documentsOf(root, edit, applying.signal);
  const run = stepsOf(command).flatMap(({ command: id }) => (FOR_A_PERSON.test(id) || EDITS_ONLY.test(id) ? [] : [id]));
  if (run.length > 0) applying.checkAgreed({ title, statement: run.join('\n') });
}

/** Applies the action and answers the documents that it changed. */
export async function applyAction({ edit, command }: vscode.CodeAction): Promise<readonly vscode.TextDocument[]> {
  const changed = new Map<string, vscode.TextDocument>();
  const listening = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    if (document.uri.scheme === 'file' && contentChanges.length > 0) changed.set(document.uri.toString(), document);
  });
  try {
    if (edit !== undefined && edit.size > 0) await applyEdit(edit);
    for (const { command: id, arguments: given = [] } of stepsOf(command)) {
      if (!FOR_A_PERSON.test(id)) await vscode.commands.executeCommand(id, ...given);
    }
  } finally {
    listening.dispose();
  }
  return [...changed.values()];
}

/** Not one that can do nothing there, or nothing without a person who chooses. */
function isForAgents({ disabled, edit, command }: vscode.CodeAction): boolean {
  const isForPerson = edit === undefined && command !== undefined && FOR_A_PERSON.test(command.command);
  return disabled === undefined && !isForPerson;
}

/** Where the new name stands that an action made: it asks its user to choose another. */
export function namePosition({ command }: vscode.CodeAction): vscode.Position | undefined {
  const rename = stepsOf(command).find(({ command: id }) => id === RENAME);
  return (rename?.arguments ?? []).flat().find((part) => part instanceof vscode.Position);
}

/** A command that runs others is what those are. */
function stepsOf(command: vscode.Command | undefined): readonly Pick<vscode.Command, 'command' | 'arguments'>[] {
  if (command === undefined) return [];
  const inner: readonly unknown[] = (command.arguments ?? []).flat();
  return inner.length > 0 && inner.every(isCommand) ? inner.flatMap(stepsOf) : [command];
}

function isCommand(value: unknown): value is vscode.Command {
  return typeof value === 'object' && value !== null && 'command' in value && typeof value.command === 'string';
}

function isAction(action: vscode.CodeAction | vscode.Command): action is vscode.CodeAction {
  return typeof action.command !== 'string';
}
