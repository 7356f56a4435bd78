/** Larger files are not text that anyone edits, and decoding them would block the editor. */
export const MAX_TEXT_FILE_BYTES = 10 * 1024 * 1024;
export const MAX_MANIFESTS = 1_000;
export const MAX_MANIFEST_BYTES = 1024 * 1024;
/** How many files a search without ripgrep reads at most. */
export const MAX_SEARCHED_FILES = 20_000;
/** The editor notices a change from outside within this time, or never. */
export const RELOAD_WAIT_MS = 3_000;

// Terminals, commits, open files.
/** How long a command in a terminal is waited for, unless the setting or the call says otherwise. */
export const TERMINAL_TIMEOUT_MS = 15_000;
/** The start and the end of what a command wrote are kept; what lies between is counted. */
export const TERMINAL_HEAD_BYTES = 12 * 1024;
export const TERMINAL_TAIL_BYTES = 20 * 1024;
/** Our terminals in a window. A command that does not end keeps its own. */
export const MAX_TERMINALS = 4;
/** Commands of one terminal whose output is kept for get_terminal_text. */
export const MAX_TERMINAL_COMMANDS = 20;
/** Terminals whose output is kept, the newest. */
export const MAX_WATCHED_TERMINALS = 16;
/** Commits that a search looks at in one go, and at most. */
export const COMMIT_PAGE = 1_000;
export const MAX_SEARCHED_COMMITS = 50_000;
/** Files of a window that are named. */
export const MAX_OPEN_FILES = 500;
