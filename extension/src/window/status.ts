import * as vscode from 'vscode';
import { statusText } from './status-text.ts';
import type { WindowState } from './window-state.ts';

/** The status bar item with the sidecar's actual state. */
export class StatusItem {
  readonly #item: vscode.StatusBarItem;

  constructor() {
    this.#item = vscode.window.createStatusBarItem('devdb.status', vscode.StatusBarAlignment.Right);
    this.#item.name = 'DevDB';
    this.#item.command = 'devdb.showMenu';
  }

  show(state: WindowState): void {
    const shown = statusText(state);
    if (shown === undefined) {
      this.#item.hide();
      return;
    }
    this.#item.text = shown.text;
    this.#item.tooltip = shown.tooltip;
    this.#item.accessibilityInformation = { label: shown.spoken, role: 'button' };
    this.#item.backgroundColor = shown.isFailure ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.#item.show();
  }

  dispose(): void {
    this.#item.dispose();
  }
}
