/** Words that SQLite does not accept as a name without quotes. */
const RESERVED = new Set(
  (
    'ADD ALL ALTER AND AS AUTOINCREMENT BETWEEN CASE CHECK COLLATE COMMIT CONSTRAINT CREATE DEFAULT DEFERRABLE DELETE ' +
    'DISTINCT DROP ELSE ESCAPE EXCEPT EXISTS FOREIGN FROM GROUP HAVING IN INDEX INSERT INTERSECT INTO IS ISNULL JOIN ' +
    'LIMIT NOT NOTHING NOTNULL NULL ON OR ORDER PRIMARY REFERENCES RETURNING SELECT SET TABLE THEN TO TRANSACTION UNION ' +
    'UNIQUE UPDATE USING VALUES WHEN WHERE'
  ).split(' '),
);

/** Keywords that may be names, but never an alias without AS: they continue the clause. */
const CLAUSE_WORDS = new Set('CROSS FULL INDEXED INNER LEFT NATURAL OFFSET OUTER RIGHT WINDOW'.split(' '));

/** Whether an unquoted word is a keyword that needs quotes to be a name. */
export function isSqliteKeyword(word: string): boolean {
  return RESERVED.has(word.toUpperCase());
}

/** Whether an unquoted word after a table's name can be its alias. */
export function canBeAlias(word: string): boolean {
  const upper = word.toUpperCase();
  return !RESERVED.has(upper) && !CLAUSE_WORDS.has(upper);
}
