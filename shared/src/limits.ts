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
/** How long a locked SQLite database is waited for. Less than the shortest tool may take, so that the sentence about the lock wins. */
export const BUSY_TIMEOUT_MS = 4_000;
/** The same for a statement that has waited for its turn before, so that its answer comes in time all the same. */
export const LEAST_BUSY_TIMEOUT_MS = 500;

// Tools that run in the editor.
/** How long a change that was ended may still say what it did: a little less than the gate waits for it. */
export const CHANGE_SETTLE_MS = 1_800;
/** An editor that is not stuck answers within this time. */
export const EDITOR_ANSWERS_MS = 2_000;
/** A tool that waits by itself answers before the gate does. */
export const WAIT_GRACE_MS = 5_000;

// The debugger.
/** What is remembered of one session: a program that prints all day must not fill the extension host. */
export const RECORDED_EVENTS = 5_000;
export const RECORDED_BYTES = 1024 * 1024;
/** A line of output that is longer is cut. */
export const MAX_RECORDED_CHARS = 4_096;
/** Sessions that have ended and can still be looked at. */
export const RECORDED_ENDED_SESSIONS = 20;
/** The same for the processes that one session has started. */
export const RECORDED_ENDED_PROCESSES = 20;
/** An answer at a stop: enough to go on without another call. */
export const STOP_OUTPUT_BYTES = 2 * 1024;
export const STOP_LOCALS = 20;
export const STOP_VALUE_CHARS = 120;
export const STOP_LINES_AROUND = 3;
/** A value in a list of variables; debug_evaluate gives it whole. */
export const MAX_VARIABLE_CHARS = 400;
export const MAX_EVALUATED_BYTES = 16 * 1024;
/** Variables that one call asks the adapter for. */
export const MAX_LISTED_VARIABLES = 1_000;
/** So many children of a container are listed with the others; debug_get_variable has the rest. */
export const MAX_LISTED_CHILDREN = 100;
/** The same below the first level: one large object must not push out the other variables. */
export const MAX_NESTED_CHILDREN = 20;
/** An adapter that is busy may answer later; what is not known by then is told as not bound yet. */
export const BREAKPOINT_BIND_MS = 1_000;
export const MAX_DEBUG_WAIT_MS = 300_000;
export const DEBUG_WAIT_MS = 30_000;

// Schema.
/** More than the default result: an overview is asked for once, and stands for many get-schema calls. */
export const MAX_OVERVIEW_BYTES = 100 * 1024;
export const MAX_SEARCH_MATCHES = 200;
/** From here on reading a whole table is worth a red flag in a plan. */
export const LARGE_TABLE_ROWS = 1_000;

// What the editor keeps for a project.
/** A key store that is locked may ask the person first; the connections of files do not wait for that. */
export const KEPT_CONNECTIONS_TIMEOUT_MS = 2_000;
export const KEPT_CONNECTIONS_AGAIN_MS = 10_000;

// Questions to a person.
export const ASK_TIMEOUT_MS = 300_000;
/** A question's panel says that it is there within this time, or the editor cannot show panels. */
export const PANEL_READY_MS = 8_000;
/** Claude Code ends idle HTTP calls after 5 minutes and stdio after 30; progress resets both. */
export const PROGRESS_INTERVAL_MS = 10_000;

// HTTP.
export const FIRST_PORT = 50_001;
export const MAX_BODY_BYTES = 4 * 1024 * 1024;
export const MAX_HEADER_BYTES = 16 * 1024;
export const HEADERS_TIMEOUT_MS = 10_000;
export const BODY_TIMEOUT_MS = 30_000;
export const KEEP_ALIVE_TIMEOUT_MS = 60_000;
/** A client's name stands in log lines and questions. */
export const MAX_CLIENT_NAME_CHARS = 100;

/** How long a refused request's body is still read and thrown away, so that its sender gets to see the answer. */
export const LINGER_MS = 1_000;
/** Less than the process's own hard stop, and more than the gate waits for a tool to let go. */
export const HTTP_CLOSE_GRACE_MS = 2_500;

