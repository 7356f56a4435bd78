import type { Cell } from '@devdb/shared/tools/fields';
import type { Caps, RowSet } from './engine.ts';
import { type DriverValue, encodeCell } from './values.ts';

type Cut = NonNullable<RowSet['cut']>[number];

interface EncodedRow {
  readonly cells: readonly Cell[];
  readonly text: string;
  readonly bytes: number;
  readonly cut: readonly Cut[];
}

const BRACKETS_BYTES = 2;
const COMMA_BYTES = 1;
const NO_CUT: readonly Cut[] = [];

/** Takes rows until a cap is reached. Stop reading when `add` says no: that row is the one that is left out. */
export class RowSetBuilder {
  readonly #caps: Caps;
  readonly #rows: (readonly Cell[])[] = [];
  readonly #texts: string[] = [];
  readonly #cut: Cut[] = [];
  #bytes = BRACKETS_BYTES;
  #truncated = false;

  constructor(caps: Caps) {
    this.#caps = caps;
  }

  get rowCount(): number {
    return this.#rows.length;
  }

  /** False when the row was not taken because a cap is reached. */
  add(values: readonly DriverValue[]): boolean {
    if (this.#truncated || this.#rows.length >= this.#caps.rows) return this.#refuse();
    const index = this.#rows.length;
    let row = encodeRow(values, index, this.#caps.cellBytes);
    const room = this.#caps.bytes - this.#bytes - (index === 0 ? 0 : COMMA_BYTES);
    if (row.bytes > room) {
      if (index > 0) return this.#refuse();
      row = shrinkRow(values, this.#caps.cellBytes, room);
    }
    this.#rows.push(row.cells);
    this.#texts.push(row.text);
    if (row.cut.length > 0) this.#cut.push(...row.cut);
    this.#bytes = this.#caps.bytes - room + row.bytes;
    return true;
  }

  finish(columns: RowSet['columns']): RowSet {
    return { columns, rows: this.#rows, ...this.#rest() };
  }

  /** The same answer as JSON text; the rows are not encoded a second time. `extra` joins it. */
  finishJson(columns: RowSet['columns'], extra: Pick<RowSet, 'affectedRows' | 'messages'> = {}): string {
    const rest = JSON.stringify({ ...this.#rest(), ...extra });
    return `{"columns":${JSON.stringify(columns)},"rows":[${this.#texts.join(',')}],${rest.slice(1)}`;
  }

  #rest(): Pick<RowSet, 'rowCount' | 'truncated' | 'cut'> {
    const rest = { rowCount: this.#rows.length, truncated: this.#truncated };
    return this.#cut.length === 0 ? rest : { ...rest, cut: this.#cut };
  }

  #refuse(): false {
    this.#truncated = true;
    return false;
  }
}

function encodeRow(values: readonly DriverValue[], row: number, cellBytes: number): EncodedRow {
  let cut: Cut[] | undefined;
  const cells = values.map((value, column) =>
    encodeCell(value, cellBytes, (length) => {
      cut ??= [];
      cut.push({ row, column, length });
    }),
  );
  return toRow(cells, cut ?? NO_CUT);
}

function toRow(cells: readonly Cell[], cut: readonly Cut[]): EncodedRow {
  const text = JSON.stringify(cells);
  return { cells, text, bytes: Buffer.byteLength(text), cut };
}

/** One row that is over the byte cap by itself: its cells are cut shorter until it fits, an answer without rows helps nobody. */
function shrinkRow(values: readonly DriverValue[], cellBytes: number, room: number): EncodedRow {
  let row: EncodedRow | undefined;
  for (let cap = cellBytes >> 1; cap > 0; cap >>= 1) {
    row = encodeRow(values, 0, cap);
    if (row.bytes <= room) return row;
  }
  return dropCells(row ?? encodeRow(values, 0, 0), room);
}

/** Thousands of numbers in one row: none can be cut, so the last ones become null and are listed as cut. */
function dropCells(row: EncodedRow, room: number): EncodedRow {
  const cells = [...row.cells];
  const cut = new Map(row.cut.map((entry) => [entry.column, entry]));
  let bytes = row.bytes;
  for (let column = cells.length - 1; column >= 0 && bytes > room; column -= 1) {
    const length = Buffer.byteLength(JSON.stringify(cells[column]));
    if (length <= NULL_BYTES) continue;
    cells[column] = null;
    if (!cut.has(column)) cut.set(column, { row: 0, column, length });
    bytes -= length - NULL_BYTES;
  }
  return toRow(
    cells,
    [...cut.values()].sort((a, b) => a.column - b.column),
  );
}

const NULL_BYTES = 4;
