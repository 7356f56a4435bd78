import type { Binding, Caps, RowSet } from '../../engine.ts';
import { MAX_MESSAGE_CHARS } from '../../limits.ts';
import type { RowSetBuilder } from '../../row-set.ts';
import type { DriverValue } from '../../values.ts';
import type { Db } from '../catalog.ts';
import type { Bound } from '../messages.ts';
import { readableName } from '../quote.ts';
import type { RowsReply } from './rows-reply.ts';

/** The driver's replacement for invalid UTF-8. */
const REPLACEMENT = '\uFFFD';

/** A statement whose rows come as arrays. */
export type Prepared = import('better-sqlite3').Statement<unknown[], DriverValue[]>;

export interface ReadColumn {
  readonly name: string;
  /** Undefined for an expression: SQLite only knows the types of its values. */
  readonly declared: string | undefined;
  readonly boolean: boolean;
}

/** Compiles a statement and binds its values. */
export function prepare(db: Db, { sql, params }: Bound): Prepared {
  const statement = db.prepare<unknown[], DriverValue[]>(sql);
  if (params === undefined) return statement;
  return statement.bind(Object.fromEntries(Object.entries(params).map(([name, it]) => [name, boundValue(it)])));
}

/** A JavaScript number is bound as REAL, which makes 1 / 2 0.5, so whole numbers are passed as bigint. */
function boundValue({ type, value }: Binding): DriverValue {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return type === 'integer' && typeof value === 'number' ? BigInt(value) : value;
}

/** Every row as an array that loses nothing: integers as bigint, binary as bytes. */
export function rawRows(statement: Prepared): IterableIterator<DriverValue[]> {
  return statement.raw().safeIntegers().iterate();
}

/** Names, declared types, and whether the column is boolean (0 and 1). */
export function readColumns(statement: Prepared): ReadColumn[] {
  return statement.columns().map(({ name, type }) => ({
    name,
    declared: type === null || type === '' ? undefined : type,
    boolean: type !== null && /^bool(ean)?$/i.test(type),
  }));
}

/** Turns 0 and 1 of boolean columns into booleans, in place. */
export function setBooleans(row: DriverValue[], booleans: readonly number[]): void {
  for (const column of booleans) {
    const value = row[column];
    if (value === 0n || value === 1n) row[column] = value === 1n;
  }
}

/** The indexes of the boolean columns. */
export function booleanPlaces(columns: readonly ReadColumn[]): number[] {
  return columns.flatMap(({ boolean }, place) => (boolean ? [place] : []));
}

/** Rows under caps, with the columns' types as far as they are declared or visible in the values. */
export class CappedRows {
  readonly #reply: RowsReply;
  readonly #builder: RowSetBuilder;
  readonly #statement: Prepared;
  #columns: ReadColumn[] | undefined;
  #booleans: readonly number[] = [];
  #untyped: number[] = [];
  #types: string[] = [];
  readonly #replaced = new Set<number>();

  constructor(statement: Prepared, caps: Caps, reply: RowsReply) {
    this.#statement = statement;
    this.#reply = reply;
    this.#builder = reply.begin(caps);
  }

  /** False when a cap is reached. */
  add(row: DriverValue[]): boolean {
    if (this.#columns === undefined) this.#start();
    if (this.#booleans.length > 0) setBooleans(row, this.#booleans);
    if (!this.#builder.add(row)) return false;
    if (this.#untyped.length > 0) this.#look(row);
    for (let place = 0; place < row.length; place += 1) {
      const value = row[place];
      if (typeof value === 'string' && value.includes(REPLACEMENT)) this.#replaced.add(place);
    }
    return true;
  }

  /** The finished answer. */
  frame(extra: Pick<RowSet, 'affectedRows'> = {}): Buffer {
    if (this.#columns === undefined) this.#start();
    const columns = (this.#columns ?? []).map(({ name }, i) => ({ name, type: this.#types[i] ?? 'NULL' }));
    const messages = this.#messages(columns);
    return this.#reply.finish(this.#builder, columns, messages.length === 0 ? extra : { ...extra, messages });
  }

  /** SQLite stores any bytes as text, and the driver silently replaces invalid UTF-8. */
  #messages(columns: RowSet['columns']): string[] {
    if (this.#replaced.size === 0) return [];
    const names = [...this.#replaced].map((place) => readableName(columns[place]?.name ?? String(place)));
    const text = `U+FFFD replaces bytes that are not UTF-8; CAST(column AS BLOB) returns them. It is in ${names.join(', ')}.`;
    return [text.slice(0, MAX_MESSAGE_CHARS)];
  }

  /** At the first row, not before: SQLite recompiles a statement when the schema has changed. */
  #start(): void {
    const columns = readColumns(this.#statement);
    this.#columns = columns;
    this.#booleans = booleanPlaces(columns);
    this.#types = columns.map(({ declared }) => declared ?? 'NULL');
    this.#untyped = columns.flatMap(({ declared }, place) => (declared === undefined ? [place] : []));
  }

  #look(row: readonly DriverValue[]): void {
    this.#untyped = this.#untyped.filter((place) => {
      const value = row[place] ?? null;
      if (value !== null) this.#types[place] = storageClass(value);
      return value === null;
    });
  }
}

function storageClass(value: Exclude<DriverValue, null>): string {
  switch (typeof value) {
    case 'bigint':
    case 'boolean':
      return 'INTEGER';
    case 'number':
      return 'REAL';
    case 'string':
      return 'TEXT';
    default:
      return 'BLOB';
  }
}
