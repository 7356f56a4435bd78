/** The longest wait for a locked SQLite database; less where the call has less time left. */
export const BUSY_TIMEOUT_MS = 4_000;

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
/** The largest database that is copied in order to read it, where a stopped program has left a journal. */
export const SQLITE_ASIDE_BYTES = 256 * 1024 * 1024;
/** An idle child lets go of the file after this time, so that it can be moved or deleted. */
export const SQLITE_FILE_RELEASE_MS = 2_000;
export const SQLITE_CHILD_IDLE_MS = 5_000;
/** The last idle child stays longer: starting a process takes ten times as long as a small query. */
export const SQLITE_LAST_CHILD_IDLE_MS = 120_000;
/** Pages that an exporting child keeps, instead of the driver's 16 MB: each is read once. */
export const EXPORT_CACHE_KIB = 2 * 1024;
/** A child that has grown over this ends after its answer: memory that one huge cell took does not stay. */
export const SQLITE_CHILD_MEMORY_BYTES = 160 * 1024 * 1024;
/** What a child may take while one statement runs. A value has 512 MB at most, and exists twice for a moment. */
export const SQLITE_STATEMENT_MEMORY_BYTES = 1024 * 1024 * 1024;
/** The same for all children of a sidecar together, however many databases it has: the largest is ended. */
export const SQLITE_ALL_MEMORY_BYTES = 2 * SQLITE_STATEMENT_MEMORY_BYTES;
/** Temporary files of one statement, into which SQLite sorts what does not fit into memory. */
export const SQLITE_TEMPORARY_BYTES = 1024 * 1024 * 1024;
/** Those of all children of a sidecar. */
export const SQLITE_ALL_TEMPORARY_BYTES = 2 * SQLITE_TEMPORARY_BYTES;
