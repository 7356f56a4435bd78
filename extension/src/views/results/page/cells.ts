/** A cell as a page of rows has it: a long one in part, with its length. */
export type Cell =
  | null
  | boolean
  | number
  | string
  | { readonly text: string; readonly chars: number }
  | { readonly hex: string; readonly bytes: number };

/** How a cell looks: its text on one line, and what it is. */
export interface Look {
  readonly text: string;
  readonly kind: 'null' | 'number' | 'text' | 'binary' | 'empty';
}

export function lookOf(cell: Cell): Look {
  if (cell === null) return { text: 'NULL', kind: 'null' };
  if (typeof cell === 'number') return { text: String(cell), kind: 'number' };
  if (typeof cell === 'boolean') return { text: String(cell), kind: 'text' };
  if (typeof cell === 'string') return { text: oneLine(cell), kind: cell === '' ? 'empty' : 'text' };
  if ('text' in cell) return { text: `${oneLine(cell.text)}…`, kind: 'text' };
  const part = cell.hex.length < 2 * cell.bytes ? `${cell.hex}… (${cell.bytes} bytes)` : cell.hex;
  return { text: `0x${part}`, kind: 'binary' };
}

function oneLine(text: string): string {
  return text.replace(/\r\n|[\r\n]/g, '↵').replaceAll('\t', '⇥');
}

/** A row as a page shows it, and its number in the result as it came: the order may be another one. */
export interface Row {
  readonly cells: readonly Cell[];
  readonly place: number;
}

/** The rows of a page's answer, which the extension has parsed. */
export function rowsOf(answer: unknown): Row[] {
  if (typeof answer !== 'object' || answer === null || !('rows' in answer) || !('places' in answer)) throw noRows();
  const rows: unknown = JSON.parse(String(answer.rows));
  const { places } = answer;
  if (!isRows(rows) || !Array.isArray(places)) throw noRows();
  return rows.map((cells, at) => ({ cells, place: Number(places[at]) }));
}

/** The first rows of a result, which are in the order in which they came. */
export function firstRowsOf(rows: string): Row[] {
  const parsed: unknown = JSON.parse(rows);
  if (!isRows(parsed)) throw noRows();
  return parsed.map((cells, place) => ({ cells, place }));
}

function noRows(): Error {
  return new Error('A page is no list of rows.');
}

/** The sidecar has made them, and each of its cells. */
function isRows(rows: unknown): rows is Cell[][] {
  return Array.isArray(rows) && rows.every(Array.isArray);
}
