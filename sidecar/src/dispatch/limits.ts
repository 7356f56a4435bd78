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
