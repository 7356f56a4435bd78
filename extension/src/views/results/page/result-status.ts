export interface Status {
  /** The rows in the order on show, of all. */
  readonly rows: number;
  readonly all: number;
  readonly hasColumns: boolean;
  /** Changes that wait to be applied. */
  readonly changes: number;
  readonly note: string;
  /** What was said last about something else. */
  readonly said: string;
}

/** The line below a result. */
export function statusText({ rows, all, hasColumns, changes, note, said }: Status): string {
  const count = rows === all ? number(rows) : `${number(rows)} of ${number(all)}`;
  const counted = hasColumns ? `${count} ${all === 1 ? 'row' : 'rows'}` : '';
  const waiting = changes === 0 ? '' : `${changes} ${changes === 1 ? 'change' : 'changes'} not applied`;
  return [counted, waiting, note, said].filter((part) => part !== '').join(' · ');
}

function number(value: number): string {
  return value.toLocaleString('en');
}

/** What was sorted: the rows that were read, or the table that they are the first of. */
export function sortedText(
  what: 'these rows' | 'the whole table',
  column: string,
  { descending }: { readonly descending: boolean },
): string {
  return `${what} sorted by ${column}, ${descending ? 'descending' : 'ascending'}`;
}
