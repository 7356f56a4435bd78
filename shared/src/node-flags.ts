/**
 * Keeps V8's room for new objects at the size that it starts with. An answer is a long text that is soon thrown away: in
 * room that may grow to sixteen times as much, dozens of them lie about before anybody clears them.
 */
export const SMALL_YOUNG_SPACE = '--semi-space-growth-factor=1';
