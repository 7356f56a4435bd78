/** The longest wait for a locked SQLite database; less where the call has less time left. */
export const BUSY_TIMEOUT_MS = 4_000;

// SQLite's child processes, for one database.
/** Statements not yet known to be fast or slow. */
export const SQLITE_FRESH_CHILDREN = 2;
/**
 * With the extra places for recent arrivals, so that a quick statement is not held up while slow ones are tried out.
 */
export const SQLITE_MOST_FRESH_CHILDREN = 4;
/** A statement that waited this long goes before later ones, in the usual places. */
export const FRESH_TURN_MS = 500;
/** A statement that waited this long gets no extra place. */
export const FRESH_SUSPECT_MS = 150;
/** Slow statements run at low priority, a few at once: the editor shares the cores. */
export const SQLITE_SLOW_CHILDREN = 2;
/** A statement found to be slow keeps running while at most this many do; beyond that it starts over later. */
export const SQLITE_KEPT_SLOW_CHILDREN = 4;
/**
 * Each time the first slow statement in the queue has waited this long, one more may run, so that endless ones do not
 * block the rest.
 */
export const SLOW_PATIENCE_MS = 1_500;
export const SQLITE_MOST_SLOW_CHILDREN = 6;
/** Exports cannot be restarted; without a bound they would take every child. */
export const SQLITE_EXPORT_CHILDREN = 4;
/** All children of one database, including idle ones and those waiting for a lock. */
export const SQLITE_MAX_CHILDREN = 16;
/** Children started at once: each start keeps a core busy. */
export const SQLITE_STARTING_CHILDREN = 2;
/** Spare children kept ready while statements run that may be slow. */
export const SQLITE_WARM_CHILDREN = 2;
/** CPU time after which a statement counts as slow. Not wall time: a child short of CPU is not slow. */
export const SLOW_STATEMENT_CPU_MS = 100;
/** The same while other statements wait. */
export const SLOW_CONTENDED_CPU_MS = 25;
/** How often a running statement's CPU time is read. Most end before the first reading. */
export const SLOW_STATEMENT_CHECK_MS = 20;
/** How often a running statement's memory and disk use is checked. */
export const RESOURCE_CHECK_MS = 50;
/** How long a slow statement is remembered: meanwhile it goes straight to the slow queue. */
export const REMEMBERED_SLOW_MS = 300_000;
export const REMEMBERED_SLOW_STATEMENTS = 256;
/**
 * Wall time after which a statement that hardly uses the CPU counts as waiting (for a lock, or for a reader of its
 * rows).
 */
export const WAITING_STATEMENT_MS = 80;
/** The largest database copied for reading, where a stopped program left a journal. */
export const SQLITE_ASIDE_BYTES = 256 * 1024 * 1024;
/** An idle child closes the file after this time, so that it can be moved or deleted. */
export const SQLITE_FILE_RELEASE_MS = 2_000;
export const SQLITE_CHILD_IDLE_MS = 5_000;
/** The last idle child stays longer: starting a process takes ten times as long as a small query. */
export const SQLITE_LAST_CHILD_IDLE_MS = 120_000;
/** Page cache of an exporting child, instead of the driver's 16 MB: it reads each page once. */
export const EXPORT_CACHE_KIB = 2 * 1024;
/** A child over this limit is retired after its answer, so that memory one huge cell took is returned. */
export const SQLITE_CHILD_MEMORY_BYTES = 160 * 1024 * 1024;
/** Memory of a child while one statement runs. A value has 512 MB at most, and exists twice for a moment. */
export const SQLITE_STATEMENT_MEMORY_BYTES = 1024 * 1024 * 1024;
/** The same for all children of a sidecar together, over all its databases: the largest is ended. */
export const SQLITE_ALL_MEMORY_BYTES = 2 * SQLITE_STATEMENT_MEMORY_BYTES;
/** Temporary files of one statement: SQLite sorts there what does not fit in memory. */
export const SQLITE_TEMPORARY_BYTES = 1024 * 1024 * 1024;
/** Temporary files of all children of a sidecar. */
export const SQLITE_ALL_TEMPORARY_BYTES = 2 * SQLITE_TEMPORARY_BYTES;
