import type { ToolWords } from '../define-tool.ts';

const SLOW_STATEMENT =
  'Ask for less (fewer rows, a narrower WHERE; explain-query shows what is slow), or give a larger timeoutMs.';

/** The words of tools that look at the database. */
export const READS_DATABASE = {
  effect: 'reads',
  afterTimeout: 'The database is slow or locked by another session; call again later.',
} as const satisfies ToolWords;

/** The words of tools that take a statement and only read. */
export const READS_BY_STATEMENT = { effect: 'reads', afterTimeout: SLOW_STATEMENT } as const satisfies ToolWords;

/** The words of tools whose statement may change data. */
export const MAY_CHANGE_DATA = {
  effect: 'asks before it changes data',
  afterTimeout: SLOW_STATEMENT,
  beforeRun: 'DevDB still asks before anything in the database is changed.',
} as const satisfies ToolWords;

/** The words of the export. */
export const WRITES_A_FILE = {
  effect: 'writes a file',
  afterTimeout: 'Export less at a time, or give a larger timeoutMs.',
  beforeRun: 'It writes a new file in the project.',
} as const satisfies ToolWords;
