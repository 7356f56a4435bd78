import type { ExportFormat } from './engine.ts';
import type { ExportChunks } from './export-chunks.ts';
import { type RawLines, rawCsvLines, rawJsonLines, type WriteCell } from './raw-lines.ts';

/** What writes the cells of each column, in one format. */
export type Writers<Raw, Field> = Readonly<
  Record<ExportFormat, (fields: readonly Field[]) => readonly WriteCell<Raw>[]>
>;

/** Writes rows as lines, straight from what the server sent. */
export class RawExport<Raw, Field extends { readonly name: string }> {
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
    this.#chunks.lines.text(head);
    this.#write = write;
  }

  row(cells: readonly (Raw | null)[]): void {
    if (this.#chunks.hasFailed) return;
    this.#write(this.#chunks.lines, cells);
    this.#chunks.rowDone();
  }
}
