/** Numbers that users see, and those that several rooms or both ends share. What one room alone needs is in its limits.ts. */

// Results: Claude Code cuts a tool result at 25,000 tokens; 32 KiB of JSON stays below that.
export const DEFAULT_RESULT_ROWS = 500;
export const DEFAULT_RESULT_BYTES = 32 * 1024;
export const MAX_RESULT_ROWS = 10_000;
export const MAX_RESULT_BYTES = 1024 * 1024;
export const MAX_CELL_BYTES = 4 * 1024;

// Statements.
export const QUERY_TIMEOUT_MS = 30_000;
export const RUN_QUERIES_TIMEOUT_MS = 60_000;
export const MAX_QUERY_TIMEOUT_MS = 600_000;
export const EXPORT_TIMEOUT_MS = 300_000;
export const MAX_SQL_BYTES = 1024 * 1024;
/** How much longer than the statement's own deadline the gate waits, so that the engine's message wins. */
export const GATE_GRACE_MS = 2_000;
/** A tool that waits for something itself answers before the gate's deadline. */
export const WAIT_GRACE_MS = 5_000;

// Tools that run in the editor.
/** Files that a search keeps; at this many it stops. */
export const MAX_FOUND_FILES = 10_000;

// The debugger.
export const MAX_EVALUATED_BYTES = 16 * 1024;
export const MAX_DEBUG_WAIT_MS = 300_000;
export const DEBUG_WAIT_MS = 30_000;

// What the editor stores for a project.
/** A locked key store may ask the user first; connections from files do not wait for that. */
export const KEPT_CONNECTIONS_TIMEOUT_MS = 2_000;

// Questions to a person.
export const ASK_TIMEOUT_MS = 300_000;
/** Claude Code ends idle HTTP calls after 5 minutes and idle stdio calls after 30; progress resets both. */
export const PROGRESS_INTERVAL_MS = 10_000;

// HTTP.
export const FIRST_PORT = 50_001;
export const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** A client's name appears in log lines and questions. */
export const MAX_CLIENT_NAME_CHARS = 100;
/** Claude Code cuts a server's instructions at this length. */
export const MAX_INSTRUCTIONS_BYTES = 2048;

// Detection of databases. A settings file is small; a larger one is something else.
export const MAX_CONFIG_FILE_BYTES = 256 * 1024;
/** A person waits for the first call; whatever a repository makes slower than this is left out. */
export const DETECTION_TIMEOUT_MS = 5_000;
/** How long doctor waits for one database and for one sidecar. */
export const DOCTOR_TEST_TIMEOUT_MS = 10_000;

// A project's custom tools. Each is listed to the model, so more than this would crowd out the rest.
export const MAX_PROJECT_TOOLS = 64;
export const MAX_PROJECT_TOOL_FILE_BYTES = 16 * 1024;
export const MAX_PROJECT_TOOL_PARAMS = 32;
/** Clients put their own prefix before a name, and models take 64 characters. */
export const MAX_PROJECT_TOOL_NAME_CHARS = 48;
/** Clients cut a tool's description at this length. */
export const MAX_DESCRIPTION_BYTES = 2048;

// Processes.
export const SHUTDOWN_GRACE_MS = 3_000;

// The stdio entry.
/** A result has 1 MiB of rows at most, as text and as structured content. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** Calls an entry runs at once; further ones wait for their turn. */
export const MAX_PARALLEL_CALLS = 64;
/**
 * How long an upgraded connection stays open without a call. The sidecar waits longer, so that the entry closes first.
 */
export const CALLS_IDLE_MS = 60_000;
/** A message over the limit is skipped up to this length; anything longer is not a message. */
export const MAX_SKIPPED_BYTES = 4 * MAX_ANSWER_BYTES;

// The extension and its sidecar.
/** A cold start on a slow disk takes seconds; longer means that it hangs. */
export const HANDSHAKE_TIMEOUT_MS = 20_000;

// Errors. A model reads them: the start of a longer message says as much.
export const MAX_ERROR_CHARS = 4_000;
// The toolset ide.
export const MAX_TERMINAL_TIMEOUT_MS = 600_000;
/** How long the shell of a new terminal may take to start; one that reports nothing by then has no shell integration. */
export const TERMINAL_START_MS = 15_000;
/** The gate's deadline is this much behind what a tool waits by itself, so that the tool's own answer wins. */
export const TERMINAL_ANSWER_GRACE_MS = 5_000;
export const MAX_WAIT_MS = 300_000;

// Editing rows of a result.
/** Changes that are applied at once: more are no work of a person. */
export const MAX_ROW_CHANGES = 500;
export const MAX_TYPED_CHARS = 4 * 1024 * 1024;

/** Tables that one diagram shows at most: laying out this many takes a few seconds. */
export const MOST_DIAGRAM_TABLES = 500;
