// Tools that run in the editor.
/** How long a change that was ended may still say what it did: a little less than the gate waits for it. */
export const CHANGE_SETTLE_MS = 1_800;
/** Names in a log line; a tool's name has 128 at most. */
export const MAX_LOGGED_NAME_CHARS = 128;
/** What is kept free for the answer of a call that runs. */
export const LARGE_ANSWER_BYTES = 1024 * 1024;
/** Answers of a sidecar that wait for their readers, with what its running calls may add. Two entries fill it. */
export const MAX_WAITING_ANSWER_BYTES = 128 * LARGE_ANSWER_BYTES;
/** How long the editor may take to say which files it shows. */
export const WINDOW_LOOK_TIMEOUT_MS = 10_000;
