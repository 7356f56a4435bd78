import { isCredentialName, withoutCredentials } from '@devdb/shared/credentials';
import type { CallDetails } from '@devdb/shared/protocol/activity-methods';
import { type RowsHead, rowsHead } from '@devdb/shared/rows-text';
import * as z from 'zod';
import { FIRST_ROWS, FIRST_ROWS_CHARS } from '../limits.ts';

type Result = NonNullable<CallDetails['result']>;

/** More columns than anybody reads in a preview. */
const MOST_COLUMNS = 50;
const HIDDEN = '[secret]';

const rowsSchema = z.array(z.array(z.json()));

/** The first rows of a tool's data, as text of their own: a part of the whole text would keep all of it in memory. */
export function firstRows(data: unknown): RowsHead | undefined {
  const head = rowsHead(data, FIRST_ROWS, FIRST_ROWS_CHARS);
  if (head === undefined || head.columns.length === 0) return undefined;
  return { columns: head.columns.slice(0, MOST_COLUMNS), text: Buffer.from(head.text).toString() };
}

/** The same for people. Columns that are named like credentials are hidden. */
export function shownRows({ columns, text }: RowsHead): Result {
  const secret = columns.map(isCredentialName);
  const rows = rowsSchema
    .parse(JSON.parse(text))
    .map((row) =>
      row
        .slice(0, columns.length)
        .map((cell, at) => (secret[at] && cell !== null ? HIDDEN : z.json().parse(withoutCredentials(cell)))),
    );
  return { columns: [...columns], rows };
}
