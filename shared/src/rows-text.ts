import type { Cell } from './tools/database/fields.ts';

type Rows = readonly (readonly Cell[])[];

class Encoded {
  readonly columns: unknown;
  readonly rest: object;
  readonly text: string;
  #rows: Rows | undefined;

  constructor(columns: unknown, rest: object, text: string) {
    this.columns = columns;
    this.rest = rest;
    this.text = text;
  }

  get rows(): Rows {
    this.#rows ??= parseRows(this.text);
    return this.#rows;
  }
}

// Not enumerable: the data looks the same to all other code, and a changed copy carries no outdated text.
const ENCODED = Symbol('encoded');

// One getter for all: V8 gives an object with its own getter its own shape, which costs more than the object.
const ROWS_OF_TEXT = {
  enumerable: true,
  get(this: object): Rows | undefined {
    return encodedOf(this)?.rows;
  },
};

/**
 * Data of a tool whose rows are already JSON text. Most answers are passed on without anybody reading cells, so the
 * rows are parsed on first access.
 */
export function withRowsText<const Columns, const Rest extends object>(
  columns: Columns,
  text: string,
  rest: Rest,
): Rest & { readonly columns: Columns; readonly rows: Rows } {
  const data = Object.defineProperty({ columns }, ENCODED, { value: new Encoded(columns, rest, text) });
  const whole = Object.assign(Object.defineProperty(data, 'rows', ROWS_OF_TEXT), rest);
  if (hasRowsText(whole)) return whole;
  throw new Error('An object does not keep what was defined for it.');
}

function hasRowsText<Data extends object>(data: Data): data is Data & { readonly rows: Rows } {
  return encodedOf(data) !== undefined;
}

/** The data without its rows, where those are text; undefined for any other data. */
export function withoutRowsText(data: unknown): object | undefined {
  const known = encodedOf(data);
  return known && { columns: known.columns, ...known.rest };
}

/** The JSON of a tool's data; rows that are already text are not encoded again. */
export function encodeData(data: unknown): string {
  return dataPieces(data).join('');
}

/** The same in consecutive pieces, so that a long text is not copied into a longer one. */
export function dataPieces(data: unknown): readonly string[] {
  const known = encodedOf(data);
  if (known === undefined) return [JSON.stringify(data)];
  const { columns, text, rest } = known;
  const more = JSON.stringify(rest);
  return [`{"columns":${JSON.stringify(columns)},"rows":`, text, more === '{}' ? '}' : `,${more.slice(1)}`];
}

/** The columns, the rows as JSON text, and whatever else data has; undefined for data without rows. */
export function rowsParts(data: unknown):
  | {
      readonly columns: readonly { readonly name: string }[];
      readonly rows: string;
      readonly rest: Readonly<Record<string, unknown>>;
    }
  | undefined {
  if (typeof data !== 'object' || data === null || !('columns' in data) || !('rows' in data)) return undefined;
  const known = encodedOf(data);
  const { columns, rows, ...rest } = known === undefined ? data : { ...known.rest, columns: known.columns, rows: [] };
  if (!Array.isArray(columns)) return undefined;
  return { columns: columns.map(named), rows: known?.text ?? JSON.stringify(rows), rest };
}

function named(column: unknown): { readonly name: string } {
  const name: unknown = typeof column === 'object' && column !== null && 'name' in column ? column.name : column;
  return { name: String(name) };
}

function encodedOf(data: unknown): Encoded | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const known: unknown = Reflect.get(data, ENCODED);
  return known instanceof Encoded ? known : undefined;
}

function parseRows(text: string): Rows {
  const rows: unknown = JSON.parse(text);
  if (!isRows(rows)) throw new Error('The rows are not a JSON array.');
  return rows;
}

/** The encoder guarantees the cells. */
function isRows(value: unknown): value is Rows {
  return Array.isArray(value);
}

/** The start of a result: the names of its columns, and its first rows as JSON. */
export interface RowsHead {
  readonly columns: readonly string[];
  readonly text: string;
}

/** As many of the first rows as fit, each whole. Rows that are text are not parsed for it; undefined without rows. */
export function rowsHead(data: unknown, mostRows: number, mostChars: number): RowsHead | undefined {
  const known = encodedOf(data);
  if (known !== undefined) return { columns: namesOf(known.columns), text: headOf(known.text, mostRows, mostChars) };
  if (typeof data !== 'object' || data === null || !('columns' in data) || !('rows' in data)) return undefined;
  const { columns, rows } = data;
  if (!Array.isArray(columns) || !Array.isArray(rows)) return undefined;
  const text = headOf(JSON.stringify(rows.slice(0, mostRows)), mostRows, mostChars);
  return { columns: namesOf(columns), text };
}

function namesOf(columns: unknown): string[] {
  return Array.isArray(columns) ? columns.map((column) => named(column).name) : [];
}

function headOf(text: string, mostRows: number, mostChars: number): string {
  let [depth, rows, end, isText] = [0, 0, 1, false];
  for (let at = 0; at < text.length && at < mostChars && rows < mostRows; at += 1) {
    const char = text[at];
    if (isText) {
      if (char === '\\') at += 1;
      else if (char === '"') isText = false;
    } else if (char === '"') isText = true;
    else if (char === '[' || char === '{') depth += 1;
    else if (char === ']' || char === '}') {
      depth -= 1;
      if (depth === 1) [rows, end] = [rows + 1, at + 1];
    }
  }
  return `${text.slice(0, end)}]`;
}
