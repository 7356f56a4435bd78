import { button, element } from '../../page/elements.ts';
import { type MenuEntry, menuButton } from '../../page/menu.ts';
import type { KeptChanges, ResultColumn, RowChange, ShownTableFacts } from '../page-messages.ts';
import { CellInput } from './cell-input.ts';
import { isWholeCell } from './cell-viewer.ts';
import { type Cell, type Look, lookOf, type Row } from './cells.ts';
import { ChangesViewer } from './changes-viewer.ts';
import { type Conflict, conflictsOf, isFacts, statementsOf } from './edit-answers.ts';
import type { Host } from './host.ts';
import { PendingChanges, type RowId, type Typed } from './pending-changes.ts';
import { MARKS, type RowMark } from './row-marks.ts';
import type { Spot } from './selection.ts';

export interface RowEditorParts {
  readonly host: Host;
  readonly result: string;
  readonly columns: readonly ResultColumn[];
  /** A positioned element around the grid. */
  readonly place: HTMLElement;
  readonly rowAt: (row: number) => Row | undefined;
  /** How many rows the result has: new ones come after them. */
  readonly rows: () => number;
  /** The order in which the rows are shown, by its number. */
  readonly order: () => number;
  /** The active cell, its column by its number in the result. */
  readonly active: () => Spot;
  /** The rows that are selected, from the first to before the last. */
  readonly selectedRows: () => { readonly from: number; readonly count: number };
  readonly cellAt: (spot: Spot) => Element | null;
  readonly goTo: (spot: Spot) => void;
  readonly moveBy: (columns: number) => void;
  readonly focus: () => void;
  readonly changed: () => void;
  readonly say: (what: unknown) => void;
}

/** Edits the rows of a result: keeps what is typed until it is applied or taken back. */
export class RowEditor {
  readonly view = element('span', { class: 'group', role: 'group', 'aria-label': 'Edit rows' });
  readonly viewer: ChangesViewer;
  readonly pending = new PendingChanges();
  readonly #parts: RowEditorParts;
  readonly #change = element('span', { class: 'group' });
  #facts: ShownTableFacts | undefined;
  #input: CellInput | undefined;
  #conflicts: ReadonlyMap<string, string> = new Map();
  #isApplying = false;

