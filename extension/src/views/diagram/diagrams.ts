import type * as vscode from 'vscode';
import { DiagramPanel, type DiagramPanelParts, type DiagramSubject } from './diagram-panel.ts';

/** The open diagrams, one for each subject. */
export class Diagrams {
  readonly #parts: Omit<DiagramPanelParts, 'onClosed'>;
  readonly #panels = new Map<string, DiagramPanel>();

  constructor(parts: Omit<DiagramPanelParts, 'onClosed'>) {
    this.#parts = parts;
  }

  /** Shows the diagram, in a tab that was there before the window was reloaded if there is one. */
  show(subject: DiagramSubject, left?: vscode.WebviewPanel): void {
    const key = JSON.stringify(subject.kept);
    const open = this.#panels.get(key);
    if (open !== undefined) {
      left?.dispose();
      open.reveal();
      return;
    }
    const panel = new DiagramPanel(subject, { ...this.#parts, onClosed: () => this.#panels.delete(key) }, left);
    this.#panels.set(key, panel);
  }
}
