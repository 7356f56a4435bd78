/** Entries read in one folder, and folders read in total: a huge tree must not delay a call. */
export const MAX_FOLDER_ENTRIES = 20_000;
export const MAX_DETECTED_FOLDERS = 500;
export const MAX_DETECTED_DATABASES = 100;
export const MAX_SKIPPED = 200;
/** Folders searched for an application with its own settings. */
export const MAX_APP_FOLDERS = 120;
/** Memory of the detection process: texts of settings files and what is parsed from them. */
export const DETECTION_MEMORY_MB = 192;
/** Up to this many folders are checked on every call; with more, those below the root are checked once per interval. */
export const MAX_FOLDERS_PER_CALL = 24;
/** A container daemon answers in milliseconds; one that hangs must not hold a call. */
export const CONTAINERS_ANSWER_MS = 500;
export const MAX_CONTAINERS_BYTES = 2 * 1024 * 1024;
export const MAX_CONTAINERS = 1_000;
