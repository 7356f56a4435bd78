import { button, element } from '../../page/elements.ts';
import type { CopyForm, RowFilter, RowSort, ShownResult } from '../page-messages.ts';
import { CellViewer, type WholeCell } from './cell-viewer.ts';
import { rowsOf } from './cells.ts';
import { MAX_POINTS } from './chart-data.ts';
import { ChartPane } from './chart-pane.ts';
import { copyBar } from './copy-bar.ts';
import { FilterBar } from './filter-bar.ts';
import { Grid } from './grid.ts';
import type { Host } from './host.ts';
import { RowCache } from './row-cache.ts';
import { SectionBar } from './section-bar.ts';
import type { Spot } from './selection.ts';

/** One result: its grid, and what can be done with it. */
export class ResultView {
  readonly view = element('section', { class: 'result', 'aria-label': 'Result' });
  readonly #host: Host;
  readonly #status = element('p', { role: 'status', class: 'status' });
  readonly #cancel: HTMLButtonElement;
  readonly #tools = element('div', { class: 'tools', role: 'toolbar', 'aria-label': 'Result' });
  readonly #place = element('div', { class: 'place' });
  readonly #chart = button('Chart', () => this.#toggleChart(), { 'aria-pressed': 'false' });
  readonly #viewer = new CellViewer(() => this.#grid?.view.focus());
  readonly #sections = new SectionBar((row) => this.#goTo(row));
  #shown: ShownResult;
  #grid: Grid | undefined;
  #cache: RowCache | undefined;
  /** The order of its rows: its number, how many rows it has, and what made it. */
  #order: { readonly number: number; readonly rows: number } | undefined;
  #sort: RowSort | undefined;
  #filters: readonly RowFilter[] = [];
  #said = '';

  constructor(host: Host, shown: ShownResult) {
    this.#host = host;
    this.#shown = shown;
    this.#cancel = button('Cancel', () => host.tell({ kind: 'cancel' }));
    const foot = element('footer', {}, this.#status, this.#sections.view);
    this.view.append(this.#tools, this.#place, this.#viewer.view, foot);
    this.#sections.view.hidden = true;
    this.#tools.append(
      this.#cancel,
      button('Run again', () => host.tell({ kind: 'run-again' })),
    );
    this.show(shown);
  }

  /** There is news of the result. */
  show(shown: ShownResult): void {
    this.#shown = shown;
    this.#cancel.hidden = shown.state !== 'running';
    this.view.dataset['state'] = shown.state;
    if (this.#grid === undefined && shown.columns.length > 0) this.#begin();
    this.#update();
  }

  /** It is in the page. */
  mounted(): void {
    this.#grid?.mounted();
  }

  end(): void {
    this.#grid?.end();
  }

  #begin(): void {
    const { columns } = this.#shown;
    this.#grid = new Grid({
      columns,
      cellsOf: (row) => this.#cache?.row(row),
      want: (from, to) => this.#cache?.want(from, to),
      sortBy: (sort) => this.#arrange(sort, this.#filters),
      open: (spot) => this.#open(spot),
      copy: () => this.#copy('tsv'),
    });
    this.#startCache();
    this.#place.replaceChildren(this.#grid.view);
    this.#sections.view.hidden = false;
    this.#tools.append(
      copyBar((form) => this.#copy(form)),
      this.#chart,
      button('View cell', () => this.#open(this.#grid?.selection.active)),
      button('Export...', () => this.#host.tell({ kind: 'export', result: this.#shown.id })),
      new FilterBar(columns, (filters) => this.#arrange(this.#sort, filters)).view,
    );
    if (this.view.isConnected) this.#grid.mounted();
  }

  /** Rows of another order are other rows. */
  #startCache(): void {
    const order = this.#order?.number ?? 0;
    const { id } = this.#shown;
    this.#cache = new RowCache(
      async (from, count) => rowsOf(await this.#host.ask({ kind: 'rows', result: id, order, from, count })),
      () => this.#grid?.draw(),
      (error) => this.#say(error),
    );
  }

  #update(): void {
    const rows = this.#order?.rows ?? this.#shown.rows;
    this.#cache?.grow(rows);
    if (this.#grid !== undefined) {
      this.#grid.rows = rows;
      this.#sections.show(rows, this.#grid.first);
      this.#grid.draw();
    }
    const number = (value: number) => value.toLocaleString('en');
    const count =
      this.#order === undefined || rows === this.#shown.rows
        ? number(rows)
        : `${number(rows)} of ${number(this.#shown.rows)}`;
    const counted = this.#shown.columns.length === 0 ? [] : [`${count} ${rows === 1 ? 'row' : 'rows'}`];
    const text = [...counted, this.#shown.note, this.#said].filter((part) => part !== '').join(' · ');
    if (this.#status.textContent !== text) this.#status.textContent = text;
  }

  /** The rows as a picture in the grid's place, or the grid again. */
  #toggleChart(): void {
    const isOn = this.#chart.getAttribute('aria-pressed') === 'true';
    this.#chart.setAttribute('aria-pressed', String(!isOn));
    if (isOn) this.#showGrid();
    else this.#showChart();
  }

  #showGrid(): void {
    this.#chart.setAttribute('aria-pressed', 'false');
    if (this.#grid !== undefined) this.#place.replaceChildren(this.#grid.view);
    this.#grid?.draw();
  }

  #showChart(): void {
    const { id, columns } = this.#shown;
    const { number = 0, rows = this.#shown.rows } = this.#order ?? {};
    this.#host.ask({ kind: 'rows', result: id, order: number, from: 0, count: MAX_POINTS }).then(
      (answer) => {
        if (this.#chart.getAttribute('aria-pressed') !== 'true') return;
        this.#place.replaceChildren(new ChartPane(columns, rowsOf(answer), rows).view);
      },
      (error: unknown) => {
        this.#showGrid();
        this.#say(error);
      },
    );
  }

  #goTo(row: number): void {
    const column = this.#grid?.selection.active.column ?? 0;
    this.#grid?.goTo({ row, column });
    this.#grid?.view.focus();
    this.#update();
  }

