import { AppError } from '@devdb/shared/errors';
import type { Progress } from '@devdb/shared/protocol';
import type { Handler } from '@devdb/shared/tools';
import type { ExportSink } from '../engines/engine.ts';
import { createNewFile, type NewFile } from '../host/new-file.ts';
import { prepare } from './run-query.ts';
import type { ToolContext } from './tool-context.ts';

/** Often enough to keep a client's idle timer from expiring, rarely enough to cost nothing. */
const PROGRESS_EVERY_MS = 1_000;

export const exportQuery: Handler<'export-query', ToolContext> = async (input, context) => {
  const { session } = await context.open(input.connection);
  const statement = await prepare(session, input.query, context.signal);
  if (statement.effect === 'write') {
    throw new AppError('E_READ_ONLY', `export-query takes reads only, and this is ${statement.verb}.`, {
      hint: 'Use run-query for a change; a person is asked before it runs.',
    });
  }
  const { summary, ...written } = await toNewFile(input, context, (sink) =>
    statement.export(input.format, sink, context.signal),
  );
  return { ...written, format: input.format, ...summary };
};

/** Makes a new file of the project with what is written to its sink; nothing of it stays after a failure. */
export async function toNewFile<Summary>(
  { path, format }: { readonly path: string; readonly format: string },
  { projectRoot, progress }: Pick<ToolContext, 'projectRoot' | 'progress'>,
  write: (sink: ExportSink) => Promise<Summary>,
) {
  const file = await createNewFile(projectRoot, path, `.${format}`);
  const sink = new FileSink(file, progress);
  try {
    const summary = await write(sink);
    await file.close();
    return { path: file.relativePath, rows: sink.rows, bytes: sink.bytes, summary };
  } catch (error) {
    await file.discard();
    throw error;
  }
}

class FileSink implements ExportSink {
  readonly #file: NewFile;
  readonly #progress: (progress: Progress) => void;
  #toldAt = performance.now();
  rows = 0;
  bytes = 0;

  constructor(file: NewFile, progress: (progress: Progress) => void) {
    this.#file = file;
    this.#progress = progress;
  }

  async write(chunk: Buffer, rows: number): Promise<void> {
    await this.#file.append(chunk);
    this.rows += rows;
    this.bytes += chunk.byteLength;
    const now = performance.now();
    if (now - this.#toldAt < PROGRESS_EVERY_MS) return;
    this.#toldAt = now;
    this.#progress({ progress: this.rows, message: `${this.rows} rows, ${this.bytes} bytes written` });
  }
}
