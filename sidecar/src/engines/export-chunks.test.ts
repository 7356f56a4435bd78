import { ExportChunks, type RowSource } from './export-chunks.ts';
import { EXPORT_CHUNK_BYTES } from './limits.ts';

class CountingSource implements RowSource {
  pauses = 0;
  resumes = 0;

  pause(): void {
    this.pauses += 1;
  }

  resume(): void {
    this.resumes += 1;
  }

  get isPaused(): boolean {
    return this.pauses > this.resumes;
  }
}

/** A row whose number can be read back. */
function writeRow(chunks: ExportChunks, row: number): void {
  chunks.lines.text(`${row} ${'x'.repeat(1_000)}\n`);
  chunks.rowDone();
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the chunks of an export', () => {
  it('arrive whole and in order, with their rows, while buffers are reused', async () => {
    const source = new CountingSource();
    const seen: string[] = [];
    let rows = 0;
    const write = async (chunk: Buffer, completed: number): Promise<void> => {
      // Checked late, so that a buffer reused too early shows.
      await turn();
      await turn();
      seen.push(chunk.toString('utf8'));
      rows += completed;
      expect(chunk.length).toBeLessThanOrEqual(EXPORT_CHUNK_BYTES);
    };
    const chunks = new ExportChunks({ write }, source);
    for (let row = 0; row < 3_000; row += 1) {
      while (source.isPaused) await turn();
      writeRow(chunks, row);
    }
    await chunks.end();
    expect(rows).toBe(3_000);
    const numbers = seen
      .join('')
      .split('\n')
      .slice(0, -1)
      .map((line) => Number(line.split(' ')[0]));
    expect(numbers).toEqual(Array.from({ length: 3_000 }, (_, row) => row));
    expect(source.pauses).toBeGreaterThan(0);
    expect(source.resumes).toBe(source.pauses);
  });

  it('pause the source while the sink is busy, and keep the rows that still come', async () => {
    const source = new CountingSource();
    const opened = Promise.withResolvers<void>();
    let bytes = 0;
    const write = async (chunk: Buffer): Promise<void> => {
      await opened.promise;
      bytes += chunk.length;
    };
    const chunks = new ExportChunks({ write }, source);
    let rows = 0;
    for (; !source.isPaused; rows += 1) writeRow(chunks, rows);
    for (let late = 0; late < 500; late += 1, rows += 1) writeRow(chunks, rows);
    expect([source.pauses, source.resumes, bytes]).toEqual([1, 0, 0]);
    opened.resolve();
    await chunks.end();
    expect(source.resumes).toBe(1);
    const expected = Array.from({ length: rows }, (_, row) => `${row} `.length + 1_001);
    expect(bytes).toBe(expected.reduce((sum, one) => sum + one));
  });

  it('split a huge cell into pieces, the last of which completes its row', async () => {
    const completed: number[] = [];
    const write = async (_: Buffer, rows: number): Promise<void> => {
      completed.push(rows);
    };
    const chunks = new ExportChunks({ write }, new CountingSource());
    chunks.lines.text('x'.repeat(3 * EXPORT_CHUNK_BYTES));
    chunks.rowDone();
    await chunks.end();
    expect(completed).toEqual([0, 0, 1]);
  });

  it("end with the sink's error, and write nothing after it", async () => {
    let writes = 0;
    const write = async (): Promise<void> => {
      writes += 1;
      throw new Error('no space');
    };
    const chunks = new ExportChunks({ write }, new CountingSource());
    const failed = expect(chunks.failed).rejects.toThrow('no space');
    for (let row = 0; !chunks.hasFailed; row += 1) {
      writeRow(chunks, row);
      if (row % 100 === 0) await turn();
    }
    await failed;
    for (let row = 0; row < 1_000; row += 1) writeRow(chunks, row);
    await expect(chunks.end()).rejects.toThrow('no space');
    expect(writes).toBe(1);
  });
});
