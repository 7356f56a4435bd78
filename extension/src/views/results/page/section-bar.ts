import { button, element } from '../../page/elements.ts';
import { SECTION_ROWS } from './limits.ts';

/** Goes to a row by its number; from a million rows on, it also says which million is on show. */
export class SectionBar {
  readonly view: HTMLFormElement;
  readonly #row = element('input', { type: 'number', min: 1, 'aria-label': 'Row number', placeholder: 'Row' });
  readonly #text = element('span', { class: 'section' });
  readonly #earlier: HTMLButtonElement;
  readonly #later: HTMLButtonElement;
  #rows = 0;
  #first = 0;

  constructor(goTo: (row: number) => void) {
    const step = (by: number) => goTo(Math.min(this.#rows - 1, Math.max(0, this.#first + by)));
    this.#earlier = button('Earlier rows', () => step(-SECTION_ROWS));
    this.#later = button('Later rows', () => step(SECTION_ROWS));
    const go = element('button', { type: 'submit' }, 'Go');
    this.view = element(
      'form',
      { class: 'group', 'aria-label': 'Go to row' },
      this.#earlier,
      this.#text,
      this.#later,
      this.#row,
      go,
    );
    this.view.addEventListener('submit', (event) => {
      event.preventDefault();
      const row = Math.trunc(Number(this.#row.value)) - 1;
      if (Number.isFinite(row)) goTo(Math.min(Math.max(0, this.#rows - 1), Math.max(0, row)));
    });
  }

  show(rows: number, first: number): void {
    this.#rows = rows;
    this.#first = first;
    const last = Math.min(rows, first + SECTION_ROWS);
    const number = (value: number) => value.toLocaleString('en');
    this.#text.textContent = `Rows ${number(first + 1)} to ${number(last)}`;
    for (const part of [this.#earlier, this.#later, this.#text]) part.hidden = rows <= SECTION_ROWS;
    this.#earlier.disabled = first === 0;
    this.#later.disabled = last === rows;
  }
}
