import * as vscode from 'vscode';
import type { SidecarState } from './sidecar/supervisor.ts';

/** The status bar item that tells what the sidecar really does. */
export class StatusItem {
  readonly #item: vscode.StatusBarItem;

  constructor() {
    this.#item = vscode.window.createStatusBarItem('devdb.status', vscode.StatusBarAlignment.Right);
    this.#item.name = 'DevDB';
    this.#item.command = 'devdb.showLog';
  }

  show(state: SidecarState): void {
    const { text, tooltip } = describe(state);
    this.#item.text = text;
    this.#item.tooltip = tooltip;
    if (state.kind === 'off') this.#item.hide();
    else this.#item.show();
  }

  dispose(): void {
    this.#item.dispose();
  }
}

function describe(state: SidecarState): { readonly text: string; readonly tooltip: string } {
  switch (state.kind) {
    case 'off':
      return { text: 'DevDB', tooltip: 'DevDB is off.' };
    case 'stopped':
      return { text: '$(circle-slash) DevDB', tooltip: 'DevDB was stopped.' };
    case 'starting':
      return { text: '$(loading~spin) DevDB', tooltip: 'DevDB is starting.' };
    case 'running':
      return {
        text: `$(database) DevDB ${state.projects.map((one) => ('port' in one ? `:${one.port}` : '')).join(' ')}`,
        tooltip: state.projects
          .map((one) => ('port' in one ? `${one.root} on 127.0.0.1:${one.port}` : one.problem))
          .join('\n'),
      };
    case 'failed':
      return { text: '$(error) DevDB', tooltip: `DevDB stopped: ${state.reason}` };
  }
}
