import type { DriverValue } from './values.ts';

/** Turns one cell as the server sent it into a value; the reader of a column is chosen once. */
export type ReadCell<Raw> = (raw: Raw) => DriverValue;

/** The values of a row, each read by the reader of its column. */
export function readRow<Raw>(cells: readonly (Raw | null)[], readers: readonly ReadCell<Raw>[]): DriverValue[] {
  const row = new Array<DriverValue>(cells.length);
  for (let i = 0; i < cells.length; i += 1) {
    const cell = cells[i];
    const read = readers[i];
    row[i] = cell === null || cell === undefined || read === undefined ? null : read(cell);
  }
  return row;
}
