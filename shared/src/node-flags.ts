/**
 * Keeps V8's young generation at its initial size. An answer is a long, short-lived text; a young generation sixteen
 * times as large would hold dozens of them before a collection.
 */
export const SMALL_YOUNG_SPACE = '--semi-space-growth-factor=1';
