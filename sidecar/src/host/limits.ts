// Logs and copies of the bundle.
export const MAX_LOG_FILE_BYTES = 5 * 1024 * 1024;
export const MAX_LOG_FILES = 3;
/** Lines are written to disk in batches this far apart, so that no call pays for its own write. */
export const LOG_FLUSH_MS = 200;
/** Lines waiting for a slow disk; what does not fit is counted and dropped. */
export const MAX_LOG_QUEUE_BYTES = 1024 * 1024;
