import { button, element } from '../../page/elements.ts';
import { type MenuEntry, menuButton, openMenu } from '../../page/menu.ts';
import type { CopyForm, KeptChanges, Relation, RowFilter, RowSort, ShownResult } from '../page-messages.ts';
import { Arrangement } from './arrangement.ts';
import { CellViewer, isWholeCell } from './cell-viewer.ts';
import { firstRowsOf, type Row, rowsOf } from './cells.ts';
import { MAX_POINTS } from './chart-data.ts';
import { ChartPane } from './chart-pane.ts';
import { ChartToggle } from './chart-toggle.ts';
import { columnEntries } from './column-entries.ts';
import { ColumnLayout } from './column-layout.ts';
import { copyEntries } from './copy-entries.ts';
import { FilterBar } from './filter-bar.ts';
import { Grid } from './grid.ts';
import type { Host } from './host.ts';
import { RecordViewer } from './record-viewer.ts';
import { copiedText } from './result-answers.ts';
import { sortedText, statusText } from './result-status.ts';
import { RowCache } from './row-cache.ts';
import { RowEditor } from './row-editor.ts';
import { SectionBar } from './section-bar.ts';
import type { Spot } from './selection.ts';
import { WholeTable } from './whole-table.ts';

/** Of a statement in a tooltip. */
const MOST_TITLE_CHARS = 500;

