import { button, element, select } from '../../page/elements.ts';
import { pngOf } from '../../page/picture.ts';
import type { ResultColumn } from '../page-messages.ts';
import type { Cell } from './cells.ts';
import {
  chartNote,
  MAX_POINTS,
  numericColumns,
  type Point,
  pointsOf,
  timedPointsOf,
  usualColumns,
} from './chart-data.ts';
import { CHART_KINDS, type ChartKind, drawing, HEIGHT, WIDTH } from './chart-drawing.ts';
import { chartFile } from './chart-file.ts';
import { hasOffsets, isTime } from './time-axis.ts';

const ROW_NUMBER = 'row';

/** A picture to be saved: SVG as text, PNG in base64. */
export interface ChartPicture {
  readonly form: 'svg' | 'png';
  readonly data: string;
}

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
  readonly #save: (picture: ChartPicture) => void;

  /** `rows` are the first of `all`. */
  constructor(
    columns: readonly ResultColumn[],
    rows: readonly (readonly Cell[])[],
    all: number,
    save: (picture: ChartPicture) => void,
  ) {
    this.#save = save;
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
    if (this.#time !== undefined) this.#kind.value = 'line';
    const saving = [
      button('Save SVG', () => this.#save({ form: 'svg', data: this.#file() })),
      button('Save PNG', () => void this.#savePng()),
    ];
    const bar = element('div', { class: 'group' }, this.#kind, 'of', this.#value, 'by', this.#label, ...saving);
    for (const choice of [this.#kind, this.#label, this.#value]) choice.addEventListener('change', () => this.#draw());
    const numbers = element('details', {}, element('summary', {}, 'The numbers'), this.#table);
    this.view.append(bar, this.#note, this.#picture, numbers);
    this.#draw();
  }

  #draw(): void {
    const [label, value] = [this.#label.value, Number(this.#value.value)];
    const at = label === ROW_NUMBER ? undefined : Number(label);
    const time = this.#chosen === 'pie' ? undefined : this.#time;
    const { points, without } =
      time === undefined
        ? pointsOf(this.#rows, { label: at, value })
        : timedPointsOf(this.#rows, { label: time, value });
    const [of, by] = [this.#columns[value]?.name ?? '', at === undefined ? 'row' : (this.#columns[at]?.name ?? '')];
    const utc = time !== undefined && hasOffsets(this.#rows, time) ? ' Times are in UTC.' : '';
    this.#note.textContent = `${chartNote(this.#rows.length, this.#all, without, time !== undefined)}${utc}`.trim();
    const title = `${CHART_KINDS[this.#chosen]} of ${of} by ${by}: ${points.length} values, in the table below`;
    this.#picture.replaceChildren(drawing(this.#chosen, points, title));
    this.#table.replaceChildren(...tableOf(points, by, of));
  }

  /** The column of labels, where it has moments. */
  get #time(): number | undefined {
    const { value } = this.#label;
    return value !== ROW_NUMBER && isTime(this.#rows, Number(value)) ? Number(value) : undefined;
  }

  #file(): string {
    const picture = this.#picture.querySelector('svg');
    if (picture === null) throw new Error('No chart is drawn.');
    return chartFile(picture);
  }

  async #savePng(): Promise<void> {
    try {
      this.#save({ form: 'png', data: await pngOf(this.#file(), WIDTH, HEIGHT) });
    } catch (error) {
      this.#note.textContent = error instanceof Error ? error.message : String(error);
    }
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
