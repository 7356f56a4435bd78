import { Lifetime } from '@devdb/shared/lifetime';
import type * as vscode from 'vscode';
import { compose } from './compose.ts';

let running: Lifetime | undefined;

/** Called once by the editor after it has started. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  running = new Lifetime();
  await compose(context, process.env, running);
}

/** Called by the editor before the window closes; it waits for the promise. */
export async function deactivate(): Promise<void> {
  const failures = (await running?.end()) ?? [];
  running = undefined;
  if (failures.length > 0) throw new AggregateError(failures, 'DevDB did not close everything.');
}