/** One result: its grid, and what can be done with it. */
export class ResultView {
  readonly view = element('section', { class: 'result', 'aria-label': 'Result' });
  readonly #host: Host;
  readonly #status = element('p', { role: 'status', class: 'status' });
  readonly #cancel: HTMLButtonElement;
  readonly #tools = element('div', { class: 'tools', role: 'toolbar', 'aria-label': 'Result' });
  readonly #place = element('div', { class: 'place' });
  readonly #chart = new ChartToggle({
    place: this.#place,
    chart: () => this.#newChart(),
    grid: () => this.#grid?.view,
    shown: () => this.#grid?.draw(),
    say: (what) => this.#say(what),
  });
  readonly #viewer = new CellViewer(() => this.#grid?.view.focus());
  readonly #record = new RecordViewer(() => this.#grid?.view.focus());
  readonly #sections = new SectionBar((row) => this.#goTo(row));
  #shown: ShownResult;
  #grid: Grid | undefined;
  #layout = new ColumnLayout(0);
  #filterBar: FilterBar | undefined;
  #editor: RowEditor | undefined;
  #cache: RowCache<Row> | undefined;
  readonly #arrangement: Arrangement;
  readonly #table: WholeTable;
  /** The column whose head asked for the table in another order. */
  #askedBy: number | undefined;
  #said = '';
  #isComplete = false;
  #earlier: ResultView | undefined;

  /** `earlier` is a result of the same statement, whose columns and place are taken over. */
  constructor(host: Host, shown: ShownResult, earlier?: ResultView) {
    this.#host = host;
    this.#shown = shown;
    this.#earlier = earlier;
    this.#arrangement = new Arrangement({
      host,
      shown: () => this.#shown,
      changed: () => this.#rearranged(),
      say: (what) => this.#say(what),
    });
    this.#table = new WholeTable({
      host,
      shown: () => this.#shown,
      refusesToLeave: () => this.#editor?.refusesToLeave() === true,
      say: (what) => this.#say(what),
    });
    this.#cancel = button('Cancel', () => host.tell({ kind: 'cancel' }));
    const foot = element('footer', {}, this.#status, this.#sections.view);
    this.view.append(this.#tools, this.#place, this.#viewer.view, this.#record.view, foot);
    this.#sections.view.hidden = true;
    this.#tools.append(
      this.#cancel,
      button('Run again', () => {
        if (this.#editor?.refusesToLeave() !== true) host.tell({ kind: 'run-again' });
      }),
      button('Open statement', () => host.tell({ kind: 'open-statement' }), {
        class: 'open-statement',
        title: shown.statement.slice(0, MOST_TITLE_CHARS),
      }),
    );
    this.show(shown);
  }

  /** There is news of the result. */
  show(shown: ShownResult): void {
    const isMoreRows = shown.state === 'running' && this.#shown.state === 'running' && this.#grid !== undefined;
    this.#shown = shown;
    this.#cancel.hidden = shown.state !== 'running';
    this.view.dataset['state'] = shown.state;
    if (this.#grid === undefined && shown.columns.length > 0) this.#begin();
    if (shown.state === 'done') this.#complete();
    // While rows arrive, somebody may be typing in an editor, which draws with the same thread as this page.
    if (isMoreRows) this.#count();
    else this.#update();
  }

  /** Its first rows, which came without being asked for. */
  begin(rows: string): void {
    if (this.#arrangement.order === 0) this.#cache?.begin(firstRowsOf(rows));
  }

  /** Its columns as they are shown, for as many columns. */
  layoutOf(columns: number): ColumnLayout | undefined {
    return this.#shown.columns.length === columns ? this.#layout : undefined;
  }

  /** How wide its columns are, for as many columns. */
  widthsOf(columns: number): readonly number[] | undefined {
    return this.#shown.columns.length === columns ? this.#grid?.widths : undefined;
  }

  /** Goes on with what was typed in a page before this one. */
  restore(changes: KeptChanges): void {
    this.#editor?.restore(changes);
  }

  /** It is in the page. */
  mounted(): void {
    this.#grid?.mounted();
    // Whoever came to see the rows goes on in them.
    if (document.hasFocus() && document.activeElement === document.body) this.#grid?.view.focus();
  }

  end(): void {
    this.#grid?.end();
  }

  #begin(): void {
    const { columns } = this.#shown;
    this.#layout = this.#earlier?.layoutOf(columns.length) ?? new ColumnLayout(columns.length);
    const grid = this.#newGrid();
    this.#grid = grid;
    const editor = this.#newEditor(grid);
    this.#editor = editor;
    grid.view.addEventListener('scroll', () => editor.scrolled());
    this.#startCache();
    const filterBar = new FilterBar(columns, (filters) => this.#filter(filters));
    filterBar.show(this.#table.filters);
    this.#filterBar = filterBar;
    this.#place.replaceChildren(grid.view);
    this.view.insertBefore(editor.viewer.view, this.#record.view);
    this.#sections.view.hidden = false;
    this.#tools.append(
      this.#chart.button,
      button('Export...', () => this.#export()),
      menuButton('Copy', () => this.#copyEntries()),
      menuButton('View', () => this.#viewEntries()),
      menuButton('Columns', () => this.#columnEntries(grid)),
      editor.view,
      filterBar.view,
    );
    if (this.view.isConnected) this.mounted();
  }

  #copyEntries(): readonly MenuEntry[] {
    return copyEntries((form) => this.#copy(form));
  }

  #viewEntries(): readonly MenuEntry[] {
    const facts = this.#editor?.facts;
    const hasLinks = (facts?.links.length ?? 0) > 0;
    const alike = { label: `All rows of ${facts?.name} with this value`, act: () => this.#openRelated('same-value') };
    return [
      { label: 'View cell', act: () => this.#open(this.#grid?.selection.active), keys: 'Shift+Enter' },
      { label: 'View row', act: () => this.#showRecord() },
      ...(facts?.name === undefined ? [] : [alike]),
      ...(hasLinks
        ? [{ label: 'Go to referenced row', act: () => this.#openRelated('referenced'), keys: 'Ctrl+Enter' }]
        : []),
    ];
  }

  #columnEntries(grid: Grid): readonly MenuEntry[] {
    const { column } = this.#spot;
    return columnEntries({
      layout: this.#layout,
      column,
      name: this.#shown.columns[column]?.name ?? '',
      sorted: this.#arrangement.sort,
      sortBy: (sort) => this.#arrangement.arrange(sort, this.#arrangement.filters),
      sortTable: this.#shown.table && ((descending) => this.#sortTable({ column, descending })),
      fit: () => grid.fit(column),
      changed: () => {
        grid.relayout();
        const at = this.#layout.shown.indexOf(column);
        if (at >= 0) grid.goTo({ row: grid.selection.active.row, column: at });
        grid.view.focus();
      },
    });
  }

  /** A click on a column's head sorts what its reader takes the rows for: the table, also where only some are here. */
  #sortByHead(sort: RowSort | undefined): void {
    if (this.#table.isPart) this.#sortTable(sort);
    else this.#arrangement.arrange(sort, this.#arrangement.filters);
  }

  #sortTable(sort: RowSort | undefined): void {
    if (this.#table.sortBy(sort)) this.#askedBy = this.#grid?.focusedHead;
  }

  /** The same holds for a filter, and for taking back one that the database has applied. */
  #filter(filters: readonly RowFilter[]): void {
    if (this.#table.isPart || this.#table.filters.length > 0) this.#table.filterBy(filters);
    else this.#arrangement.arrange(this.#arrangement.sort, filters);
  }

  /** Shows and says which order the rows have by now. */
  #tellSort(): void {
    const [own, table] = [this.#arrangement.sort, this.#table.sort];
    if (this.#grid !== undefined) this.#grid.sort = own ?? table;
    const nameOf = ({ column }: RowSort) => this.#shown.columns[column]?.name ?? '';
    const isFiltered = this.#table.filters.length > 0;
    const rows = own && sortedText('these rows', nameOf(own), own);
    const whole = own === undefined && table !== undefined ? sortedText('the whole table', nameOf(table), table) : '';
    this.#say([isFiltered ? 'the whole table filtered' : '', rows ?? whole].filter((part) => part !== '').join(', '));
  }

  /** Everything that can be done with the active cell, where the keys of its user's choice ask for it. */
  #showMenu(grid: Grid, at: { readonly x: number; readonly y: number }): void {
    const groups = [
      this.#viewEntries(),
      this.#copyEntries(),
      this.#columnEntries(grid),
      ...(this.#editor?.canEdit === true ? [this.#editor.entries] : []),
    ];
    const entries = groups.flatMap((group, place) => (place === 0 ? group : (['line', ...group] as const)));
    openMenu({ label: 'Cell', entries, at, returnTo: grid.view });
  }

  #newGrid(): Grid {
    const { columns } = this.#shown;
    return new Grid({
      columns,
      layout: this.#layout,
      widths: this.#earlier?.widthsOf(columns.length),
      cellsOf: (row) => this.#cache?.row(row)?.cells,
      lookAt: (row, column) => this.#editor?.lookAt(row, column),
      markOf: (row) => this.#editor?.markOf(row),
      isLink: (column) => this.#editor?.facts?.links.some((link) => link.columns.includes(column)) === true,
      want: (from, to) => this.#cache?.want(from, Math.min(to, this.#arrangement.rows)),
      sortBy: (sort) => this.#sortByHead(sort),
      sortsTable: () => this.#table.isPart,
      open: (spot) => (this.#editor?.canEdit === true ? this.#editor.edit() : this.#open(spot)),
      copy: () => this.#copy('tsv'),
      key: (event) => this.#key(event),
      moved: () => {
        if (this.#record.isOpen) this.#showRecord();
      },
      follow: () => this.#openRelated('referenced'),
      menu: (at) => {
        if (this.#grid !== undefined) this.#showMenu(this.#grid, at);
      },
    });
  }

  #newEditor(grid: Grid): RowEditor {
    const { id, columns } = this.#shown;
    const shownSpot = ({ row, column }: Spot): Spot => ({ row, column: this.#layout.shown.indexOf(column) });
    return new RowEditor({
      host: this.#host,
      result: id,
      columns,
      place: this.#place,
      rowAt: (row) => this.#cache?.row(row),
      rows: () => this.#arrangement.rows,
      order: () => this.#arrangement.order,
      active: () => this.#spot,
      selectedRows: () => grid.selection.area,
      cellAt: (spot) => grid.cellAt(shownSpot(spot)),
      goTo: (spot) => grid.goTo(shownSpot(spot)),
      moveBy: (by) => {
        const { row, column } = grid.selection.active;
        grid.goTo({ row, column: Math.min(this.#layout.shown.length - 1, Math.max(0, column + by)) });
      },
      focus: () => grid.view.focus(),
      changed: () => this.#update(),
      say: (what) => this.#say(what),
    });
  }

  /** All rows are there: they can be sorted and edited. */
  #complete(): void {
    if (this.#isComplete || this.#editor === undefined) return;
    this.#isComplete = true;
    this.#editor.load();
    const earlier = this.#earlier;
    this.#earlier = undefined;
    if (this.#table.sort !== undefined || this.#table.filters.length > 0) this.#tellSort();
    if (earlier !== undefined) this.#goOnAfter(earlier);
  }

  #goOnAfter(earlier: ResultView): void {
    // The table in another order is what was asked for last.
    const isSorted = JSON.stringify(earlier.#table.sort) !== JSON.stringify(this.#table.sort);
    const isAnew = isSorted || JSON.stringify(earlier.#table.filters) !== JSON.stringify(this.#table.filters);
    const { filters } = earlier.#arrangement;
    const sort = isSorted ? undefined : earlier.#arrangement.sort;
    if (sort !== undefined || filters.length > 0) this.#arrangement.arrange(sort, filters);
    if (filters.length > 0) this.#filterBar?.show(filters);
    const { row, column } = earlier.#grid?.selection.active ?? { row: 0, column: 0 };
    this.#grid?.goTo({ row: isAnew ? 0 : row, column });
    if (earlier.#askedBy === undefined) this.#grid?.view.focus();
    else this.#grid?.focusHead(earlier.#askedBy);
  }

  /** The active cell, its column by its number in the result. */
  get #spot(): Spot {
    const { row, column } = this.#grid?.selection.active ?? { row: 0, column: 0 };
    return { row, column: this.#layout.shown[column] ?? 0 };
  }

  #key(event: KeyboardEvent): boolean {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) this.#openRelated('referenced');
    else if (event.key === 'Enter' && event.shiftKey) this.#open(this.#grid?.selection.active);
    else return this.#editor?.key(event) === true;
    return true;
  }

  #showRecord(): void {
    const { row } = this.#spot;
    this.#record.show(row, this.#shown.columns, (column) => this.#editor?.lookAt(row, column));
  }

  /** Opens the rows of the database that belong to the active cell as one more result. */
  #openRelated(which: Relation): void {
    const { row, column } = this.#spot;
    const found = this.#cache?.row(row);
    if (found === undefined || row >= this.#arrangement.rows) return;
    const question = { kind: 'related', result: this.#shown.id, row: found.place, column, which } as const;
    this.#host.ask(question).catch((error: unknown) => this.#say(error));
  }

  /** Rows of another order are other rows. */
  #startCache(): void {
    const { order } = this.#arrangement;
    const { id } = this.#shown;
    const cache: RowCache<Row> = new RowCache(
      async (from, count) => rowsOf(await this.#host.ask({ kind: 'rows', result: id, order, from, count })),
      () => this.#grid?.draw(),
      (error) => {
        // Rows that were asked for before the order changed are refused, and nobody waits for them.
        if (this.#cache === cache) this.#say(error);
      },
    );
    this.#cache = cache;
  }

  #update(): void {
    this.#count();
    this.#grid?.draw();
  }

  /** Tells how many rows there are: the grid draws those that come on show. */
  #count(): void {
    const rows = this.#arrangement.rows;
    this.#cache?.grow(rows);
    if (this.#grid !== undefined) {
      this.#grid.rows = rows + (this.#editor?.pending.added ?? 0);
      this.#sections.show(rows, this.#grid.first);
    }
    const { rows: all, columns, note } = this.#shown;
    const changes = this.#editor?.pending.count ?? 0;
    const text = statusText({ rows, all, hasColumns: columns.length > 0, changes, note, said: this.#said });
    if (this.#status.textContent !== text) this.#status.textContent = text;
  }

  async #newChart(): Promise<ChartPane> {
    const { id, columns } = this.#shown;
    const { order, rows } = this.#arrangement;
    const question = { kind: 'rows', result: id, order, from: 0, count: MAX_POINTS } as const;
    const cells = rowsOf(await this.#host.ask(question)).map((row) => row.cells);
    return new ChartPane(columns, cells, rows, (picture) =>
      this.#host.tell({ kind: 'save-chart', result: id, ...picture }),
    );
  }

  #goTo(row: number): void {
    this.#grid?.goTo({ row, column: this.#grid.selection.active.column });
    this.#grid?.view.focus();
    this.#update();
  }

  #rearranged(): void {
    this.#startCache();
    this.#chart.refresh();
    this.#tellSort();
    this.#grid?.goTo({ row: 0, column: this.#grid.selection.active.column });
  }

  #open(spot: Spot | undefined): void {
    const place = spot && this.#layout.shown[spot.column];
    const column = place === undefined ? undefined : this.#shown.columns[place];
    if (spot === undefined || place === undefined || column === undefined || spot.row >= this.#arrangement.rows) return;
    const { order } = this.#arrangement;
    this.#host.ask({ kind: 'cell', result: this.#shown.id, order, row: spot.row, column: place }).then(
      (cell) => {
        if (isWholeCell(cell)) this.#viewer.show(column, spot.row, cell);
      },
      (error: unknown) => this.#say(error),
    );
  }

  /** What is on show: rows that were sorted or filtered here are known to the sidecar by the number of their order. */
  #export(): void {
    const arranged = this.#arrangement.forExport;
    this.#host.tell({ kind: 'export', result: this.#shown.id, ...(arranged && { arranged }) });
  }

  #copy(form: CopyForm): void {
    const area = this.#grid?.selection.area;
    const count = area === undefined ? 0 : Math.min(area.count, this.#arrangement.rows - area.from);
    if (area === undefined || count <= 0) return;
    const heads = area.count > 1 || area.columns.length > 1;
    const columns = area.columns.map((place) => this.#layout.shown[place] ?? 0);
    const question = { kind: 'copy', result: this.#shown.id, order: this.#arrangement.order, form, heads } as const;
    this.#host.ask({ ...question, from: area.from, count, columns }).then(
      (answer) => this.#say(copiedText(answer)),
      (error: unknown) => this.#say(error),
    );
  }

  #say(what: unknown): void {
    this.#said = what instanceof Error ? what.message : String(what ?? '');
    this.#update();
  }
}
