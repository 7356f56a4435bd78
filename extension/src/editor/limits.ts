/** Larger files are not text that anyone edits, and decoding them would block the editor. */
export const MAX_TEXT_FILE_BYTES = 10 * 1024 * 1024;
export const MAX_MANIFESTS = 1_000;
export const MAX_MANIFEST_BYTES = 1024 * 1024;
/** How many files a search without ripgrep reads at most. */
export const MAX_SEARCHED_FILES = 20_000;
/** The editor notices a change from outside within this time, or never. */
export const RELOAD_WAIT_MS = 3_000;