  constructor(parts: RowEditorParts) {
    this.#parts = parts;
    this.viewer = new ChangesViewer({
      apply: () => this.#apply(),
      drop: (row) => this.#do(() => this.pending.drop(row)),
      onClose: () => parts.focus(),
    });
    this.#change.hidden = true;
    this.#change.append(
      button('Undo', () => this.#undo(), { title: 'Undo the last step (Ctrl+Z)' }),
      button('Discard', () => this.#do(() => this.pending.clear()), { title: 'Take back all changes' }),
      button('Changes...', () => this.#preview(), { class: 'primary', title: 'See the statements and apply them' }),
    );
  }

  /** Finds out what can be edited, once all rows are there. */
  load(): void {
    const { host, result, say } = this.#parts;
    host.ask({ kind: 'table', result }).then((answer) => this.#show(answer), say);
  }

  get facts(): ShownTableFacts | undefined {
    return this.#facts;
  }

  /** What can be done with the rows that are selected. */
  get entries(): readonly MenuEntry[] {
    return [
      { label: 'Edit cell', act: () => this.edit(), keys: 'Enter' },
      { label: 'Set NULL', act: () => this.#setTo(null), keys: 'Ctrl+Alt+N' },
      { label: 'Set empty text', act: () => this.#setTo(''), keys: 'Ctrl+Alt+E' },
      { label: 'Add row', act: () => this.#add(), keys: 'Alt+Insert' },
      { label: 'Delete row', act: () => this.#delete(), keys: 'Ctrl+Delete' },
    ];
  }

  get canEdit(): boolean {
    return this.#facts?.name !== undefined && this.#facts.refusal === undefined;
  }

  get #whyNot(): string {
    if (this.#facts === undefined) return 'These rows can be edited once all of them have been read.';
    return this.#facts.refusal ?? 'Only the rows of one table can be edited.';
  }

  /** How a cell looks with what was typed; undefined where its row is not there yet. */
  lookAt(row: number, column: number): (Look & { readonly isEdited?: boolean }) | undefined {
    const found = this.#parts.rowAt(row);
    const id = this.#idOf(row);
    const look = found && lookOf(found.cells[column] ?? null);
    const typed = id && this.pending.typed(id, column);
    if (typed !== undefined) {
      const now = lookOf(typed);
      // Digits stay where the column has its numbers.
      return { ...now, kind: look?.kind === 'number' && now.kind === 'text' ? 'number' : now.kind, isEdited: true };
    }
    if (id?.kind === 'new') return { text: 'default', kind: 'null' };
    return look;
  }

  markOf(row: number): RowMark | undefined {
    const id = this.#idOf(row);
    if (id === undefined) return undefined;
    if (this.#conflicts.has(keyOf(id))) return MARKS.conflict;
    if (id.kind === 'new') return MARKS.added;
    if (this.pending.isDeleted(id)) return MARKS.deleted;
    return this.pending.isEdited(id) ? MARKS.edited : undefined;
  }

  /** Whether it took the key. */
  key(event: KeyboardEvent): boolean {
    const isCommand = event.ctrlKey || event.metaKey;
    if (!this.canEdit) {
      if (event.key !== 'F2') return false;
      this.#parts.say(this.#whyNot);
      return true;
    }
    if (event.key === 'F2' || (event.key === 'Enter' && !isCommand && !event.shiftKey)) this.edit();
    else if (isCommand && event.altKey && event.code === 'KeyN') this.#setTo(null);
    else if (isCommand && event.altKey && event.code === 'KeyE') this.#setTo('');
    else if (isCommand && event.key === 'Delete') this.#delete();
    else if (isCommand && event.key.toLowerCase() === 'z') this.#undo();
    else if (event.altKey && event.key === 'Insert') this.#add();
    else return false;
    return true;
  }

  /** The grid has scrolled. */
  scrolled(): void {
    this.#input?.follow();
  }

  /** Opens a field over the active cell. */
  edit(): void {
    const spot = this.#parts.active();
    const id = this.#idOf(spot.row);
    if (id === undefined || !this.#mayEdit(id, spot)) return;
    const typed = this.pending.typed(id, spot.column);
    if (typed !== undefined || id.kind === 'new') {
      this.#open(spot, id, typed ?? '', undefined);
      return;
    }
    const { host, result, order, say } = this.#parts;
    const question = { kind: 'cell', result, order: order(), row: spot.row, column: spot.column } as const;
    host.ask(question).then((cell) => {
      if (!isWholeCell(cell)) return;
      if (cell.isCut) say('This value is too long to be edited here.');
      else this.#open(spot, id, cell.text, cell.kind === 'null' ? null : cell.text);
    }, say);
  }

  /** Goes on with what was typed in a page before this one. */
  restore(changes: KeptChanges): void {
    this.#do(() => this.pending.restore(changes));
  }

  /** Says why nothing else may happen while changes wait; false when none do. */
  refusesToLeave(): boolean {
    if (this.pending.count === 0) return false;
    this.#parts.say('There are changes that were not applied: apply or discard them first.');
    return true;
  }

  #show(answer: unknown): void {
    if (!isFacts(answer)) return;
    this.#facts = answer;
    this.view.replaceChildren(...this.#tools(answer));
    this.#parts.changed();
  }

  #tools({ name, refusal, columns }: ShownTableFacts): readonly Node[] {
    if (name === undefined) return [];
    if (refusal !== undefined) {
      return [button('Not editable', () => this.#parts.say(refusal), { class: 'section', title: refusal })];
    }
    return columns.length === 0 ? [] : [menuButton('Edit', () => this.entries), this.#change];
  }

  #open(spot: Spot, id: RowId, text: string, before: Typed | undefined): void {
    const { place, columns, cellAt, goTo } = this.#parts;
    goTo(spot);
    const label = `${columns[spot.column]?.name ?? ''}, ${id.kind === 'new' ? 'new row' : `row ${spot.row + 1}`}`;
    this.#input?.end(undefined, 'replaced');
    this.#input = new CellInput(place, {
      cellAt: () => cellAt(spot),
      text,
      label,
      onEnd: (typed, key) => {
        this.#input = undefined;
        if (typed !== undefined)
          this.#do(() => this.pending.set(id, spot.column, typed === before ? undefined : typed));
        this.#afterInput(key);
      },
    });
  }

  #afterInput(key: string): void {
    if (key === 'blur' || key === 'replaced') return;
    this.#parts.focus();
    if (key === 'Tab') this.#parts.moveBy(1);
    if (key === 'Shift+Tab') this.#parts.moveBy(-1);
  }

  /** Sets NULL, or an empty text, which looks the same in a field. */
  #setTo(value: '' | null): void {
    const spot = this.#parts.active();
    const id = this.#idOf(spot.row);
    if (id === undefined || !this.#mayEdit(id, spot)) return;
    if (value === null && this.#facts?.columns[spot.column]?.isNullable === false) {
      this.#parts.say(`${this.#parts.columns[spot.column]?.name ?? 'This column'} takes no NULL.`);
      return;
    }
    const isSame = id.kind === 'row' && this.#cellOf(spot) === value;
    this.#do(() => this.pending.set(id, spot.column, isSame ? undefined : value));
  }

  #add(): void {
    this.#do(() => this.pending.add());
    this.#parts.goTo({ row: this.#parts.rows() + this.pending.added - 1, column: this.#parts.active().column });
    this.#parts.focus();
  }

  #delete(): void {
    const { from, count } = this.#parts.selectedRows();
    const ids = Array.from({ length: count }, (_, at) => this.#idOf(from + at)).filter((id) => id !== undefined);
    if (ids.length < count) this.#parts.say('Some of these rows are not loaded yet.');
    else this.#do(() => this.pending.toggleDeleted(ids));
  }

  #undo(): void {
    this.#do(() => this.pending.undo());
  }

  /** Makes a step, and shows what has changed. */
  #do(step: () => void): void {
    if (this.#isApplying) return;
    step();
    this.#conflicts = new Map();
    this.#tell();
    if (this.viewer.isOpen) this.#preview();
  }

  #tell(): void {
    const { count } = this.pending;
    this.#change.hidden = count === 0 && !this.pending.canUndo;
    this.#parts.host.tell({ kind: 'pending', result: this.#parts.result, count, changes: this.pending.kept() });
    this.#parts.changed();
  }

  #preview(): void {
    const changes = this.pending.changes();
    const rows = this.pending.rows();
    if (changes.length === 0) {
      this.viewer.close();
      this.#parts.say('There are no changes.');
      return;
    }
    const { host, result } = this.#parts;
    host.ask({ kind: 'preview', result, changes }).then(
      (answer) => this.viewer.show(statementsOf(answer).map(({ change, sql }) => this.#itemOf(sql, rows[change]))),
      (error: unknown) => this.#parts.say(error),
    );
  }

  #itemOf(sql: string, row: RowId | undefined) {
    return { sql, row, conflict: row === undefined ? undefined : this.#conflicts.get(keyOf(row)) };
  }

  #apply(): void {
    if (this.#isApplying) return;
    const { host, result, say } = this.#parts;
    const changes: RowChange[] = this.pending.changes();
    const rows = this.pending.rows();
    this.#isApplying = true;
    say('Applying');
    host
      .ask({ kind: 'apply', result, changes })
      .then((answer) => this.#applied(conflictsOf(answer), rows), say)
      .finally(() => {
        this.#isApplying = false;
      });
  }

  /** Without a conflict the result comes anew. */
  #applied(conflicts: readonly Conflict[], rows: readonly RowId[]): void {
    if (conflicts.length === 0) return;
    this.#conflicts = new Map(
      conflicts.flatMap(({ change, message }) => {
        const row = rows[change];
        return row === undefined ? [] : [[keyOf(row), message] as const];
      }),
    );
    const many = conflicts.length === 1 ? '1 row has' : `${conflicts.length} rows have`;
    this.#parts.say(`Nothing was applied: ${many} changed meanwhile.`);
    this.#parts.changed();
    this.#preview();
  }

  #mayEdit(id: RowId, { column }: Spot): boolean {
    const cell = id.kind === 'new' ? null : this.#cellOf(this.#parts.active());
    const isBinary = typeof cell === 'object' && cell !== null && 'hex' in cell;
    const refusal = isBinary ? 'Binary is not edited here.' : this.#facts?.columns[column]?.refusal;
    const why = this.pending.isDeleted(id) ? 'This row is to be deleted.' : refusal;
    if (why !== undefined) this.#parts.say(why);
    return why === undefined;
  }

  #cellOf({ row, column }: Spot): Cell | undefined {
    return this.#parts.rowAt(row)?.cells[column];
  }

  #idOf(row: number): RowId | undefined {
    const at = row - this.#parts.rows();
    if (at >= 0) return at < this.pending.added ? { kind: 'new', at } : undefined;
    const found = this.#parts.rowAt(row);
    return found && { kind: 'row', place: found.place };
  }
}

function keyOf(row: RowId): string {
  return row.kind === 'new' ? `new ${row.at}` : `row ${row.place}`;
}
