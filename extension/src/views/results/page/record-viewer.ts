import { button, element } from '../../page/elements.ts';
import type { ResultColumn } from '../page-messages.ts';
import type { Look } from './cells.ts';

/** Shows one row from top to bottom: a line for each column. */
export class RecordViewer {
  readonly view = element('aside', { class: 'viewer', 'aria-label': 'Row', hidden: true });
  readonly #onClose: () => void;

  constructor(onClose: () => void) {
    this.#onClose = onClose;
    this.view.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.close();
    });
  }

  get isOpen(): boolean {
    return !this.view.hidden;
  }

  /** `lookAt` gives each of the columns. */
  show(row: number, columns: readonly ResultColumn[], lookAt: (column: number) => Look | undefined): void {
    const lines = columns.map(({ name }, column) => {
      const { text, kind } = lookAt(column) ?? { text: '…', kind: 'waiting' };
      return element(
        'tr',
        {},
        element('th', { scope: 'row' }, name),
        element('td', { class: kind }, kind === 'empty' ? '(empty text)' : text),
      );
    });
    this.view.replaceChildren(
      element(
        'header',
        {},
        element('h2', {}, `Row ${(row + 1).toLocaleString('en')}`),
        button('Close', () => this.close()),
      ),
      element('div', { class: 'record', tabindex: 0 }, element('table', {}, ...lines)),
    );
    this.view.hidden = false;
  }

  close(): void {
    this.view.hidden = true;
    this.#onClose();
  }
}
