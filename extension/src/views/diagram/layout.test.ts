import { join } from 'node:path';
import { layOut } from './layout.ts';

const THREAD = join(__dirname, '..', '..', '..', 'dist', 'views', 'diagram-layout.js');
const signal = () => AbortSignal.timeout(55_000);
const box = { width: 200, height: 100 };

test('no two tables overlap, and a key goes from the table that has it to the one it points to', async () => {
  const keys = [
    { from: 1, to: 0 },
    { from: 2, to: 0 },
    { from: 3, to: 1 },
    { from: 3, to: 3 },
  ];
  const { tables, keys: lines, width, height } = await layOut({ tables: Array(6).fill(box), keys }, THREAD, signal());
  expect(tables).toHaveLength(6);
  for (const [at, one] of tables.entries()) {
    expect(one.x + box.width <= width && one.y + box.height <= height).toBe(true);
    const overlapping = tables.filter(
      (other, place) => place !== at && Math.abs(other.x - one.x) < box.width && Math.abs(other.y - one.y) < box.height,
    );
    expect(overlapping).toEqual([]);
  }
  for (const [at, { from, to }] of keys.entries()) {
    const [start, end] = [lines[at]?.at(0), lines[at]?.at(-1)];
    expect([isAt(start, tables[from]), isAt(end, tables[to])]).toEqual([true, true]);
  }
});

test('tables that all point to one stand in several columns, not in a single long one', async () => {
  const tables = Array.from({ length: 120 }, () => box);
  const keys = tables.slice(1).map((_, at) => ({ from: at + 1, to: 0 }));
  const { width, height } = await layOut({ tables, keys }, THREAD, signal());
  expect(height).toBeLessThan(4 * width);
  expect(width).toBeLessThan(4 * height);
});

test('nothing to lay out is an empty diagram', async () => {
  await expect(layOut({ tables: [], keys: [] }, THREAD, signal())).resolves.toMatchObject({ tables: [], keys: [] });
});

test('what cannot be laid out comes with what to do', async () => {
  const impossible = layOut({ tables: [box], keys: [{ from: 0, to: 7 }] }, THREAD, signal());
  await expect(impossible).rejects.toMatchObject({ code: 'E_NOT_SUPPORTED', hint: expect.stringContaining('schema') });
});

test('a diagram that is closed meanwhile ends its thread', async () => {
  const closed = new AbortController();
  const tables = Array.from({ length: 400 }, () => box);
  const keys = tables.flatMap((_, at) => [1, 7, 31].map((step) => ({ from: at, to: (at + step) % 400 })));
  const running = layOut({ tables, keys }, THREAD, closed.signal);
  closed.abort();
  await expect(running).rejects.toMatchObject({ code: 'E_NOT_SUPPORTED' });
  await expect(layOut({ tables, keys }, THREAD, closed.signal)).rejects.toMatchObject({ name: 'AbortError' });
});

type Point = { readonly x: number; readonly y: number } | undefined;

/** Whether a line ends at the edge of a table. */
function isAt(end: Point, table: Point): boolean {
  if (end === undefined || table === undefined) return false;
  const [right, down] = [end.x - table.x, end.y - table.y];
  return right >= -1 && right <= box.width + 1 && down >= -1 && down <= box.height + 1;
}
