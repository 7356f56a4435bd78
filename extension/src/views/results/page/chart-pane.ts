import { element, select } from '../../page/elements.ts';
import type { ResultColumn } from '../page-messages.ts';
import type { Cell } from './cells.ts';
import { chartNote, MAX_POINTS, numericColumns, type Point, pointsOf, usualColumns } from './chart-data.ts';
import { CHART_KINDS, type ChartKind, drawing } from './chart-drawing.ts';

const ROW_NUMBER = 'row';

/** A result as a picture: its kind and its columns can be changed, and its numbers stand below in a table. */
export class ChartPane {
  readonly view = element('section', { class: 'chart', 'aria-label': 'Chart' });
  readonly #columns: readonly ResultColumn[];
  readonly #rows: readonly (readonly Cell[])[];
  readonly #all: number;
  readonly #kind = select('Kind of chart', Object.entries(CHART_KINDS));
  readonly #label: HTMLSelectElement;
  readonly #value: HTMLSelectElement;
  readonly #note = element('p', { class: 'note', role: 'status' });
  readonly #picture = element('div');
  readonly #table = element('table');

  /** `rows` are the first of `all`. */
  constructor(columns: readonly ResultColumn[], rows: readonly (readonly Cell[])[], all: number) {
    this.#columns = columns;
    this.#rows = rows.slice(0, MAX_POINTS);
    this.#all = all;
    const names = columns.map(({ name }, at) => [String(at), name] as const);
    const numeric = numericColumns(columns, this.#rows).map(String);
    this.#label = select('Labels', [[ROW_NUMBER, 'Row number'], ...names]);
    this.#value = select(
      'Values',
      names.filter(([at]) => numeric.includes(at)),
    );
    const usual = usualColumns(columns, this.#rows);
    if (usual === undefined) {
      this.view.append(
        element('p', { class: 'note' }, 'No column of these rows has numbers alone, so there is nothing to draw.'),
      );
      return;
    }
    this.#label.value = usual.label === undefined ? ROW_NUMBER : String(usual.label);
    this.#value.value = String(usual.value);
    const bar = element('div', { class: 'group' }, this.#kind, 'of', this.#value, 'by', this.#label);
    for (const choice of [this.#kind, this.#label, this.#value]) choice.addEventListener('change', () => this.#draw());
    const numbers = element('details', {}, element('summary', {}, 'The numbers'), this.#table);
    this.view.append(bar, this.#note, this.#picture, numbers);
    this.#draw();
  }

  #draw(): void {
    const [label, value] = [this.#label.value, Number(this.#value.value)];
    const at = label === ROW_NUMBER ? undefined : Number(label);
    const { points, without } = pointsOf(this.#rows, { label: at, value });
    const [of, by] = [this.#columns[value]?.name ?? '', at === undefined ? 'row' : (this.#columns[at]?.name ?? '')];
    this.#note.textContent = chartNote(this.#rows.length, this.#all, without);
    const title = `${CHART_KINDS[this.#chosen]} of ${of} by ${by}: ${points.length} values, in the table below`;
    this.#picture.replaceChildren(drawing(this.#chosen, points, title));
    this.#table.replaceChildren(...tableOf(points, by, of));
  }

  get #chosen(): ChartKind {
    const { value } = this.#kind;
    return value === 'line' || value === 'pie' ? value : 'bar';
  }
}

function tableOf(points: readonly Point[], by: string, of: string): HTMLElement[] {
  const rows = points.map(({ label, value }) =>
    element('tr', {}, element('th', { scope: 'row' }, label), element('td', {}, value.toLocaleString('en'))),
  );
  const head = element('tr', {}, element('th', { scope: 'col' }, by), element('th', { scope: 'col' }, of));
  return [element('thead', {}, head), element('tbody', {}, ...rows)];
}
