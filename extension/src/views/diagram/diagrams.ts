import { DiagramPanel, type DiagramPanelParts, type DiagramSubject } from './diagram-panel.ts';

/** The open diagrams, one for each subject. */
export class Diagrams {
  readonly #parts: Omit<DiagramPanelParts, 'onClosed'>;
  readonly #panels = new Map<string, DiagramPanel>();

  constructor(parts: Omit<DiagramPanelParts, 'onClosed'>) {
    this.#parts = parts;
  }

  /** Shows the diagram; `key` says which one it is. */
  show(key: string, subject: DiagramSubject): void {
    const open = this.#panels.get(key);
    if (open !== undefined) {
      open.reveal();
      return;
    }
    const panel = new DiagramPanel(subject, { ...this.#parts, onClosed: () => this.#panels.delete(key) });
    this.#panels.set(key, panel);
  }
}
