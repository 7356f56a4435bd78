export type Asked = readonly [what: string, sql: string, limit?: number];

const LETTER =
  "'Dear customer ' || id || ',' || char(10, 10) || replace(printf('%.*c', 40, 'x'), 'x', 'your order was sent on the ' || (id % 28 + 1) || 'th and will arrive soon. ') || char(10) || 'Yours'";

/** Reads as agents make them, each with the query that gets the same from the other server. */
export const ANSWERS: readonly Asked[] = [
  ['one number', 'SELECT count(*) AS items FROM items'],
  ['one row', 'SELECT * FROM items WHERE id = 7'],
  ['10 rows', 'SELECT * FROM events LIMIT 10'],
  ['100 rows', 'SELECT * FROM events LIMIT 100'],
  ['100 rows of two columns', 'SELECT id, name FROM items LIMIT 100'],
  ['no rows', 'SELECT * FROM events WHERE id < 0'],
  ['groups', 'SELECT id % 7 AS kind, count(*) AS items, sum(price) AS total FROM items GROUP BY 1'],
  ['nulls', 'SELECT id, NULL AS a, NULL AS b FROM items LIMIT 50'],
  ['50 sentences', "SELECT id, 'The quick brown fox jumps over the lazy dog' AS note FROM items LIMIT 50"],
  ['names of the tables', "SELECT name FROM sqlite_master WHERE type = 'table'"],
  ['50 letters, with a limit that allows them', `SELECT id, ${LETTER} AS body FROM items LIMIT 50`, 50],
];

/**
 * Answers that are mostly texts. Both servers have to say those, and they alone are over a third of dbhub's answer, so
 * that no form that leaves nothing out can meet its ratio: measured is what ours adds to the values.
 */
export const LONG_TEXTS: readonly Asked[] = [
  [
    '50 descriptions',
    "SELECT id, name, price, 'The ' || name || ' replaces part ' || (id * 7) || '. It fits all models since ' || (2000 + id % 20) || ', comes with screws and a cable of ' || id || ' cm, and is shipped from our own warehouse within two days.' AS description FROM items LIMIT 50",
  ],
  [
    '50 payloads in JSON',
    "SELECT id, json_object('id', id, 'type', 'item.changed', 'actor', json_object('name', 'user' || id, 'role', 'admin'), 'changes', json_array(json_object('field', 'price', 'from', price, 'to', price + 1))) AS payload FROM items LIMIT 50",
  ],
];
