import { MAX_TERMINAL_TIMEOUT_MS } from '@devdb/shared/limits';
import * as vscode from 'vscode';
import { inEditor } from './folders.ts';
import { TERMINAL_TIMEOUT_MS } from './limits.ts';

/** How long a command is waited for, as the setting says for this project. What is no such time counts as not set. */
export function terminalTimeoutMs(root: string): number {
  const folder = vscode.Uri.file(inEditor(root).path);
  const value = vscode.workspace.getConfiguration('Devdb', folder).get<unknown>('terminalTimeout');
  const isTime = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_TERMINAL_TIMEOUT_MS;
  return isTime ? value : TERMINAL_TIMEOUT_MS;
}
