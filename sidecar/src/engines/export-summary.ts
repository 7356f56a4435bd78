import { DecimalSum } from './decimal-sum.ts';
import type { ExportSummary } from './engine.ts';
import { EXPORT_EDGE_BYTES, MOST_TOLD_COLUMNS } from './limits.ts';
import { uniqueNames } from './row-lines.ts';
import type { DriverValue } from './values.ts';

/** What an export tells of its rows besides the file: no more than the totals and two lines are kept of them. */
export class ExportFacts {
  readonly edges = new EdgeLines();
  #names: readonly string[] = [];
  #sums: (DecimalSum | undefined)[] = [];
  #seen: Uint8Array = new Uint8Array();

  /** `isNumber` of a column, where the server says so; without it the values decide. */
  columns(names: readonly string[], isNumber: readonly boolean[] = names.map(() => true)): void {
    this.#names = names.slice(0, MOST_TOLD_COLUMNS);
    this.#sums = this.#names.map((_, at) => (isNumber[at] ? new DecimalSum() : undefined));
    this.#seen = new Uint8Array(this.#names.length);
  }

  /** Adds the numbers of a row, in columns that the server says are numeric. */
  numbers(cells: readonly (DriverValue | undefined)[]): void {
    for (let at = 0; at < this.#sums.length; at += 1) {
      const sum = this.#sums[at];
      const cell = cells[at];
      if (sum === undefined || cell === null || cell === undefined || typeof cell === 'boolean') continue;
      sum.add(cell);
      this.#seen[at] = 1;
    }
  }

  /** The same where only the values tell: a column with anything else than numbers has no total. */
  values(cells: readonly DriverValue[]): void {
    for (let at = 0; at < this.#sums.length; at += 1) {
      const cell = cells[at];
      if (cell === null || cell === undefined) continue;
      if (typeof cell !== 'number' && typeof cell !== 'bigint') {
        this.#sums[at] = undefined;
        continue;
      }
      this.#sums[at]?.add(cell);
      this.#seen[at] = 1;
    }
  }

  summary(): ExportSummary {
    const { first, last } = this.edges;
    const totals = uniqueNames(this.#names).flatMap((name, at) => {
      const total = this.#seen[at] === 1 ? this.#sums[at]?.total() : undefined;
      return total === undefined ? [] : [[name, total] as const];
    });
    return {
      columns: [...this.#names],
      ...(totals.length === 0 ? {} : { totals: Object.fromEntries(totals) }),
      ...(first === undefined || last === undefined ? {} : { first, last }),
    };
  }
}

/** The first and the last line of rows in a file that is written through a buffer. */
class EdgeLines {
  #start = 0;
  #lastStart = 0;
  #firstStart = 0;
  #firstEnd: number | undefined;
  first: string | undefined;
  last: string | undefined;

  /** The head was written; `length` is the buffer's. */
  headDone(length: number): void {
    this.#start = length;
  }

  rowDone(length: number): void {
    if (this.#firstEnd === undefined) {
      this.#firstStart = this.#start;
      this.#firstEnd = length;
    }
    this.#lastStart = this.#start;
    this.#start = length;
  }

  /** The buffer was emptied: these are its bytes, with the rows they complete. */
  taken(bytes: Buffer, rows: number): void {
    this.#start = 0;
    if (rows === 0) return;
    this.first ??= lineText(bytes.subarray(this.#firstStart, this.#firstEnd));
    this.last = lineText(bytes.subarray(this.#lastStart));
  }
}

/** A line without its end, cut where a cell is huge. */
function lineText(line: Buffer): string {
  if (line.length <= EXPORT_EDGE_BYTES) return line.toString('utf8').replace(/\r?\n$/, '');
  // Streaming, the decoder keeps an unfinished character to itself.
  const start = new TextDecoder().decode(line.subarray(0, EXPORT_EDGE_BYTES), { stream: true });
  return `${start}… (${line.length} bytes)`;
}
