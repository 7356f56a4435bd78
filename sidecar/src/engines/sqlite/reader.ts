import type { Reading, SqlReader } from '../sql-reader.ts';
import { splitStatements } from './split.ts';
import { tokenize } from './tokenize.ts';

/** Its shell takes a slash, or `go`, alone on a line for the end of a statement. */
export const reader: SqlReader = {
  split: splitStatements,
  readings: async (sql): Promise<Reading[]> => [tokenize(sql)],
  clientWord: /^(?:go|\/)$/i,
};
