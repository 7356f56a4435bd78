import type { PlainText } from '@devdb/shared/plain-text';
import * as vscode from 'vscode';
import { forEditor } from '../editor-text.ts';

/** A message for the editor's user. */
export interface News {
  readonly level: 'info' | 'error';
  readonly message: PlainText;
  readonly once?: string | undefined;
}

/**
 * Logs messages and shows failures as notifications: as information without buttons, so that they never get in the way.
 */
export class Toasts {
  readonly #output: vscode.LogOutputChannel;
  readonly #told = new Set<string>();

  constructor(output: vscode.LogOutputChannel) {
    this.#output = output;
  }

  tell({ level, message, once }: News): void {
    if (once !== undefined) {
      if (this.#told.has(once)) return;
      this.#told.add(once);
    }
    this.#output[level](message);
    if (level === 'error') void vscode.window.showInformationMessage(forEditor(message));
  }
}
