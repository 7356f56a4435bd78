import { CALLS_IDLE_MS, MAX_BODY_BYTES, MAX_PARALLEL_CALLS } from '@devdb/shared/limits';

export const MAX_HEADER_BYTES = 16 * 1024;
export const HEADERS_TIMEOUT_MS = 10_000;
export const BODY_TIMEOUT_MS = 30_000;
export const KEEP_ALIVE_TIMEOUT_MS = 60_000;
/** How long the body of a refused request is still read and discarded, so that the sender sees the answer. */
export const LINGER_MS = 1_000;
/** Less than the process's own hard stop, and more than the gate waits for a tool to settle. */
export const HTTP_CLOSE_GRACE_MS = 2_500;

// MCP.
export const MAX_MCP_SESSIONS = 64;
export const MCP_SESSION_IDLE_MS = 30 * 60_000;
/** At the session limit, a session unused for this long is replaced; one in use never is. */
export const MCP_SESSION_REPLACEABLE_MS = 60_000;
/** The first message of an upgraded connection: a token and a name. */
export const MAX_GREETING_BYTES = 1024;
export const CALLS_ABANDONED_MS = 2 * CALLS_IDLE_MS;
/** A call's input and the fields around it. */
export const MAX_CALL_BYTES = MAX_BODY_BYTES + 1024;
/** Unfinished calls of one connection. Twice what the entry runs: cancelled calls need a moment to settle. */
export const MAX_UNENDED_CALLS = 2 * MAX_PARALLEL_CALLS;
