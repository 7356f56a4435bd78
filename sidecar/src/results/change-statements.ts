import { AppError } from '@devdb/shared/errors';
import type { RowChange } from '@devdb/shared/protocol/edit-methods';
import type { Cell } from '@devdb/shared/tools/database/fields';
import type { Literals } from '../engines/literals.ts';
import type { ChangeStatement, EditableColumn, EditableTable, RowValues } from '../engines/row-editing.ts';

/** A table as a result shows it. */
export interface ShownRows {
  readonly table: EditableTable;
  /** The table's column behind each column of the result. */
  readonly columns: readonly EditableColumn[];
}

/** How statements are written in the dialect of the table's database. */
export interface Dialect {
  readonly literals: Literals;
  readonly values: RowValues;
}

/** Rows with a key that another row is about to get have to go first. */
const ORDER = ['delete', 'update', 'insert'] as const;

type Update = Extract<RowChange, { kind: 'update' }>;
type Typed = Update['cells'][number];

/**
 * A statement for each change. It finds its row by the key and by the old values of what it changes, so that it does
 * nothing where somebody else has changed them.
 */
export class ChangeStatements {
  readonly #rows: ShownRows;
  readonly #dialect: Dialect;

  constructor(rows: ShownRows, dialect: Dialect) {
    this.#rows = rows;
    this.#dialect = dialect;
  }

  /** Why the rows cannot be edited; undefined where they can. */
  get refusal(): string | undefined {
    const { table, columns } = this.#rows;
    if (table.refusal !== undefined) return table.refusal;
    if (table.key.length === 0) {
      return `${table.name} has no primary key, so that one row cannot be told from another.`;
    }
    const missing = table.key.filter((name) => !columns.some((column) => column.name === name));
    if (missing.length === 0) return undefined;
    return `The result lacks ${missing.join(', ')} of the primary key of ${table.name}.`;
  }

