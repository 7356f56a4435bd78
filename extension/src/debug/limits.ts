/** What is remembered of one session: a program that prints all day must not fill the extension host. */
export const RECORDED_EVENTS = 5_000;
export const RECORDED_BYTES = 1024 * 1024;
/** A line of output that is longer is cut. */
export const MAX_RECORDED_CHARS = 4_096;
/** Sessions that have ended and can still be looked at. */
export const RECORDED_ENDED_SESSIONS = 20;
/** The same for the processes that one session has started. */
export const RECORDED_ENDED_PROCESSES = 20;
/** An answer at a stop: enough to go on without another call. */
export const STOP_OUTPUT_BYTES = 2 * 1024;
export const STOP_LOCALS = 20;
export const STOP_VALUE_CHARS = 120;
export const STOP_LINES_AROUND = 3;
/** A value in a list of variables; debug_evaluate gives it whole. */
export const MAX_VARIABLE_CHARS = 400;
/** Variables that one call asks the adapter for. */
export const MAX_LISTED_VARIABLES = 1_000;
/** So many children of a container are listed with the others; debug_get_variable has the rest. */
export const MAX_LISTED_CHILDREN = 100;
/** The same below the first level: one large object must not push out the other variables. */
export const MAX_NESTED_CHILDREN = 20;
/** An adapter that is busy may answer later; what is unknown by then is reported as not bound yet. */
export const BREAKPOINT_BIND_MS = 1_000;
