import { element } from '../../page/elements.ts';

export interface CellInputParts {
  /** Where the cell is now; undefined when it is not on show. */
  readonly cellAt: () => Element | null;
  readonly text: string;
  readonly label: string;
  /** The text to keep; undefined keeps what was there. `key` is the one that ended it. */
  readonly onEnd: (text: string | undefined, key: string) => void;
}

const MOST_LINES = 8;

/** A field over a cell: Enter and Tab keep the text, Escape does not, Shift+Enter begins a line. */
export class CellInput {
  readonly #parts: CellInputParts;
  readonly #place: HTMLElement;
  readonly #field: HTMLTextAreaElement;
  #hasEnded = false;
  /** A browser turns the ends of lines into \n, and NULL looks like an empty text: what was not touched stays. */
  #isTouched = false;

  /** `place` is a positioned element around the cell. */
  constructor(place: HTMLElement, parts: CellInputParts) {
    this.#parts = parts;
    this.#place = place;
    this.#field = element('textarea', { class: 'cell-input', 'aria-label': parts.label, spellcheck: 'false' });
    this.#field.value = parts.text;
    this.#field.rows = Math.min(MOST_LINES, parts.text.split('\n').length);
    this.#field.addEventListener('input', () => {
      this.#isTouched = true;
    });
    this.#field.addEventListener('keydown', (event) => this.#key(event));
    this.#field.addEventListener('blur', () => this.end(this.#field.value, 'blur'));
    place.append(this.#field);
    this.follow();
    this.#field.focus();
    this.#field.select();
  }

  /** The grid has scrolled. */
  follow(): void {
    const cell = this.#parts.cellAt();
    if (cell === null) {
      this.end(this.#field.value, 'scroll');
      return;
    }
    const [inner, outer] = [cell.getBoundingClientRect(), this.#place.getBoundingClientRect()];
    this.#field.style.left = `${inner.left - outer.left}px`;
    this.#field.style.top = `${inner.top - outer.top}px`;
    this.#field.style.minWidth = `${inner.width}px`;
  }

  end(text: string | undefined, key: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#field.remove();
    this.#parts.onEnd(this.#isTouched ? text : undefined, key);
  }

  #key(event: KeyboardEvent): void {
    const { key } = event;
    event.stopPropagation();
    if (key === 'Enter' && (event.shiftKey || event.altKey)) {
      if (!event.altKey) return;
      this.#field.setRangeText('\n', this.#field.selectionStart, this.#field.selectionEnd, 'end');
      this.#isTouched = true;
      return;
    }
    if (key !== 'Enter' && key !== 'Tab' && key !== 'Escape') return;
    event.preventDefault();
    this.end(key === 'Escape' ? undefined : this.#field.value, event.shiftKey && key === 'Tab' ? 'Shift+Tab' : key);
  }
}
