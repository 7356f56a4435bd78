/** Rows of one request; a page of them is what is kept or forgotten. */
export const PAGE_ROWS = 200;
/** Pages that are kept: a person scrolls back a little more often than far. */
export const MOST_PAGES = 40;
/** Requests on their way: while somebody scrolls, most pages are gone again before their answer comes. */
export const MOST_REQUESTS = 2;
export const ROW_HEIGHT = 24;
/** Browsers make no element higher than about 33 million pixels. */
export const SECTION_ROWS = 1_000_000;
export const LEAST_WIDTH = 48;
/** The first rows often have the shortest numbers. */
export const FIRST_WIDTH = 92;
export const MOST_WIDTH = 420;
/** By how much a press of the keys widens a column. */
export const WIDTH_STEP = 24;
export const NUMBER_WIDTH = 76;
/** Of a character in the editor's font, about. */
export const CHARACTER_WIDTH = 8.4;
