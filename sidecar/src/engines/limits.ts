// Schema.
/** More than the default result: the overview is read once and replaces many get-schema calls. */
export const MAX_OVERVIEW_BYTES = 100 * 1024;
/** From this size on, an overview of the whole schema lists the columns of the most joined tables alone. */
export const WIDE_OVERVIEW_TOKENS = 6_000;
/** Of an overview's text, measured in o200k on a schema of 50 tables. */
export const OVERVIEW_CHARS_PER_TOKEN = 4;
/** A table that others point to, such as users, is referenced more often than helps. */
export const MOST_REFERENCES = 100;
/** Of a schema that a person sees as a diagram. */
export const MAX_GRAPH_BYTES = 4 * 1024 * 1024;
/** Of one table in a diagram. */
export const MOST_GRAPH_COLUMNS = 200;
/** A table with more rows is not a list of codes. */
export const MOST_LOOKUP_ROWS = 30;
/** Tables of codes whose rows one overview reads. */
export const MOST_LOOKUPS = 40;
/** Of all rows of codes in one overview. */
export const LOOKUP_BYTES = 16 * 1024;
/** Of one cell of them. */
export const LOOKUP_CELL_BYTES = 200;
export const MAX_SEARCH_MATCHES = 200;
/** Of a comment, what a match shows. */
export const SEARCH_COMMENT_CHARS = 120;
/** From this size on, a plan flags reading the whole table. */
export const LARGE_TABLE_ROWS = 1_000;
export const EXPORT_CHUNK_BYTES = 64 * 1024;
/** Of the first and last line of an export, what the answer shows. */
export const EXPORT_EDGE_BYTES = 1024;
/** How long rows that a person waits for stay in a chunk that is not full. */
export const ROWS_SOON_MS = 50;
/** Columns of an export that its answer tells about. */
export const MOST_TOLD_COLUMNS = 100;

// Servers: Postgres, MySQL, SQL Server.
/** Connections per database; a development server has about a hundred for everyone. */
export const SERVER_CONNECTIONS = 10;
/** Less than the shortest tool timeout, so that the message about the server wins over "timed out". */
export const CONNECT_TIMEOUT_MS = 4_000;
/** How long a call waits for a free connection. */
export const CONNECTION_WAIT_MS = 10_000;
/** An idle connection is closed after this time. */
export const CONNECTION_IDLE_MS = 30_000;
/** How long the server waits for another session's lock before it reports an error. */
export const SERVER_LOCK_TIMEOUT_MS = 5_000;
/** A dry run must not hold up others. */
export const DRY_RUN_LOCK_TIMEOUT_MS = 1_000;
/** How long a cancel request or the closing of a connection may take before the connection is cut. */
export const SERVER_GOODBYE_MS = 2_000;
/** When to ask the server whether a cancelled statement still runs: soon at first, then every few seconds. */
export const LEFTOVER_ASK_MS: readonly number[] = [20, 50, 100, 250, 500, 1_000, 2_000, 4_000];
/** After this many unanswered questions in a row, the statement's state stays unknown. */
export const LEFTOVER_UNANSWERED = 12;
/** Messages up to this length are not counted: there are many, and they are read quickly. */
export const LARGE_MESSAGE_BYTES = 1024 * 1024;
/** Notices and warnings in one answer. */
export const MAX_MESSAGES = 20;
export const MAX_MESSAGE_CHARS = 500;
/** A driver holds each server message whole in memory; a longer one cannot be handled. */
export const MAX_SERVER_MESSAGE_BYTES = 256 * 1024 * 1024;
/** What larger messages may hold together, over all connections of a sidecar. */
export const MAX_HELD_BYTES = MAX_SERVER_MESSAGE_BYTES;
