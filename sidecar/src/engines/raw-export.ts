import type { ExportFormat } from './engine.ts';
import type { ExportChunks } from './export-chunks.ts';
import { type RawLines, rawCellLines, rawCsvLines, rawJsonLines, type WriteCell } from './raw-lines.ts';

/** What writes the cells of each column, in one format. */
export interface Writers<Raw, Field>
  extends Readonly<Record<'csv' | 'jsonl', (fields: readonly Field[]) => readonly WriteCell<Raw>[]>> {
  /** The name of a column's type; undefined where the server would have to be asked. */
  readonly typeOf: (field: Field) => string | undefined;
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
    const { head, write } = this.#linesOf(fields);
    this.#chunks.head(head);
    this.#chunks.facts.columns(names, fields.map(this.#writers.isNumber));
    this.#write = write;
  }

  #linesOf(fields: readonly Field[]): RawLines<Raw> {
    const { csv, jsonl, typeOf } = this.#writers;
    const names = fields.map(({ name }) => name);
    if (this.#format === 'csv') return rawCsvLines(names, csv(fields));
    if (this.#format === 'jsonl') return rawJsonLines(names, jsonl(fields));
    return rawCellLines(
      fields.map((field) => ({ name: field.name, type: typeOf(field) })),
      jsonl(fields),
    );
  }

  row(cells: readonly (Raw | null)[]): void {
    if (this.#chunks.hasFailed) return;
    this.#write(this.#chunks.lines, cells);
    this.#chunks.facts.numbers(cells);
    this.#chunks.rowDone();
  }
}
