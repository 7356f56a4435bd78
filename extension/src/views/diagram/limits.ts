/** Keys that one diagram lays out at most. */
export const MOST_DIAGRAM_KEYS = 3_000;