  /** In the order in which they are to run; `cellsOf` gives a row as the result has it. */
  async of(
    changes: readonly RowChange[],
    cellsOf: (row: number) => Promise<readonly Cell[]>,
  ): Promise<ChangeStatement[]> {
    const { refusal } = this;
    if (refusal !== undefined) throw new AppError('E_NOT_SUPPORTED', refusal);
    const statements: ChangeStatement[] = [];
    for (const kind of ORDER) {
      for (const [change, one] of changes.entries()) {
        if (one.kind !== kind) continue;
        statements.push({ change, ...(await this.#statement(one, cellsOf)) });
      }
    }
    return statements;
  }

  /** Reads the row that a row refers to with the foreign key of a column. */
  referenced(cells: readonly Cell[], place: number): string {
    const { table, columns } = this.#rows;
    const name = columns[place]?.name;
    const link = table.links.find(({ columns: parts }) => name !== undefined && parts.includes(name));
    if (link === undefined) throw new AppError('E_INVALID_PARAMS', 'This column refers to no other table.');
    const conditions = link.columns.map((part, at) => {
      const [column, cell] = this.#named(part, cells);
      if (cell === null) throw new AppError('E_INVALID_PARAMS', `${part} is NULL: it refers to no row.`);
      return this.#dialect.values.key({ ...column, name: link.parentColumns[at] ?? '' }, cell) ?? incomparable(part);
    });
    return `SELECT * FROM ${link.parent} WHERE ${conditions.join(' AND ')}`;
  }

  /** Reads all rows of the table that have in a column what this row has there, as the database compares. */
  withSameValue(cells: readonly Cell[], place: number): string {
    const column = this.#rows.columns[place];
    if (column === undefined) throw new AppError('E_INVALID_PARAMS', `The result has no column ${place + 1}.`);
    const cell = cells[place] ?? null;
    const condition = cell === null ? `${this.#name(column)} IS NULL` : this.#dialect.values.key(column, cell);
    if (condition === undefined) throw new AppError('E_NOT_SUPPORTED', `Values of ${column.name} cannot be compared.`);
    return `SELECT * FROM ${this.#rows.table.from} WHERE ${condition}`;
  }

  async #statement(
    change: RowChange,
    cellsOf: (row: number) => Promise<readonly Cell[]>,
  ): Promise<Omit<ChangeStatement, 'change'>> {
    const { from } = this.#rows.table;
    if (change.kind === 'insert') return { sql: this.#insert(change.cells), row: undefined };
    const cells = await cellsOf(change.row);
    const row = { query: this.#select(cells), columns: this.#rows.columns.map(({ name }) => name), cells };
    if (change.kind === 'delete') {
      return { sql: `DELETE FROM ${from} WHERE ${this.#conditions(cells, cells.keys())}`, row };
    }
    const sets = change.cells.map((typed) => {
      const column = this.#editable(typed.column, cells[typed.column]);
      const before = cells[typed.column] ?? null;
      if (before !== null && this.#dialect.values.same(column, before) === undefined)
        throw incomparableError(column.name);
      return `${this.#name(column)} = ${this.#written(column, typed.value, before)}`;
    });
    const changed = change.cells.map(({ column }) => column);
    return { sql: `UPDATE ${from} SET ${sets.join(', ')} WHERE ${this.#conditions(cells, changed)}`, row };
  }

  #insert(cells: readonly Typed[]): string {
    const { from } = this.#rows.table;
    const { values } = this.#dialect;
    if (cells.length === 0) return `INSERT INTO ${from} ${values.onlyDefaults}`;
    const columns = cells.map(({ column }) => this.#editable(column, undefined));
    const written = cells.map(({ value }, at) => {
      const column = columns[at];
      return column === undefined ? 'NULL' : this.#written(column, value, undefined);
    });
    return `INSERT INTO ${from} (${columns.map((column) => this.#name(column)).join(', ')}) VALUES (${written.join(', ')})`;
  }

  #select(cells: readonly Cell[]): string {
    const { table, columns } = this.#rows;
    const names = columns.map((column) => this.#name(column)).join(', ');
    return `SELECT ${names} FROM ${table.from} WHERE ${this.#conditions(cells, [])}`;
  }

  /** The key, and the old values at these places. */
  #conditions(cells: readonly Cell[], places: Iterable<number>): string {
    const { values } = this.#dialect;
    const keys = this.#rows.table.key.map((name) => {
      const [column, cell] = this.#named(name, cells);
      return cell === null ? `${this.#name(column)} IS NULL` : (values.key(column, cell) ?? incomparable(name));
    });
    const old = [...places].flatMap((place) => {
      const column = this.#rows.columns[place];
      const cell = cells[place] ?? null;
      // A key finds its row by value; of texts a collation may take others for the same.
      if (column === undefined || (this.#isKey(column) && typeof cell !== 'string')) return [];
      return cell === null ? `${this.#name(column)} IS NULL` : (values.same(column, cell) ?? []);
    });
    return [...new Set([...keys, ...old])].join(' AND ');
  }

  #isKey({ name }: EditableColumn): boolean {
    return this.#rows.table.key.includes(name);
  }

  #named(name: string, cells: readonly Cell[]): readonly [EditableColumn, Cell] {
    const place = this.#rows.columns.findIndex((column) => column.name === name);
    const column = this.#rows.columns[place];
    if (column === undefined) throw new AppError('E_NOT_SUPPORTED', `The result lacks the column ${name}.`);
    return [column, cells[place] ?? null];
  }

  #editable(place: number, before: Cell | undefined): EditableColumn {
    const column = this.#rows.columns[place];
    if (column === undefined) throw new AppError('E_INVALID_PARAMS', `The result has no column ${place + 1}.`);
    const isBinary = typeof before === 'object' && before !== null;
    const refusal = isBinary ? binaryRefusal(column.name) : columnRefusal(column);
    if (refusal !== undefined) throw new AppError('E_NOT_SUPPORTED', refusal);
    return column;
  }

  #written(column: EditableColumn, value: string | null, before: Cell | undefined): string {
    return value === null ? 'NULL' : this.#dialect.values.write(column, value, before);
  }

  #name({ name }: EditableColumn): string {
    return this.#dialect.literals.name(name);
  }
}

/** Why the cells of a column are not edited; undefined where they are. */
export function columnRefusal({ name, kind }: EditableColumn): string | undefined {
  if (kind === 'given') return `The database gives ${name} its values.`;
  return kind === 'binary' ? binaryRefusal(name) : undefined;
}

function binaryRefusal(name: string): string {
  return `${name} is binary, which is not edited here.`;
}

function incomparable(name: string): never {
  throw incomparableError(name);
}

function incomparableError(name: string): AppError {
  return new AppError(
    'E_NOT_SUPPORTED',
    `Values of ${name} cannot be compared, so that a change could not be noticed.`,
  );
}
