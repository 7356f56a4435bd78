import type { ExportFormat, ExportSink, ExportSummary } from '../engine.ts';
import { ExportChunks } from '../export-chunks.ts';
import { notExported } from '../not-exported.ts';
import { type LineFormat, linesOf } from '../row-lines.ts';
import type { DriverValue } from '../values.ts';
import type { ResultColumn } from './columns.ts';
import type { Receiver } from './connection.ts';
import type { Database } from './database.ts';
import type { ReadyStatement } from './judge.ts';
import { BeyondReading } from './reach.ts';
import { runGuarded } from './read.ts';

/** Writes every row of a read to the sink, at the sink's speed. */
export async function exportRows(
  database: Database,
  statement: ReadyStatement,
  format: ExportFormat,
  sink: ExportSink,
  signal: AbortSignal,
): Promise<ExportSummary> {
  if (statement.effect === 'write') throw notExported();
  let chunks: ExportChunks | undefined;
  try {
    await runGuarded(database, statement, signal, (connection, fail) => {
      chunks = new ExportChunks(sink, connection, format);
      chunks.failed.catch(fail);
      return new ExportLines(format, chunks);
    });
  } catch (error) {
    throw error instanceof BeyondReading ? notExported() : error;
  }
  await chunks?.end();
  return chunks?.facts.summary() ?? { columns: [] };
}

const NUMBERS = /^(?:tinyint|smallint|int|bigint|decimal|numeric|money|smallmoney|real|float)\b/;

/** Writes rows of the first result as lines. */
class ExportLines implements Receiver {
  readonly #format: ExportFormat;
  readonly #chunks: ExportChunks;
  #write: LineFormat['write'] | undefined;
  #results = 0;

  constructor(format: ExportFormat, chunks: ExportChunks) {
    this.#format = format;
    this.#chunks = chunks;
  }

  columns(columns: readonly ResultColumn[]): void {
    this.#results += 1;
    if (this.#results > 1) return;
    const names = columns.map(({ name }) => name);
    const { head, write } = linesOf(this.#format, columns);
    this.#chunks.head(head);
    this.#chunks.facts.columns(
      names,
      columns.map(({ type }) => NUMBERS.test(type)),
    );
    this.#write = write;
  }

  row(values: DriverValue[]): void {
    if (this.#results > 1) return;
    this.#write?.(this.#chunks.lines, values);
    this.#chunks.facts.numbers(values);
    this.#chunks.rowDone();
  }
}