// MCP.
export const MAX_MCP_SESSIONS = 64;
export const MCP_SESSION_IDLE_MS = 30 * 60_000;
/** At the session limit a session that was unused this long makes room; one in use never does. */
export const MCP_SESSION_REPLACEABLE_MS = 60_000;
/** Claude Code cuts a server's instructions here. */
export const MAX_INSTRUCTIONS_BYTES = 2048;

// Registry.
export const LOCK_TIMEOUT_MS = 10_000;
/** Within this time the window that lost its entry to a closed one is back in the registry. */
export const REGISTRY_HEAL_INTERVAL_MS = 1_000;
/** A reload keeps its port: the successor waits this long for its predecessor's listener to close. */
export const PORT_RETRY_MS = 2_000;
export const PORT_RETRY_INTERVAL_MS = 25;
/** A window that reloads has closed its listener by then: one of the same project that still answers is another window. */
export const RELOAD_OVERLAP_MS = 400;
export const REMEMBERED_PORT_DAYS = 30;
/** How long all remembered roots together are looked at; a network drive that hangs is not worth more. */
export const ROOT_CHECK_TIMEOUT_MS = 2_000;
/** A sidecar on this machine answers /health within this time, or it is not known whether it lives. */
export const PROBE_TIMEOUT_MS = 500;
/** So many probes without an answer in a row count as gone: a sidecar that hangs serves nobody. */
export const UNCLEAR_PROBES = 3;

// Finding databases. A settings file is small; what is larger is something else.
export const MAX_CONFIG_FILE_BYTES = 256 * 1024;
/** Entries looked at in one folder, and folders looked into: a huge tree must not hold a call up. */
export const MAX_FOLDER_ENTRIES = 20_000;
export const MAX_DETECTED_FOLDERS = 500;
export const MAX_DETECTED_DATABASES = 100;
export const MAX_SKIPPED = 200;
/** Folders in which an application with settings of its own is looked for. */
export const MAX_APP_FOLDERS = 120;
/** A password command may ask a person (a key store that is locked); longer means that it hangs. */
export const PASSWORD_COMMAND_TIMEOUT_MS = 30_000;
/** A password from a command is used again for so long; some are valid for a quarter of an hour only. */
export const PASSWORD_COMMAND_FRESH_MS = 600_000;
export const MAX_PASSWORD_BYTES = 64 * 1024;
/** A person waits for the first call; what a repository makes slower than this is left out. */
export const DETECTION_TIMEOUT_MS = 5_000;
/** Of the process that looks for databases: texts of settings, and what is read out of them. */
export const DETECTION_MEMORY_MB = 192;
/** Up to this many folders are looked at on every call; of more, those below the root once in the interval. */
export const MAX_FOLDERS_PER_CALL = 24;
export const FOLDER_LOOK_INTERVAL_MS = 1_000;
/** How long doctor waits for one database and for one sidecar. */
export const DOCTOR_TEST_TIMEOUT_MS = 10_000;
/** How long the editor waits for a whole report: databases are tried one after the other. */
export const DOCTOR_TIMEOUT_MS = 120_000;

// A project's own tools. Each is listed to the model, so that more than this would crowd out the rest.
export const MAX_PROJECT_TOOLS = 64;
export const MAX_PROJECT_TOOL_FILE_BYTES = 16 * 1024;
/** They are read before the project listens; files made to be slow must not keep it from that. */
export const PROJECT_TOOLS_READ_MS = 5_000;
export const MAX_PROJECT_TOOL_PARAMS = 32;
/** Clients put their own prefix before a name, and models take 64 characters. */
export const MAX_PROJECT_TOOL_NAME_CHARS = 48;
/** Clients cut a tool's description here. */
export const MAX_DESCRIPTION_BYTES = 2048;
/** Problems told of one file. */
export const MAX_PROBLEMS_OF_A_FILE = 5;

// `.mcp.json` of a project.
/** At the end of a window, in which everything has to be over before the process is cut off. */
export const RETRACT_TIMEOUT_MS = 2_000;
/** The editor ends the script of an uninstalled extension after 5 s, and starting it takes some of them. */
export const UNINSTALL_TIMEOUT_MS = 3_500;
/** A larger file is no list of servers. */
export const MAX_MCP_JSON_BYTES = 1024 * 1024;

