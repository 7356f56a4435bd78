import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { ResultFile } from './result-file.ts';

let dir: string;
let files = 0;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'devdb-results-'));
});
afterAll(() => rmSync(dir, { recursive: true }));

const HEAD = '[{"name":"a"}]\n';
const newFile = (maxBytes = 1024 ** 3) => {
  files += 1;
  return ResultFile.create(join(dir, String(files)), maxBytes, () => undefined);
};

async function linesOf(file: ResultFile, from: number, count: number): Promise<unknown[]> {
  const lines: unknown[] = [];
  for await (const some of file.lines(from, count, AbortSignal.timeout(10_000))) lines.push(...some);
  return lines;
}

test('rows are found by number, however the chunks cut them', async () => {
  const row = fc.integer({ min: 0, max: 200_000 }).map((length) => `["${'x'.repeat(length)}"]`);
  const pieces = fc.array(fc.integer({ min: 1, max: 200_000 }), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), pieces, async (rows, sizes) => {
      const file = await newFile();
      await writeInPieces(file, rows, sizes);
      expect([file.rows, file.columns]).toEqual([rows.length, [{ name: 'a' }]]);
      for (let from = 0; from <= rows.length; from += 1) {
        expect(await linesOf(file, from, 2)).toEqual(rows.slice(from, from + 2));
      }
      await file.remove();
    }),
    { numRuns: 30 },
  );
});

/** As an export does: a chunk ends with a row; a chunk in several pieces completes its rows with the last one. */
async function writeInPieces(file: ResultFile, rows: readonly string[], sizes: readonly number[]): Promise<void> {
  await file.write(Buffer.from(HEAD), 0);
  for (const [at, row] of rows.entries()) {
    const line = Buffer.from(`${row}\n`);
    const size = sizes[at % sizes.length] ?? 1;
    for (let start = 0; start < line.length; start += Math.max(size, 1000)) {
      const piece = line.subarray(start, start + Math.max(size, 1000));
      await file.write(piece, start + piece.length === line.length ? 1 : 0);
    }
  }
}

test('a row whose end has not come is not read, and one after it is found', async () => {
  const file = await newFile();
  await file.write(Buffer.from(`${HEAD}[1]\n[2`), 1);
  expect(await linesOf(file, 0, 9)).toEqual(['[1]']);
  await file.write(Buffer.from('3]\n[4]\n'), 2);
  expect(await linesOf(file, 1, 9)).toEqual(['[23]', '[4]']);
  await file.remove();
});

test('stops at its largest size and keeps the rows so far', async () => {
  const file = await newFile(40);
  await file.write(Buffer.from(`${HEAD}[1]\n`), 1);
  await expect(file.write(Buffer.alloc(60, ' '), 1)).rejects.toMatchObject({ why: 'size' });
  expect(await linesOf(file, 0, 9)).toEqual(['[1]']);
  await file.remove();
});

test('is private to the user, and gone once removed', async () => {
  const file = await newFile();
  expect(existsSync(join(dir, String(files)))).toBe(true);
  await file.remove();
  expect(existsSync(join(dir, String(files)))).toBe(false);
});

test('some rows are read by their numbers, near ones together and far ones without what lies between', async () => {
  const file = await newFile();
  const rows = Array.from({ length: 5_000 }, (_, at) => `["${String(at).padStart(100, '.')}"]`);
  await file.write(Buffer.from(HEAD), 0);
  for (let at = 0; at < rows.length; at += 100)
    await file.write(
      Buffer.from(
        rows
          .slice(at, at + 100)
          .map((row) => `${row}\n`)
          .join(''),
      ),
      100,
    );
  const numbers = fc.uniqueArray(fc.integer({ min: 0, max: 4_999 }), { maxLength: 50 });
  await fc.assert(
    fc.asyncProperty(numbers, async (wanted) => {
      const found: unknown[] = [];
      const ascending = Uint32Array.from(wanted).toSorted();
      for await (const one of file.picked(ascending, AbortSignal.timeout(10_000))) found.push(one);
      expect(found).toEqual([...ascending].map((row) => ({ row, line: rows[row] })));
    }),
    { numRuns: 30 },
  );
  await file.remove();
});
