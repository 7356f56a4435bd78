import { type FileHandle, open, rm } from 'node:fs/promises';
import { AppError } from '@devdb/shared/errors';
import { FILE_MODE } from '../host/home.ts';
import { MAX_RUNS, MERGED_ROWS, PIECE_BYTES, RUN_KEY_CHARS, RUN_ROWS } from './limits.ts';
import { LineReader } from './line-reader.ts';
import { placeFor } from './place-for.ts';
import { compareKeys, type SortKey } from './sort-key.ts';

/** A row by its number, with what decides its place. */
export interface Keyed {
  readonly row: number;
  readonly key: SortKey;
}

interface Run {
  readonly path: string;
  readonly file: FileHandle;
  readonly bytes: number;
}

/**
 * Sorts more rows than fit into memory: sorted runs are written to the disk and then merged. Rows with equal keys stay
 * in the order of their numbers, in both directions.
 */
export class SortRuns {
  readonly #path: string;
  readonly #compare: (one: Keyed, other: Keyed) => number;
  readonly #runs: Run[] = [];
  #rows: Keyed[] = [];
  #chars = 0;

  /** `path` begins the names of the files. */
  constructor(path: string, isDescending: boolean) {
    this.#path = path;
    const direction = isDescending ? -1 : 1;
    this.#compare = (one, other) => direction * compareKeys(one.key, other.key) || one.row - other.row;
  }

  /** Adds a row. A promise only when a run is complete. */
  add(keyed: Keyed): Promise<void> | undefined {
    this.#rows.push(keyed);
    this.#chars += keyed.key.text.length;
    return this.#rows.length < RUN_ROWS && this.#chars < RUN_KEY_CHARS ? undefined : this.#endRun();
  }

  /** The numbers of the rows in order, a few at a time. */
  async *sorted(): AsyncGenerator<readonly number[]> {
    if (this.#runs.length === 0) {
      yield this.#taken().map(({ row }) => row);
      return;
    }
    if (this.#rows.length > 0) await this.#endRun();
    yield* this.#merge();
  }

  /** Removes its files. */
  async end(): Promise<void> {
    for (const { file, path } of this.#runs.splice(0)) {
      await file.close();
      await rm(path, { force: true });
    }
  }

  async #endRun(): Promise<void> {
    if (this.#runs.length === MAX_RUNS) throw tooManyRows();
    this.#chars = 0;
    const path = `${this.#path}.${this.#runs.length}`;
    const file = await open(path, 'wx+', FILE_MODE);
    let bytes = 0;
    this.#runs.push({
      path,
      file,
      get bytes() {
        return bytes;
      },
    });
    for (const lines of pieces(this.#taken())) {
      await file.appendFile(lines);
      bytes += Buffer.byteLength(lines);
    }
  }

  /** Those that were added, in order; nothing is left of them. */
  #taken(): readonly Keyed[] {
    const rows = this.#rows.sort(this.#compare);
    this.#rows = [];
    return rows;
  }

  async *#merge(): AsyncGenerator<readonly number[]> {
    const heads: RunHead[] = [];
    for (const run of this.#runs) {
      const head = new RunHead(run);
      if (await head.advance()) heads.push(head);
    }
    const compare = (one: RunHead, other: RunHead) => this.#compare(one.keyed, other.keyed);
    heads.sort(compare);
    let rows: number[] = [];
    for (let first = heads[0]; first !== undefined; first = heads[0]) {
      rows.push(first.keyed.row);
      if (rows.length === MERGED_ROWS) {
        yield rows;
        rows = [];
      }
      const hasMore = first.advanceNow() ?? (await first.advance());
      heads.shift();
      if (hasMore) heads.splice(placeFor(first, heads, compare), 0, first);
    }
    yield rows;
  }
}

/** The next row of a run. */
class RunHead {
  keyed: Keyed = { row: 0, key: { rank: 0, number: 0, text: '' } };
  readonly #reader: LineReader;
  #lines: readonly (string | undefined)[] = [];
  #at = 0;

  constructor({ file, bytes }: Run) {
    this.#reader = new LineReader(file, 0, bytes);
  }

  /** Goes on without reading; undefined where the next row has to be read. */
  advanceNow(): true | undefined {
    const line = this.#lines[this.#at];
    if (line === undefined) return undefined;
    this.#at += 1;
    this.keyed = keyedOf(line);
    return true;
  }

  /** False at the end of the run. */
  async advance(): Promise<boolean> {
    while (this.#at >= this.#lines.length) {
      if (this.#reader.isAtEnd) return false;
      this.#lines = await this.#reader.next();
      this.#at = 0;
    }
    return this.advanceNow() ?? false;
  }
}

/** Lines of rows, as many as are written at a time. */
function* pieces(rows: Iterable<Keyed>): Generator<string> {
  let lines = '';
  for (const keyed of rows) {
    lines += lineOf(keyed);
    if (lines.length < PIECE_BYTES) continue;
    yield lines;
    lines = '';
  }
  if (lines !== '') yield lines;
}

/** A text may hold half a character, which UTF-8 cannot: JSON keeps it. */
function lineOf({ row, key }: Keyed): string {
  return `${row} ${key.rank} ${key.number} ${JSON.stringify(key.text)}\n`;
}

function keyedOf(line: string): Keyed {
  const first = line.indexOf(' ');
  const second = line.indexOf(' ', first + 1);
  const third = line.indexOf(' ', second + 1);
  const number = Number(line.slice(second + 1, third));
  const key = { rank: Number(line.slice(first + 1, second)), number, text: JSON.parse(line.slice(third + 1)) };
  return { row: Number(line.slice(0, first)), key };
}

function tooManyRows(): AppError {
  return new AppError('E_NOT_SUPPORTED', `A result is sorted up to ${MAX_RUNS * RUN_ROWS} rows; this one has more.`, {
    hint: 'Put ORDER BY into the statement, or filter the rows first.',
  });
}
