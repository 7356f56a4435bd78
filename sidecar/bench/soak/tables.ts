/** Rows of the table for capped reads. */
export const MANY_ROWS = 20_000;

/** Tables that are the same on every engine: one to read from, and one whose only row the writes count up. */
export const TABLES =
  'CREATE TABLE items (id integer PRIMARY KEY, name varchar(40)); CREATE TABLE counter (n integer); INSERT INTO counter VALUES (0);';

/** The rows of that table, where recursion is written like this. */
export const SERIES = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MANY_ROWS}) SELECT i, concat('item ', i) FROM n`;