  #arrange(sort: RowSort | undefined, filters: readonly RowFilter[]): void {
    this.#say('Sorting');
    const question = { kind: 'arrange' as const, result: this.#shown.id, filters: [...filters], ...(sort && { sort }) };
    this.#host.ask(question).then(
      (answer) => {
        this.#order = orderOf(answer);
        this.#sort = sort;
        this.#filters = filters;
        this.#startCache();
        if (this.#chart.getAttribute('aria-pressed') === 'true') this.#showChart();
        if (this.#grid !== undefined) this.#grid.sort = sort;
        this.#say('');
        this.#grid?.goTo({ row: 0, column: this.#grid.selection.active.column });
      },
      (error: unknown) => this.#say(error),
    );
  }

  #open(spot: Spot | undefined): void {
    const column = spot && this.#shown.columns[spot.column];
    if (spot === undefined || column === undefined) return;
    this.#host.ask({ kind: 'cell', result: this.#shown.id, order: this.#order?.number ?? 0, ...spot }).then(
      (cell) => {
        if (isWholeCell(cell)) this.#viewer.show(column, spot.row, cell);
      },
      (error: unknown) => this.#say(error),
    );
  }

  #copy(form: CopyForm): void {
    const area = this.#grid?.selection.area;
    if (area === undefined) return;
    const heads = area.count > 1 || area.columns.length > 1;
    const columns = [...area.columns];
    const question = { kind: 'copy', result: this.#shown.id, order: this.#order?.number ?? 0, form, heads } as const;
    this.#host.ask({ ...question, from: area.from, count: area.count, columns }).then(
      (answer) => this.#say(copiedText(answer)),
      (error: unknown) => this.#say(error),
    );
  }

  #say(what: unknown): void {
    this.#said = what instanceof Error ? what.message : String(what);
    this.#update();
  }
}

function orderOf(answer: unknown): { readonly number: number; readonly rows: number } | undefined {
  if (typeof answer !== 'object' || answer === null || !('order' in answer) || !('rows' in answer)) return undefined;
  return { number: Number(answer.order), rows: Number(answer.rows) };
}

/** The extension has parsed it. */
function isWholeCell(answer: unknown): answer is WholeCell {
  return typeof answer === 'object' && answer !== null && 'kind' in answer && 'text' in answer;
}

function copiedText(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null || !('rows' in answer)) return '';
  const rows = Number(answer.rows);
  const text = `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'} copied`;
  return 'isCut' in answer && answer.isCut === true ? `${text}: the clipboard takes no more, export the rest` : text;
}
