import type { PlainText } from '@devdb/shared/plain-text';
import * as vscode from 'vscode';
import { forEditor } from '../editor-text.ts';

/** News for the person at the editor. */
export interface News {
  readonly level: 'info' | 'error';
  readonly message: PlainText;
  readonly once?: string | undefined;
}

/** Writes news into the log and shows what failed: as information and without buttons, so that it never gets in the way. */
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
