import type { Reading, SqlReader } from '../sql-reader.ts';
import { splitStatements } from './split.ts';
import { tokenize } from './tokenize.ts';

/** GO, and the commands of sqlcmd that begin with a colon. */
export const reader: SqlReader = {
  split: splitStatements,
  readings: async (sql): Promise<Reading[]> => [tokenize(sql)],
  clientWord:
    /^(?:go|:(?:r|setvar|connect|on|out|error|perftrace|list|listvar|reset|quit|exit|ed|help|serverlist|xml))$/i,
};
