/** Of one result on disk; a person who needs more rows exports them. */
export const MAX_RESULT_FILE_BYTES = 4 * 1024 * 1024 * 1024;
/** Results of one window at a time: a file with as many statements can be run as a whole. */
export const MAX_OPEN_RESULTS = 200;
/** Between two places of a file that are remembered: 64 Ki places for a result of the largest size. */
export const INDEX_STEP_BYTES = 64 * 1024;
/** How much is read from the file at a time. */
export const PIECE_BYTES = 64 * 1024;
/** A longer row is not parsed: its cells show as too long. */
export const MAX_ROW_BYTES = 16 * 1024 * 1024;
/** How often the editor hears of new rows. Each time costs its page a frame, in which a key waits. */
export const ROWS_NEWS_MS = 250;

/** Rows that are sent without being asked for: about what a screen has room for. */
export const FIRST_ROWS = 100;

// A page of rows.
export const MAX_PAGE_BYTES = 1024 * 1024;
export const MAX_SHOWN_CHARS = 300;
export const MAX_SHOWN_BINARY_BYTES = 32;

// Whole cells, and rows for the clipboard.
export const MAX_CELL_CHARS = 4 * 1024 * 1024;
export const MAX_COPY_CHARS = 16 * 1024 * 1024;

// Sorting.
/** Characters of a text that decide its place; equal ones stay as they came. */
export const MAX_KEY_CHARS = 256;
/** What is held in memory at a time, and then written to the disk in order. */
export const RUN_ROWS = 32 * 1024;
/** Rows of an order that are read at a time for an export, in the order in which they stand in the file. */
export const EXPORT_ROWS = 32 * 1024;
/** Of those rows, about. */
export const EXPORT_HELD_BYTES = 32 * 1024 * 1024;
/** Numbers of rows that are handed on at a time. */
export const MERGED_ROWS = 2 * 1024;
/** Of the thread that sorts: a run, and a row of the largest size while it is parsed. */
export const ARRANGE_HEAP_MB = 512;
export const RUN_KEY_CHARS = 4 * 1024 * 1024;
/** Runs that are merged at a time; each is read through a buffer. */
export const MAX_RUNS = 256;
