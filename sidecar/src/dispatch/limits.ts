// Tools that run in the editor.
/** How long an aborted change may take to report what it did: a little less than the gate waits for it. */
export const CHANGE_SETTLE_MS = 1_800;
/** How often a call is asked about again because something else would run by now. */
export const MAX_AGREED_CHANGES = 3;
/** Names in a log line; a tool's name has at most 128 characters. */
export const MAX_LOGGED_NAME_CHARS = 128;
/** Reserved for the answer of a running call. */
export const LARGE_ANSWER_BYTES = 1024 * 1024;
/** Answers of a sidecar waiting for their readers, plus what its running calls may add. Two entries can fill it. */
export const MAX_WAITING_ANSWER_BYTES = 128 * LARGE_ANSWER_BYTES;
/** How long the editor may take to say which files it shows. */
export const WINDOW_LOOK_TIMEOUT_MS = 10_000;
/** A responsive editor answers within this time. */
export const EDITOR_ANSWERS_MS = 2_000;
/** Too short for a person to read a question and answer it. */
export const UNREAD_ANSWER_MS = 300;

// Clients whose every call is asked about.
/** Clients whose names are remembered, so that a new name does not make a new client. */
export const MAX_KNOWN_CLIENTS = 1_000;
export const MAX_NAMES_OF_CLIENT = 16;

// The activity of a window's agents.
/** Calls that are kept; the oldest that have ended go first. */
export const MAX_KEPT_CALLS = 1_000;
/** Their statements, inputs and first rows together. */
export const MAX_KEPT_CALL_BYTES = 8 * 1024 * 1024;
/** What is shown of a result. */
export const FIRST_ROWS = 20;
export const FIRST_ROWS_CHARS = 8 * 1024;
/** A text within an input, such as a file's content. */
export const MAX_SHOWN_TEXT_CHARS = 2_000;
/** One line of the list. */
export const MAX_SUBJECT_CHARS = 240;
/** At most one notice of changes to the editor in this time: an agent may make thousands of calls a second. */
export const ACTIVITY_NOTICE_MS = 100;
/** What is kept of a project while its window is closed. */
export const MAX_EARLIER_CALLS = 200;
export const EARLIER_CALLS_DAYS = 7;
