// Schema.
/** More than the default result: an overview is asked for once, and stands for many get-schema calls. */
export const MAX_OVERVIEW_BYTES = 100 * 1024;
export const MAX_SEARCH_MATCHES = 200;
/** From here on reading a whole table is worth a red flag in a plan. */
export const LARGE_TABLE_ROWS = 1_000;
export const EXPORT_CHUNK_BYTES = 64 * 1024;

// Servers: Postgres, MySQL, SQL Server.
/** Connections of one database at most; a development server has a hundred for everybody. */
export const SERVER_CONNECTIONS = 10;
/** Less than the shortest tool may take, so that the sentence about the server wins over "timed out". */
export const CONNECT_TIMEOUT_MS = 4_000;
/** How long a call waits for a connection while all are busy. */
export const CONNECTION_WAIT_MS = 10_000;
/** An idle connection is closed after this time. */
export const CONNECTION_IDLE_MS = 30_000;
/** How long the server waits for another session's lock before it says so. */
export const SERVER_LOCK_TIMEOUT_MS = 5_000;
/** A dry run must not hold others up. */
export const DRY_RUN_LOCK_TIMEOUT_MS = 1_000;
/** How long a request to cancel, and a connection that is closed, may take before it is cut. */
export const SERVER_GOODBYE_MS = 2_000;
/** When the server is asked whether a cancelled statement still runs: soon at first, then every few seconds. */
export const LEFTOVER_ASK_MS: readonly number[] = [20, 50, 100, 250, 500, 1_000, 2_000, 4_000];
/** Questions in a row without an answer after which nothing can be known of it. */
export const LEFTOVER_UNANSWERED = 12;
/** Messages up to this length are not counted: they are many and soon read. */
export const LARGE_MESSAGE_BYTES = 1024 * 1024;
/** Notices and warnings that an answer carries. */
export const MAX_MESSAGES = 20;
export const MAX_MESSAGE_CHARS = 500;
/** A driver holds one message of the server whole; what is longer cannot be carried. */
export const MAX_SERVER_MESSAGE_BYTES = 256 * 1024 * 1024;
/** What larger messages may hold together, over all connections of a sidecar. */
export const MAX_HELD_BYTES = MAX_SERVER_MESSAGE_BYTES;
