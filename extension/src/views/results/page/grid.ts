import type { VirtualItem } from '@tanstack/virtual-core';
import { button, element } from '../../page/elements.ts';
import type { ResultColumn, RowSort } from '../page-messages.ts';
import type { Cell, Look } from './cells.ts';
import type { ColumnLayout } from './column-layout.ts';
import { columnWidths } from './column-widths.ts';
import { type Axis, newAxis } from './grid-axis.ts';
import { cellView, type Placed, putAt, rowView } from './grid-cell.ts';
import { LEAST_WIDTH, NUMBER_WIDTH, ROW_HEIGHT, SECTION_ROWS, WIDTH_STEP } from './limits.ts';
import { RowAxis } from './row-axis.ts';
import type { RowMark } from './row-marks.ts';
import { Selection, type Spot, spotAfter } from './selection.ts';

export interface GridParts {
  readonly columns: readonly ResultColumn[];
  /** Which of them are on show: a spot's column is its place among those. */
  readonly layout: ColumnLayout;
  /** Of the columns, where they are known: those of the same rows before. */
  readonly widths: readonly number[] | undefined;
  readonly cellsOf: (row: number) => readonly Cell[] | undefined;
  /** A cell by its row and its column's number in the result; undefined where the row is not there yet. */
  readonly lookAt: (row: number, column: number) => (Look & { readonly isEdited?: boolean }) | undefined;
  readonly markOf: (row: number) => RowMark | undefined;
  /** Whether a column refers to another table. */
  readonly isLink: (column: number) => boolean;
  /** Takes a key before the grid does; whether it did. */
  readonly key: (event: KeyboardEvent) => boolean;
  /** The active cell is another one. */
  readonly moved: () => void;
  readonly follow: () => void;
  /** Offers what can be done with the active cell, at a place of the page. */
  readonly menu: (at: { readonly x: number; readonly y: number }) => void;
  /** These rows are on show. */
  readonly want: (from: number, to: number) => void;
  /** A column's head was pressed. */
  readonly sortBy: (sort: RowSort | undefined) => void;
  /** Whether that sorts more rows than these. */
  readonly sortsTable: () => boolean;
  readonly open: (spot: Spot) => void;
  readonly copy: () => void;
}

/** The rows that are on show, as a grid for mouse, keyboard and screen reader; the others exist as numbers alone. */
export class Grid {
  readonly view: HTMLElement;
  readonly selection = new Selection();
  readonly #parts: GridParts;
  readonly #head = element('div', { role: 'row', class: 'head', 'aria-rowindex': 1 });
  readonly #body = element('div', { role: 'rowgroup', class: 'body' });
  readonly #rowAxis: RowAxis;
  readonly #horizontal: Axis;
  readonly #widths: number[];
  readonly #unmount: () => void;
  #rows = 0;
  #first = 0;
  #sort: RowSort | undefined;
  #frame = 0;
  /** The rows that were drawn last. */
  #drawn = '';
  readonly #resized = new ResizeObserver(() => this.#scrolled());
  #hasWidths: boolean;

