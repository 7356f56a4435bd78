import type { ExportFormat, ExportSummary } from '../../engine.ts';
import { ExportFacts } from '../../export-summary.ts';
import { EXPORT_CHUNK_BYTES } from '../../limits.ts';
import { LineBuffer } from '../../line-buffer.ts';
import { notExported } from '../../not-exported.ts';
import { type LineFormat, linesOf } from '../../row-lines.ts';
import { SoonRows } from '../../soon-rows.ts';
import type { DriverValue } from '../../values.ts';
import type { Db } from '../catalog.ts';
import { EXPORT_CACHE_KIB } from '../limits.ts';
import { prepareRead } from './read.ts';
import { booleanPlaces, type Prepared, rawRows, readColumns, setBooleans } from './rows.ts';

/** Takes a piece of the file and how many rows it completes. Blocks while the other side is busy. */
export type SendChunk = (rows: number, bytes: Uint8Array) => void;

/** Sends every row of a read as lines of a file, in chunks; returns what was in them. */
export function exportRows(db: Db, sql: string, format: ExportFormat, send: SendChunk): ExportSummary {
  const guarded = prepareRead(db, { sql });
  if (guarded.kind === 'is-write') throw notExported();
  const { statement } = guarded;
  db.pragma(`cache_size = -${EXPORT_CACHE_KIB}`);
  const chunks = new ChunkWriter(send, format);
  let lines: ExportLines | undefined;
  for (const row of rawRows(statement)) {
    // At the first row, not before: SQLite may recompile the statement for it.
    lines ??= startLines(statement, format, chunks);
    if (lines.booleans.length > 0) setBooleans(row, lines.booleans);
    chunks.add(lines.write, row);
    chunks.facts.values(row);
  }
  lines ??= startLines(statement, format, chunks);
  chunks.end();
  return chunks.facts.summary();
}

interface ExportLines {
  readonly booleans: readonly number[];
  readonly write: LineFormat['write'];
}

function startLines(statement: Prepared, format: ExportFormat, chunks: ChunkWriter): ExportLines {
  const columns = readColumns(statement);
  const names = columns.map(({ name }) => name);
  const { head, write } = linesOf(
    format,
    columns.map(({ name, declared }) => ({ name, type: declared })),
  );
  chunks.head(head);
  chunks.facts.columns(names);
  return { booleans: booleanPlaces(columns), write };
}

/** Collects lines until a chunk is full. */
class ChunkWriter {
  readonly #send: SendChunk;
  readonly #lines = new LineBuffer();
  readonly #soon: SoonRows | undefined;
  readonly facts = new ExportFacts();
  #rows = 0;

  constructor(send: SendChunk, format: ExportFormat) {
    this.#send = send;
    if (format === 'cells') this.#soon = new SoonRows();
  }

  head(text: string): void {
    this.#lines.text(text);
    this.facts.edges.headDone(this.#lines.length);
  }

  add(write: LineFormat['write'], row: readonly DriverValue[]): void {
    write(this.#lines, row);
    this.#rows += 1;
    this.facts.edges.rowDone(this.#lines.length);
    if (this.#lines.length >= EXPORT_CHUNK_BYTES || this.#soon?.isDue()) this.#flush();
  }

  end(): void {
    if (this.#lines.length > 0) this.#flush();
  }

  /**
   * A huge cell is sent in pieces, so that the other side need not hold it whole; the last piece completes the rows.
   */
  #flush(): void {
    const bytes = this.#lines.take();
    this.facts.edges.taken(bytes, this.#rows);
    for (let at = 0; at < bytes.length; at += EXPORT_CHUNK_BYTES) {
      const piece = bytes.subarray(at, at + EXPORT_CHUNK_BYTES);
      this.#send(at + piece.length === bytes.length ? this.#rows : 0, piece);
    }
    this.#rows = 0;
  }
}
