import { button, element, select } from '../../page/elements.ts';
import type { ResultColumn, RowFilter } from '../page-messages.ts';

const ANY = 'any';

const COMPARISONS = [
  ['contains', 'contains'],
  ['equals', 'is'],
  ['less', 'is less than'],
  ['greater', 'is greater than'],
  ['null', 'is NULL'],
  ['not-null', 'is not NULL'],
] as const satisfies readonly (readonly [RowFilter['is'], string])[];

/** Says which rows are shown: by one column or any, with a comparison. */
export class FilterBar {
  readonly view: HTMLFormElement;
  readonly #column: HTMLSelectElement;
  readonly #comparison = select('Comparison', COMPARISONS);
  readonly #value = element('input', { type: 'text', 'aria-label': 'Filter value', placeholder: 'Filter rows' });
  readonly #apply: (filters: readonly RowFilter[]) => void;

  constructor(columns: readonly ResultColumn[], apply: (filters: readonly RowFilter[]) => void) {
    this.#apply = apply;
    const names = columns.map(({ name }, at) => [String(at), name] as const);
    this.#column = select('Filter column', [[ANY, 'Any column'], ...names]);
    this.view = element(
      'form',
      { class: 'filter', 'aria-label': 'Filter' },
      this.#column,
      this.#comparison,
      this.#value,
      element('button', { type: 'submit' }, 'Filter'),
      button('Clear', () => this.#clear()),
    );
    this.view.addEventListener('submit', (event) => {
      event.preventDefault();
      const [is] = COMPARISONS.find(([value]) => value === this.#comparison.value) ?? COMPARISONS[0];
      const column = this.#column.value === ANY ? {} : { column: Number(this.#column.value) };
      this.#apply([{ is, value: this.#value.value, ...column }]);
    });
  }

  /** Shows a filter that holds already. */
  show([filter]: readonly RowFilter[]): void {
    if (filter === undefined) return;
    this.#column.value = filter.column === undefined ? ANY : String(filter.column);
    this.#comparison.value = filter.is;
    this.#value.value = filter.value;
  }

  #clear(): void {
    this.#value.value = '';
    this.#apply([]);
  }
}
