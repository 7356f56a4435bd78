import type { RowSet } from '../engines/engine.ts';

/** Shares a total among parts: a part that needs less than an equal share gets all it needs, and the others share the rest. */
export function fairShares(needs: readonly number[], total: number): readonly number[] {
  const shares = needs.map(() => 0);
  let left = total;
  const bySize = needs.map((need, index) => ({ need, index })).sort((a, b) => a.need - b.need);
  for (const [done, { need, index }] of bySize.entries()) {
    const share = Math.min(need, Math.floor(left / (bySize.length - done)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}

/** The first rows of a result, as many as fit. */
export function cutTo(set: RowSet, mostRows: number, mostBytes: number): RowSet {
  // The brackets of the list.
  let bytes = 2;
  const end = set.rows.findIndex((row, index) => {
    bytes += Buffer.byteLength(JSON.stringify(row)) + (index === 0 ? 0 : 1);
    return index >= mostRows || bytes > mostBytes;
  });
  if (end < 0) return set;
  const { cut, ...rest } = set;
  const cutCells = cut?.filter(({ row }) => row < end) ?? [];
  return {
    ...rest,
    rows: set.rows.slice(0, end),
    rowCount: end,
    truncated: true,
    ...(cutCells.length === 0 ? {} : { cut: cutCells }),
  };
}
