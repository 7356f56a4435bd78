import { join } from 'node:path';
import type { ResultColumn, RowFilter, RowSort } from '@devdb/shared/protocol/result-methods';
import { rowCells } from './cells.ts';
import { linesIn } from './line-reader.ts';
import { passesAll } from './row-filter.ts';
import { OrderFile } from './row-order.ts';
import { isNumeric, sortKey } from './sort-key.ts';
import { SortRuns } from './sort-runs.ts';

/** The rows of a result in its file, and how they are to be shown. */
export interface ArrangeRequest {
  readonly path: string;
  /** Where the first row begins, and where the last one ends. */
  readonly begin: number;
  readonly end: number;
  readonly columns: readonly ResultColumn[];
  readonly sort: RowSort | undefined;
  readonly filters: readonly RowFilter[];
  /** The file to be made. */
  readonly orderPath: string;
  /** For files in between; there already. */
  readonly runsFolder: string;
}

/** Writes the numbers of the rows that pass the filters, in order; returns how many there are. */
export async function arrangeFile({ sort, orderPath, runsFolder, ...request }: ArrangeRequest): Promise<number> {
  const order = await OrderFile.create(orderPath);
  const runs = new SortRuns(join(runsFolder, 'run'), sort?.descending ?? false);
  const isNumber = sort !== undefined && isNumeric(request.columns[sort.column]?.type);
  try {
    for await (const { row, cells } of passingRows(request)) {
      const full =
        sort === undefined ? order.add(row) : runs.add({ row, key: sortKey(cells[sort.column] ?? null, isNumber) });
      if (full !== undefined) await full;
    }
    if (sort !== undefined) for await (const rows of runs.sorted()) for (const row of rows) await order.add(row);
    return await order.end();
  } finally {
    await runs.end();
    await order.close();
  }
}

async function* passingRows({
  path,
  begin,
  end,
  columns,
  filters,
}: Pick<ArrangeRequest, 'path' | 'begin' | 'end' | 'columns' | 'filters'>) {
  const numeric = columns.map(({ type }) => isNumeric(type));
  let row = 0;
  for await (const lines of linesIn(path, begin, end)) {
    for (const line of lines) {
      const cells = rowCells(line, columns.length);
      if (passesAll(cells, filters, numeric)) yield { row, cells };
      row += 1;
    }
  }
}