// Processes.
export const SHUTDOWN_GRACE_MS = 3_000;
/** How long one waits for its turn in the home, behind hundreds that end in the same moment. */
export const SHUTDOWN_LONGEST_MS = 60_000;
/** How long the editor lets a sidecar end: behind its own hard stop, with time for its turn in the home among many. */
export const SHUTDOWN_KILL_MS = 6_000;

// Logs and copies of the bundle.
export const MAX_LOG_FILE_BYTES = 5 * 1024 * 1024;
export const MAX_LOG_FILES = 3;
/** Lines of this time go to the disk together: a line must not cost a call its own write. */
export const LOG_FLUSH_MS = 200;
/** Lines that wait for a slow disk; what does not fit is counted and dropped. */
export const MAX_LOG_QUEUE_BYTES = 1024 * 1024;
/** A half-made copy of the bundle this old belongs to an installer that died. */
export const ABANDONED_COPY_MS = 24 * 60 * 60_000;

// The stdio entry.
/** JSON in JSON may double a body's size; what is longer cannot be meant for any tool. */
export const MAX_STDIO_LINE_BYTES = 2 * MAX_BODY_BYTES;
/** A result has 1 MiB of rows at most, as text and as structured content. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** What is kept free for the answer of a call that runs. */
export const LARGE_ANSWER_BYTES = 1024 * 1024;
/** Answers of a sidecar that wait for their readers, with what its running calls may add. Two entries fill it. */
export const MAX_WAITING_ANSWER_BYTES = 128 * LARGE_ANSWER_BYTES;
/** Calls that an entry runs at once; more wait for their turn. */
export const MAX_PARALLEL_CALLS = 64;
/** A stranger on a stale port may accept and say nothing. */
export const PROOF_TIMEOUT_MS = 5_000;
/** A running call is never silent for longer than PROGRESS_INTERVAL_MS; after this its sidecar hangs. */
export const ANSWER_SILENCE_MS = 12 * PROGRESS_INTERVAL_MS;
/** How long an upgraded connection is kept without a call. The sidecar waits longer, so that the entry closes first. */
export const CALLS_IDLE_MS = 60_000;
export const CALLS_ABANDONED_MS = 2 * CALLS_IDLE_MS;
/** The first message of an upgraded connection: a token and a name. */
export const MAX_GREETING_BYTES = 1024;
/** A call's input and what stands around it. */
export const MAX_CALL_BYTES = MAX_BODY_BYTES + 1024;
/** A message that is too long is skipped up to this length; beyond it, what comes is no message. */
export const MAX_SKIPPED_BYTES = 4 * MAX_ANSWER_BYTES;
/** Calls of one connection that have not ended. Twice what the entry runs: cancelled ones need a moment to let go. */
export const MAX_UNENDED_CALLS = 2 * MAX_PARALLEL_CALLS;
/** The answers of a batch go out as one line, which has to fit into memory. */
export const MAX_BATCH_MESSAGES = 100;

// The extension and its sidecar.
/** A cold start on a slow disk takes seconds; longer means that it hangs. */
export const HANDSHAKE_TIMEOUT_MS = 20_000;
/** A sidecar that does not come up is started again this often in a row, each time after a longer pause. */
export const MAX_SIDECAR_RESTARTS = 5;
/** One that came up and died is started again at once, this often within the window: agents wait for it. */
export const MAX_SIDECAR_ENDS = 30;
export const SIDECAR_RESTART_WINDOW_MS = 180_000;
export const SIDECAR_RESTART_PAUSE_MS = 250;

