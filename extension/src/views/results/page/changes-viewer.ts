import { button, element } from '../../page/elements.ts';
import type { RowId } from './pending-changes.ts';

/** A change that waits: its statement, and what keeps it from being applied. */
export interface WaitingChange {
  readonly sql: string;
  readonly row: RowId | undefined;
  readonly conflict: string | undefined;
}

export interface ChangesViewerParts {
  readonly apply: () => void;
  /** Takes back the changes of one row. */
  readonly drop: (row: RowId) => void;
  readonly onClose: () => void;
}

/** The statements that the changes come to, in the order in which they would run. */
export class ChangesViewer {
  readonly view = element('aside', { class: 'viewer', 'aria-label': 'Changes', hidden: true });
  readonly #parts: ChangesViewerParts;

  constructor(parts: ChangesViewerParts) {
    this.#parts = parts;
    this.view.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.close();
    });
  }

  get isOpen(): boolean {
    return !this.view.hidden;
  }

  show(changes: readonly WaitingChange[]): void {
    const apply = button('Apply', () => this.#parts.apply(), { class: 'primary' });
    const wasOpen = this.isOpen;
    this.view.replaceChildren(
      element(
        'header',
        {},
        element('h2', {}, changes.length === 1 ? '1 change' : `${changes.length} changes`),
        apply,
        button('Close', () => this.close()),
      ),
      element('p', { class: 'facts' }, 'They run in one transaction: all of them, or none.'),
      element(
        'ol',
        { class: 'changes', tabindex: 0, 'aria-label': 'Statements' },
        ...changes.map((one, at) => this.#item(one, at)),
      ),
    );
    this.view.hidden = false;
    if (!wasOpen || !this.view.contains(document.activeElement)) apply.focus();
  }

  close(): void {
    if (!this.isOpen) return;
    this.view.hidden = true;
    this.#parts.onClose();
  }

  #item({ sql, row, conflict }: WaitingChange, at: number): HTMLElement {
    const drop = button('Take back', () => row && this.#parts.drop(row), {
      'aria-label': `Take back change ${at + 1}`,
    });
    const why =
      conflict === undefined ? [] : [element('p', { class: 'conflict', role: 'alert' }, `Conflict: ${conflict}`)];
    return element('li', {}, element('code', {}, sql), ...why, drop);
  }
}
