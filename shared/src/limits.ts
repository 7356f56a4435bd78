/** Every number that bounds the product, with its unit in its name and its reason beside it. */

// Results: 25,000 tokens is where Claude Code cuts a tool result; 32 KiB of JSON stays below it.
export const DEFAULT_RESULT_ROWS = 500;
export const DEFAULT_RESULT_BYTES = 32 * 1024;
export const MAX_RESULT_ROWS = 10_000;
export const MAX_RESULT_BYTES = 1024 * 1024;
export const MAX_CELL_BYTES = 4 * 1024;

// Statements.
export const QUERY_TIMEOUT_MS = 30_000;
export const MAX_QUERY_TIMEOUT_MS = 600_000;
export const EXPORT_TIMEOUT_MS = 300_000;
export const MAX_SQL_BYTES = 1024 * 1024;
/** How much longer the gate waits than the statement's own deadline, so that the engine's sentence wins. */
export const GATE_GRACE_MS = 2_000;
/** How long a locked SQLite database is waited for before the sentence about the lock. */
export const BUSY_TIMEOUT_MS = 5_000;

// Questions to a person.
export const ASK_TIMEOUT_MS = 300_000;
/** Claude Code ends idle HTTP calls after 5 minutes and stdio after 30; progress resets both. */
export const PROGRESS_INTERVAL_MS = 10_000;

// HTTP.
export const FIRST_PORT = 50_001;
export const MAX_BODY_BYTES = 4 * 1024 * 1024;
export const MAX_HEADER_BYTES = 16 * 1024;
export const HEADERS_TIMEOUT_MS = 10_000;
export const BODY_TIMEOUT_MS = 30_000;
export const KEEP_ALIVE_TIMEOUT_MS = 60_000;
export const MAX_MCP_SESSIONS = 64;
export const MCP_SESSION_IDLE_MS = 30 * 60_000;

// MCP.
/** Claude Code cuts a server's instructions here. */
export const MAX_INSTRUCTIONS_BYTES = 2048;

// Registry.
export const LOCK_TIMEOUT_MS = 10_000;
/** Within this time the window that lost its entry to a closed one is back in the registry. */
export const REGISTRY_HEAL_INTERVAL_MS = 1_000;
/** A reload keeps its port: the successor waits this long for its predecessor's listener to close. */
export const PORT_RETRY_MS = 2_000;
export const REMEMBERED_PORT_DAYS = 30;

// Processes.
export const SHUTDOWN_GRACE_MS = 3_000;
