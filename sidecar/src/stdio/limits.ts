import { MAX_BODY_BYTES, PROGRESS_INTERVAL_MS } from '@devdb/shared/limits';

/** A foreign process on a stale port may accept the connection and say nothing. */
export const PROOF_TIMEOUT_MS = 5_000;
/** The answers of a batch go out as one line, which has to fit in memory. */
export const MAX_BATCH_MESSAGES = 100;
/** JSON in JSON may double a body's size; a longer line is no tool call. */
export const MAX_STDIO_LINE_BYTES = 2 * MAX_BODY_BYTES;
/** A running call is never silent for longer than PROGRESS_INTERVAL_MS; after this long its sidecar hangs. */
export const ANSWER_SILENCE_MS = 12 * PROGRESS_INTERVAL_MS;
