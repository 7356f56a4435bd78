import { once } from '@devdb/shared/once';
import { withRowsText } from '@devdb/shared/rows-text';
import type { Cell } from '@devdb/shared/tools/database/fields';
import type { Caps, RowSet } from './engine.ts';
import { jsonClasses, writeJsonCell } from './json-cell.ts';
import { type Classes, LineBuffer } from './line-buffer.ts';
import { type DriverValue, encodeCell } from './values.ts';

type Cut = NonNullable<RowSet['cut']>[number];

/** The parts of an answer besides its rows and columns. */
export type RowFacts = Omit<RowSet, 'columns' | 'rows'>;

const OPEN = 91;
const CLOSE = 93;
const COMMA = 44;
const CLOSE_BYTES = 1;
/** Most answers are small, and Node cuts small buffers from a larger one. */
const FIRST_BYTES = 2 * 1024;
const sharedClasses = once(jsonClasses);

/**
 * Takes rows until a cap is reached, and writes them as JSON at once: only their text is kept. Stop reading when `add`
 * returns false: that row was left out.
 */
export class RowSetBuilder {
  readonly #caps: Caps;
  readonly #target: LineBuffer;
  readonly #start: number;
  readonly #classes: Classes;
  readonly #cut: Cut[] = [];
  #rows = 0;
  #truncated = false;

  /** Rows are written after the target's content. */
  constructor(caps: Caps, target: LineBuffer = new LineBuffer(FIRST_BYTES), classes: Classes = sharedClasses()) {
    this.#caps = caps;
    this.#target = target;
    this.#start = target.length;
    this.#classes = classes;
    target.byte(OPEN);
  }

  get rowCount(): number {
    return this.#rows;
  }

  /** False when the row was not taken because a cap is reached. */
  add(values: readonly DriverValue[]): boolean {
    if (this.#truncated || this.#rows >= this.#caps.rows) return this.#refuse();
    const before = this.#target.length;
    const cutBefore = this.#cut.length;
    if (this.#rows > 0) this.#target.byte(COMMA);
    this.#write(values);
    if (this.#target.length - this.#start + CLOSE_BYTES > this.#caps.bytes) {
      this.#target.cutTo(before);
      this.#cut.length = cutBefore;
      if (this.#rows > 0) return this.#refuse();
      const row = shrinkRow(values, this.#caps.cellBytes, this.#caps.bytes - (before - this.#start) - CLOSE_BYTES);
      this.#target.text(row.text);
      this.#cut.push(...row.cut);
    }
    this.#rows += 1;
    return true;
  }

  finish(columns: RowSet['columns'], extra: Pick<RowSet, 'affectedRows' | 'messages'> = {}): RowSet {
    this.end();
    const text = this.#target.take().toString('utf8', this.#start);
    return withRowsText(columns, text, { ...this.facts(), ...extra });
  }

  /** Closes the rows' text in the target; returns its length in bytes. */
  end(): number {
    this.#target.byte(CLOSE);
    return this.#target.length - this.#start;
  }

  facts(): RowFacts {
    const facts = { rowCount: this.#rows, truncated: this.#truncated };
    return this.#cut.length === 0 ? facts : { ...facts, cut: this.#cut };
  }

  #write(values: readonly DriverValue[]): void {
    const target = this.#target;
    let column = 0;
    const onCut = (length: number) => this.#cut.push({ row: this.#rows, column, length });
    target.byte(OPEN);
    for (; column < values.length; column += 1) {
      if (column > 0) target.byte(COMMA);
      writeJsonCell(target, values[column] ?? null, this.#classes, this.#caps.cellBytes, onCut);
    }
    target.byte(CLOSE);
  }

  #refuse(): false {
    this.#truncated = true;
    return false;
  }
}

interface EncodedRow {
  readonly cells: readonly Cell[];
  readonly text: string;
  readonly bytes: number;
  readonly cut: readonly Cut[];
}

function encodeRow(values: readonly DriverValue[], cellBytes: number): EncodedRow {
  const cut: Cut[] = [];
  const cells = values.map((value, column) =>
    encodeCell(value, cellBytes, (length) => cut.push({ row: 0, column, length })),
  );
  return toRow(cells, cut);
}

function toRow(cells: readonly Cell[], cut: readonly Cut[]): EncodedRow {
  const text = JSON.stringify(cells);
  return { cells, text, bytes: Buffer.byteLength(text), cut };
}

/**
 * A row that exceeds the byte cap by itself: its cells are cut shorter until it fits, because an answer without rows is
 * of no use.
 */
function shrinkRow(values: readonly DriverValue[], cellBytes: number, room: number): EncodedRow {
  let row: EncodedRow | undefined;
  for (let cap = cellBytes >> 1; cap > 0; cap >>= 1) {
    row = encodeRow(values, cap);
    if (row.bytes <= room) return row;
  }
  return dropCells(row ?? encodeRow(values, 0), room);
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
