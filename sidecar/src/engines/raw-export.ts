import type { ExportFormat } from './engine.ts';
import type { ExportChunks } from './export-chunks.ts';
import { type RawLines, rawCsvLines, rawJsonLines, type WriteCell } from './raw-lines.ts';

/** What writes the cells of each column, in one format. */
export interface Writers<Raw, Field>
  extends Readonly<Record<ExportFormat, (fields: readonly Field[]) => readonly WriteCell<Raw>[]>> {
  /** Whether a column's cells are numbers, which are added up. */
  readonly isNumber: (field: Field) => boolean;
}

/** Writes rows as lines, straight from what the server sent. */
export class RawExport<Raw extends string | Uint8Array, Field extends { readonly name: string }> {
  readonly #format: ExportFormat;
  readonly #chunks: ExportChunks;
  readonly #writers: Writers<Raw, Field>;
  #write: RawLines<Raw>['write'] = () => undefined;

  constructor(format: ExportFormat, chunks: ExportChunks, writers: Writers<Raw, Field>) {
    this.#format = format;
    this.#chunks = chunks;
    this.#writers = writers;
  }

  columns(fields: readonly Field[]): void {
    const names = fields.map(({ name }) => name);
    const linesOf = this.#format === 'csv' ? rawCsvLines<Raw> : rawJsonLines<Raw>;
    const { head, write } = linesOf(names, this.#writers[this.#format](fields));
    this.#chunks.head(head);
    this.#chunks.facts.columns(names, fields.map(this.#writers.isNumber));
    this.#write = write;
  }

  row(cells: readonly (Raw | null)[]): void {
    if (this.#chunks.hasFailed) return;
    this.#write(this.#chunks.lines, cells);
    this.#chunks.facts.numbers(cells);
    this.#chunks.rowDone();
  }
}
