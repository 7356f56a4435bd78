/** A cell by its row and column. */
export interface Spot {
  readonly row: number;
  readonly column: number;
}

/** A rectangle of cells. */
export interface Area {
  readonly from: number;
  readonly count: number;
  readonly columns: readonly number[];
}

/** The active cell, and the cells between it and where the selection began. */
export class Selection {
  #active: Spot = { row: 0, column: 0 };
  #anchor: Spot = { row: 0, column: 0 };

  get active(): Spot {
    return this.#active;
  }

  /** Makes a cell the active one; `extends` keeps where the selection began. */
  move(spot: Spot, extend = false): void {
    this.#active = spot;
    if (!extend) this.#anchor = spot;
  }

  all(rows: number, columns: number): void {
    this.#anchor = { row: 0, column: 0 };
    this.#active = { row: Math.max(0, rows - 1), column: Math.max(0, columns - 1) };
  }

  has({ row, column }: Spot): boolean {
    const [a, b] = [this.#active, this.#anchor];
    return (
      row >= Math.min(a.row, b.row) &&
      row <= Math.max(a.row, b.row) &&
      column >= Math.min(a.column, b.column) &&
      column <= Math.max(a.column, b.column)
    );
  }

  get area(): Area {
    const [a, b] = [this.#active, this.#anchor];
    const from = Math.min(a.row, b.row);
    const left = Math.min(a.column, b.column);
    const width = Math.abs(a.column - b.column) + 1;
    return {
      from,
      count: Math.abs(a.row - b.row) + 1,
      columns: Array.from({ length: width }, (_, at) => left + at),
    };
  }
}

/** Where a key takes the active cell; undefined for a key that does not move it. */
export function spotAfter(
  key: string,
  isFar: boolean,
  { row, column }: Spot,
  size: { readonly rows: number; readonly columns: number; readonly page: number },
): Spot | undefined {
  const [lastRow, lastColumn] = [Math.max(0, size.rows - 1), Math.max(0, size.columns - 1)];
  const moves: Readonly<Record<string, Spot>> = {
    ArrowUp: { row: isFar ? 0 : row - 1, column },
    ArrowDown: { row: isFar ? lastRow : row + 1, column },
    ArrowLeft: { row, column: isFar ? 0 : column - 1 },
    ArrowRight: { row, column: isFar ? lastColumn : column + 1 },
    PageUp: { row: row - size.page, column },
    PageDown: { row: row + size.page, column },
    Home: { row: isFar ? 0 : row, column: 0 },
    End: { row: isFar ? lastRow : row, column: lastColumn },
  };
  const to = moves[key];
  if (to === undefined) return undefined;
  return {
    row: Math.min(lastRow, Math.max(0, to.row)),
    column: Math.min(lastColumn, Math.max(0, to.column)),
  };
}
