import { oneTable } from '../one-table.ts';
import type { ShownTable } from '../row-editing.ts';
import { tokenize } from './tokenize.ts';

const MODE = { ansiQuotes: false, backslashEscapes: true };

/** The table that a SELECT shows. Where the server's mode decides how the text is read, nothing is certain. */
export async function tableIn(sql: string): Promise<ShownTable | undefined> {
  if (sql.includes('\\') || sql.includes('"')) return undefined;
  const read = tokenize(sql, MODE);
  return read.ok && read.comments === 0 ? oneTable(read.tokens) : undefined;
}