// SQLite's child processes, for one database.
/** Statements that have not shown yet whether they are slow. */
export const SQLITE_FRESH_CHILDREN = 2;
/** With the places that only those who came lately get, so that a quick one is not held up by slow ones being tried. */
export const SQLITE_MOST_FRESH_CHILDREN = 4;
/** Who has waited this long comes before those who came later, in the usual places. */
export const FRESH_TURN_MS = 500;
/** Who has waited this long gets none of the places beyond the usual. */
export const FRESH_SUSPECT_MS = 150;
/** Slow statements run at low priority, few at once: two cores are shared with the editor. */
export const SQLITE_SLOW_CHILDREN = 2;
/** A statement that is found to be slow goes on where it runs while no more than this do; another one starts over later. */
export const SQLITE_KEPT_SLOW_CHILDREN = 4;
/** Each time that the first slow statement has waited this long, one more may run, so that endless ones do not hold up all others. */
export const SLOW_PATIENCE_MS = 1_500;
export const SQLITE_MOST_SLOW_CHILDREN = 6;
/** Exports cannot be started over; without a bound they would take every child. */
export const SQLITE_EXPORT_CHILDREN = 4;
/** All children of one database, idle ones and those that wait for a lock included. */
export const SQLITE_MAX_CHILDREN = 16;
/** Processes that are being started at once: starting keeps a core busy. */
export const SQLITE_STARTING_CHILDREN = 2;
/** Children that stand ready while statements run that may be slow. */
export const SQLITE_WARM_CHILDREN = 2;
/** CPU time after which a statement counts as slow. CPU, not wall time: a contended child is not slow. */
export const SLOW_STATEMENT_CPU_MS = 100;
/** The same while others wait. */
export const SLOW_CONTENDED_CPU_MS = 25;
/** How often a running statement's CPU time is asked for. Most have ended before the first time. */
export const SLOW_STATEMENT_CHECK_MS = 20;
/** How often what a running statement takes of memory and disk is looked at. */
export const RESOURCE_CHECK_MS = 50;
/** A statement that was slow is not tried again for so long: it waits among the slow ones at once. */
export const REMEMBERED_SLOW_MS = 300_000;
export const REMEMBERED_SLOW_STATEMENTS = 256;
/** Wall time after which a statement that hardly uses the CPU is taken to wait (for a lock, for a reader of its rows). */
export const WAITING_STATEMENT_MS = 80;
/** What a child may take while one statement runs. A value has 512 MB at most, and exists twice for a moment. */
export const SQLITE_STATEMENT_MEMORY_BYTES = 1024 * 1024 * 1024;
/** The same for all children of a sidecar together, however many databases it has: the largest is ended. */
export const SQLITE_ALL_MEMORY_BYTES = 2 * SQLITE_STATEMENT_MEMORY_BYTES;
/** Temporary files of one statement, into which SQLite sorts what does not fit into memory. */
export const SQLITE_TEMPORARY_BYTES = 1024 * 1024 * 1024;
/** Those of all children of a sidecar. */
export const SQLITE_ALL_TEMPORARY_BYTES = 2 * SQLITE_TEMPORARY_BYTES;
/** The largest database that is copied in order to read it, where a stopped program has left a journal. */
export const SQLITE_ASIDE_BYTES = 256 * 1024 * 1024;
/** An idle child lets go of the file after this time, so that it can be moved or deleted. */
export const SQLITE_FILE_RELEASE_MS = 2_000;
export const SQLITE_CHILD_IDLE_MS = 5_000;
/** The last idle child stays longer: starting a process takes ten times as long as a small query. */
export const SQLITE_LAST_CHILD_IDLE_MS = 120_000;
/** Pages that an exporting child keeps, instead of the driver's 16 MB: each is read once. */
export const EXPORT_CACHE_KIB = 2 * 1024;
export const EXPORT_CHUNK_BYTES = 64 * 1024;
/** A child that has grown over this ends after its answer: memory that one huge cell took does not stay. */
export const SQLITE_CHILD_MEMORY_BYTES = 160 * 1024 * 1024;

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
/** How long a connection to SQL Server waits for the word that its statement has stopped before it is cut. */
export const UNCONFIRMED_STOP_MS = 30_000;
/** A driver holds one message of the server whole; what is longer cannot be carried. */
export const MAX_SERVER_MESSAGE_BYTES = 256 * 1024 * 1024;
/** Messages up to this length are not counted: they are many and soon read. */
export const LARGE_MESSAGE_BYTES = 1024 * 1024;
/** What larger messages may hold together, over all connections of a sidecar. */
export const MAX_HELD_BYTES = MAX_SERVER_MESSAGE_BYTES;
/** Notices and warnings that an answer carries. */
export const MAX_MESSAGES = 20;
export const MAX_MESSAGE_CHARS = 500;

// Errors. A model reads them: the start of a sentence that is longer says as much.
export const MAX_ERROR_CHARS = 4_000;
/** Names in a log line; a tool's name has 128 at most. */
export const MAX_LOGGED_NAME_CHARS = 128;
