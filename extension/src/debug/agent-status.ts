import * as vscode from 'vscode';
import type { Debugger } from './debugger.ts';

const STOP = 'devdb.stopAgentDebugging';

/** Tells the person in the status bar that an agent drives the debugger, and stops it with a click. */
export class AgentStatus {
  readonly #debug: Debugger;
  readonly #parts: readonly vscode.Disposable[];
  readonly #item: vscode.StatusBarItem;
  #shown = 0;

  constructor(debug: Debugger) {
    this.#debug = debug;
    this.#item = vscode.window.createStatusBarItem('devdb.debug', vscode.StatusBarAlignment.Left);
    this.#item.name = 'DevDB: debugging by an agent';
    this.#item.command = STOP;
    this.#item.tooltip = 'An agent started this debug session and drives it. Click to stop it.';
    const stop = vscode.commands.registerCommand(STOP, () => this.#stop());
    this.#parts = [this.#item, stop, debug.onChange(() => this.#update())];
  }

  dispose(): void {
    for (const part of this.#parts) part.dispose();
  }

  /** Called for every message of every debugger: it does something only when the number has changed. */
  #update(): void {
    const { length } = this.#ofAgents();
    if (length === this.#shown) return;
    this.#shown = length;
    this.#item.text = `$(debug-alt) Agent debugs${length > 1 ? ` (${length})` : ''} $(debug-stop)`;
    this.#item.accessibilityInformation = { label: 'An agent debugs. Stop it.', role: 'button' };
    if (length === 0) this.#item.hide();
    else this.#item.show();
  }

  async #stop(): Promise<void> {
    await Promise.all(this.#ofAgents().map(({ root }) => vscode.debug.stopDebugging(root)));
  }

  #ofAgents() {
    return this.#debug.live.filter(({ starter }) => starter !== undefined);
  }
}