  constructor(parts: GridParts) {
    this.#parts = parts;
    this.#widths = [...(parts.widths ?? columnWidths(parts.columns, []))];
    this.#hasWidths = parts.widths !== undefined;
    this.view = element(
      'div',
      { role: 'grid', class: 'grid', tabindex: 0, 'aria-label': 'Rows', 'aria-multiselectable': 'true' },
      element('div', { role: 'rowgroup', class: 'heads' }, this.#head),
      this.#body,
    );
    this.#rowAxis = new RowAxis(() => ({ top: this.view.scrollTop, height: this.view.clientHeight }));
    this.#horizontal = this.#columnAxis();
    this.relayout();
    this.#listen();
    this.#unmount = this.#horizontal._didMount();
  }

  /** Call it when the view is in the page. */
  mounted(): void {
    this.#horizontal._willUpdate();
    this.draw();
  }

  /** How many rows there are. */
  set rows(rows: number) {
    if (rows === this.#rows) return;
    this.#rows = rows;
    this.#section(this.#first);
  }

  /** Other columns are on show, or in another order. */
  relayout(): void {
    const { shown, pinned } = this.#parts.layout;
    const width = shown.slice(0, pinned).reduce((sum, at) => sum + (this.#widths[at] ?? LEAST_WIDTH), NUMBER_WIDTH);
    this.#horizontal.setOptions({ ...this.#horizontal.options, count: shown.length, scrollPaddingStart: width });
    this.#horizontal.measure();
    this.view.setAttribute('aria-colcount', String(shown.length + 1));
    const { row, column } = this.selection.active;
    if (column >= shown.length) this.selection.move({ row, column: shown.length - 1 });
    this.draw();
  }

  get widths(): readonly number[] {
    return this.#widths;
  }

  /** The element of a cell, where it is on show. */
  cellAt({ row, column }: Spot): Element | null {
    return document.getElementById(`cell-${row}-${column}`);
  }

  set sort(sort: RowSort | undefined) {
    this.#sort = sort;
    this.draw();
  }

  /** The column whose head has the focus: its number in the result. */
  get focusedHead(): number | undefined {
    const head = document.activeElement?.closest<HTMLElement>('[role=columnheader]');
    return head === null || head === undefined || !this.#head.contains(head)
      ? undefined
      : Number(head.dataset['column']);
  }

  /** Moves the focus to a column's head, where that is on show. */
  focusHead(column: number): void {
    this.#drawNow();
    this.#head.querySelector<HTMLElement>(`[data-column="${column}"] button`)?.focus();
  }

  /** The first row of the section that is shown: browsers do not scroll through more than about a million. */
  get first(): number {
    return this.#first;
  }

  /** Shows a row, wherever it is, and makes it the active one. */
  goTo(spot: Spot, extend = false): void {
    if (this.#rows === 0) return;
    this.selection.move(spot, extend);
    const section = Math.floor(spot.row / SECTION_ROWS) * SECTION_ROWS;
    if (section !== this.#first) this.#section(section);
    this.view.scrollTop = this.#rowAxis.topFor(spot.row - this.#first);
    // A pinned column is always on show.
    if (spot.column >= this.#parts.layout.pinned) this.#horizontal.scrollToIndex(spot.column, { align: 'auto' });
    this.#parts.moved();
    this.draw();
  }

  /** Draws with the next frame: many things ask for it at once. */
  draw(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#drawNow();
    });
  }

  end(): void {
    cancelAnimationFrame(this.#frame);
    this.#resized.disconnect();
    this.#unmount();
  }

  #section(first: number): void {
    this.#first = Math.min(first, Math.floor(Math.max(0, this.#rows - 1) / SECTION_ROWS) * SECTION_ROWS);
    this.#rowAxis.count = Math.min(SECTION_ROWS, this.#rows - this.#first);
    // At once: a place can be scrolled to only where there is room for it.
    this.#body.style.height = `${this.#rowAxis.height}px`;
    this.view.setAttribute('aria-rowcount', String(this.#rows + 1));
    if (this.#showsOthers) this.draw();
  }

  /** Other rows are on show than those that were drawn last: more rows below them change nothing. */
  get #showsOthers(): boolean {
    const rows = this.#rowAxis.shown;
    return this.#drawn !== placesText(this.#first, rows);
  }

  #columnAxis(): Axis {
    return newAxis({
      view: () => this.view,
      sizeOf: (at) => this.#widthOf(at),
      pinned: () => this.#parts.layout.pinned,
      onChange: () => this.draw(),
    });
  }

  #source(shown: number): number {
    return this.#parts.layout.shown[shown] ?? 0;
  }

  #widthOf(shown: number): number {
    return this.#widths[this.#source(shown)] ?? LEAST_WIDTH;
  }

  #drawNow(): void {
    const rows = this.#rowAxis.shown;
    this.#drawn = placesText(this.#first, rows);
    const [top, bottom] = [rows[0], rows[rows.length - 1]];
    if (top !== undefined && bottom !== undefined)
      this.#parts.want(this.#first + top.index, this.#first + bottom.index + 1);
    this.#fitOnce();
    const columns = this.#horizontal.getVirtualItems();
    const width = this.#horizontal.getTotalSize();
    this.#body.style.width = `${width}px`;
    this.#head.style.width = `${width}px`;
    this.#drawHead(columns);
    this.#body.replaceChildren(...rows.map((row) => this.#row(row, columns)));
    const { row, column } = this.selection.active;
    const isShown = document.getElementById(`cell-${row}-${column}`) !== null;
    if (isShown) this.view.setAttribute('aria-activedescendant', `cell-${row}-${column}`);
    else this.view.removeAttribute('aria-activedescendant');
  }

  /** The first rows say how wide columns have to be; later ones change nothing under the reader's eyes. */
  #fitOnce(): void {
    if (this.#hasWidths || this.#parts.cellsOf(this.#first) === undefined) return;
    this.#hasWidths = true;
    const samples = Array.from({ length: 50 }, (_, at) => this.#parts.cellsOf(this.#first + at) ?? []);
    for (const [at, width] of columnWidths(this.#parts.columns, samples).entries()) this.#widths[at] = width;
    this.relayout();
  }

  /** Makes a column as wide as its name and the values on show, up to what a screen has room for. */
  fit(column: number): void {
    const samples = this.#rowAxis.shown.map(({ index }) => this.#parts.cellsOf(this.#first + index) ?? []);
    this.#widths[column] = columnWidths(this.#parts.columns, samples)[column] ?? LEAST_WIDTH;
    this.relayout();
  }

  /** Its buttons keep the focus while cells change, so that it is only drawn anew when its columns are others. */
  #drawHead(columns: readonly VirtualItem[]): void {
    const places = columns.map(({ index, start, size }) => [this.#source(index), index, start, size]);
    const state = JSON.stringify([places, this.#sort, this.#parts.layout.pinned, this.#parts.sortsTable()]);
    if (this.#head.dataset['state'] === state) return;
    this.#head.dataset['state'] = state;
    const focused = document.activeElement?.closest('[role=columnheader]')?.id;
    const corner = element('div', { role: 'columnheader', class: 'cell number', 'aria-colindex': 1 }, '#');
    this.#head.replaceChildren(corner, ...columns.map((column) => this.#heading(column)));
    if (focused !== undefined) document.getElementById(focused)?.querySelector('button')?.focus();
  }

  #heading({ index, start, size }: Placed): HTMLElement {
    const source = this.#source(index);
    const { name = '', type } = this.#parts.columns[source] ?? {};
    const sorted = this.#sort?.column === source ? this.#sort : undefined;
    const direction = sorted === undefined ? 'none' : sorted.descending ? 'descending' : 'ascending';
    const arrow = element(
      'span',
      { class: 'arrow', 'aria-hidden': 'true' },
      { none: '', ascending: '▲', descending: '▼' }[direction],
    );
    const label = element('span', { class: 'name' }, name);
    const sort = button('', () => this.#parts.sortBy(nextSort(source, sorted)), {
      class: 'sort',
      title: `${type === undefined ? name : `${name}: ${type}`}\nSorts ${this.#parts.sortsTable() ? 'the whole table' : 'these rows'}`,
    });
    sort.append(label, arrow);
    const resize = element('div', { class: 'resize' });
    resize.addEventListener('pointerdown', (event) => this.#resize(event, source));
    resize.addEventListener('dblclick', () => this.fit(source));
    const heading = element(
      'div',
      {
        role: 'columnheader',
        id: `head-${index}`,
        class: 'cell',
        'aria-colindex': index + 2,
        'aria-sort': direction,
        'data-column': source,
      },
      sort,
      resize,
    );
    putAt(heading, { index, start, size }, this.#isPinned(index));
    return heading;
  }

  #row({ index, start }: Placed, columns: readonly VirtualItem[]): HTMLElement {
    const row = this.#first + index;
    const view = rowView(row, start, this.#parts.markOf(row));
    for (const column of columns) view.append(this.#cell(row, column));
    return view;
  }

  #cell(row: number, { index, start, size }: VirtualItem): HTMLElement {
    const source = this.#source(index);
    const { active } = this.selection;
    return cellView({
      row,
      placed: { index, start, size },
      look: this.#parts.lookAt(row, source),
      isActive: active.row === row && active.column === index,
      isSelected: this.selection.has({ row, column: index }),
      isLink: this.#parts.isLink(source),
      isPinned: this.#isPinned(index),
    });
  }

  #isPinned(index: number): boolean {
    return index < this.#parts.layout.pinned;
  }

  #listen(): void {
    this.view.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    this.#resized.observe(this.view);
    this.view.addEventListener('keydown', (event) => this.#key(event));
    this.#body.addEventListener('pointerdown', (event) => this.#point(event, event.shiftKey));
    this.#body.addEventListener('pointermove', (event) => {
      if (event.buttons === 1) this.#point(event, true);
    });
    this.#body.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey) this.#parts.follow();
    });
    this.#body.addEventListener('dblclick', () => this.#parts.open(this.selection.active));
    this.view.addEventListener('contextmenu', (event) => this.#menu(event));
  }

  #scrolled(): void {
    if (this.#showsOthers) this.draw();
  }

  #menu(event: MouseEvent): void {
    event.preventDefault();
    const pressed = spotOf(event.target);
    if (pressed === undefined) return;
    if (!this.selection.has(pressed)) this.#select(pressed, false);
    this.#parts.menu({ x: event.clientX, y: event.clientY });
  }

  #menuAtActive(): void {
    const box = this.cellAt(this.selection.active)?.getBoundingClientRect();
    if (box !== undefined) this.#parts.menu({ x: box.left, y: box.bottom });
  }

  #key(event: KeyboardEvent): void {
    if (event.target !== this.view) return;
    if (this.#parts.key(event)) {
      event.preventDefault();
      return;
    }
    const isCommand = event.ctrlKey || event.metaKey;
    const wider = { ArrowRight: WIDTH_STEP, ArrowLeft: -WIDTH_STEP }[event.key];
    if (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')) {
      this.#menuAtActive();
      event.preventDefault();
      return;
    }
    if (event.altKey && wider !== undefined) {
      const column = this.#source(this.selection.active.column);
      this.#widen(column, (this.#widths[column] ?? LEAST_WIDTH) + wider);
      event.preventDefault();
      return;
    }
    const { layout, open, copy } = this.#parts;
    const columns = layout.shown.length;
    const page = Math.max(1, Math.floor(this.view.clientHeight / ROW_HEIGHT) - 2);
    const spot = spotAfter(event.key, isCommand, this.selection.active, {
      rows: this.#rows,
      columns,
      page,
    });
    if (spot !== undefined) this.goTo(spot, event.shiftKey);
    else if (event.key === 'Enter') open(this.selection.active);
    else if (isCommand && event.key.toLowerCase() === 'c') copy();
    else if (isCommand && event.key.toLowerCase() === 'a') {
      this.selection.all(this.#rows, columns);
      this.draw();
    } else return;
    event.preventDefault();
  }

  #point(event: PointerEvent, extend: boolean): void {
    const spot = spotOf(event.target);
    // The other button asks for a menu, which keeps a selection that is pressed.
    if (spot === undefined || event.button === 2) return;
    const { active } = this.selection;
    if (extend && active.row === spot.row && active.column === spot.column) return;
    this.#select(spot, extend);
  }

  #select(spot: Spot, extend: boolean): void {
    this.selection.move(spot, extend);
    this.#parts.moved();
    this.draw();
  }

  #resize(event: PointerEvent, column: number): void {
    const begin = event.clientX - (this.#widths[column] ?? LEAST_WIDTH);
    const move = ({ clientX }: PointerEvent) => this.#widen(column, clientX - begin);
    addEventListener('pointermove', move);
    addEventListener('pointerup', () => removeEventListener('pointermove', move), { once: true });
    event.preventDefault();
  }

  #widen(column: number, width: number): void {
    this.#widths[column] = Math.max(LEAST_WIDTH, width);
    this.relayout();
  }
}

function placesText(first: number, rows: readonly Placed[]): string {
  return `${first} ${rows[0]?.index} ${rows.length}`;
}

/** The cell that was pressed. */
function spotOf(target: EventTarget | null): Spot | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[role=gridcell]') : null;
  return cell === null ? undefined : { row: Number(cell.dataset['row']), column: Number(cell.dataset['column']) };
}

/** Ascending, descending, as it came. */
function nextSort(column: number, sorted: RowSort | undefined): RowSort | undefined {
  if (sorted === undefined) return { column, descending: false };
  return sorted.descending ? undefined : { column, descending: true };
}
