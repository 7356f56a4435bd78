/** The library takes about a second for 100 KB, on a slow machine some more. */
export const FORMAT_LIMIT_MS = 30_000;
export const FORMAT_HEAP_MB = 1_024;
/** How much of a condition or a list stands in one line. */
export const EXPRESSION_WIDTH = 80;
