/** Entries looked at in one folder, and folders looked into: a huge tree must not hold a call up. */
export const MAX_FOLDER_ENTRIES = 20_000;
export const MAX_DETECTED_FOLDERS = 500;
export const MAX_DETECTED_DATABASES = 100;
export const MAX_SKIPPED = 200;
/** Folders in which an application with settings of its own is looked for. */
export const MAX_APP_FOLDERS = 120;
/** Of the process that looks for databases: texts of settings, and what is read out of them. */
export const DETECTION_MEMORY_MB = 192;
/** Up to this many folders are looked at on every call; of more, those below the root once in the interval. */
export const MAX_FOLDERS_PER_CALL = 24;
