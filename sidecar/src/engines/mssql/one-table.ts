import { oneTable } from '../one-table.ts';
import type { ShownTable } from '../row-editing.ts';
import { tokenize } from './tokenize.ts';

/** The table that a SELECT shows. */
export async function tableIn(sql: string): Promise<ShownTable | undefined> {
  const read = tokenize(sql);
  return read.ok ? oneTable(read.tokens) : undefined;
}
