import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { RUN_ROWS } from './limits.ts';
import { compareKeys, sortKey } from './sort-key.ts';
import { SortRuns } from './sort-runs.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'devdb-runs-'));
});
afterAll(() => rmSync(dir, { recursive: true }));

async function sorted(cells: readonly (string | number | null)[], isDescending: boolean): Promise<number[]> {
  const runs = new SortRuns(join(dir, 'run'), isDescending);
  const order: number[] = [];
  try {
    for (const [row, cell] of cells.entries()) await runs.add({ row, key: sortKey(cell, false) });
    for await (const some of runs.sorted()) order.push(...some);
  } finally {
    await runs.end();
  }
  return order;
}

test.each([false, true])(
  'more rows than fit into one run are in order, equal ones as they came (descending: %s)',
  async (isDescending) => {
    const texts = ['', 'ä', 'line\nbreak', 'half \ud800', 'x'.repeat(300)];
    const cells = Array.from({ length: 2 * RUN_ROWS + 5 }, (_, row) => {
      const value = (row * 7919) % 1000;
      return value % 3 === 0 ? null : value % 3 === 1 ? value / 8 : `${texts[value % texts.length]}${value % 11}`;
    });
    const keys = cells.map((cell) => sortKey(cell, false));
    const direction = isDescending ? -1 : 1;
    const expected = cells
      .map((_, row) => row)
      .sort((a, b) => {
        const [one, other] = [keys[a], keys[b]];
        return (one === undefined || other === undefined ? 0 : direction * compareKeys(one, other)) || a - b;
      });
    expect(await sorted(cells, isDescending)).toEqual(expected);
    expect(readdirSync(dir)).toEqual([]);
  },
);

test('few rows need no file', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.integer(), fc.string(), fc.constant(null)), { maxLength: 40 }),
      async (cells) => {
        const order = await sorted(cells, false);
        expect([...order].sort((a, b) => a - b)).toEqual(cells.map((_, row) => row));
      },
    ),
  );
});
