import { nameText, type PlainText, plain } from '@devdb/shared/plain-text';
import type { DatabaseBook } from '../databases/database-book.ts';
import { NotApproved } from '../databases/database-errors.ts';
import { type Entry, entryNamed, placeOf } from '../databases/entry.ts';

export interface TrustCommandOptions {
  readonly book: DatabaseBook;
  /** Only this one; all that need an approval where it is not given. */
  readonly connection: string | undefined;
  readonly revoke: boolean;
  readonly signal: AbortSignal;
  /** A line for the person, before the approval is kept. */
  readonly print: (line: PlainText) => void;
}

const CLEAR_TEXT = plain`its password may be sent to the server in clear text`;

/** `devdb trust`: says what would be approved and why, then keeps it; or takes approvals back. Resolves to the exit code. */
export async function trust({ book, connection, revoke, signal, print }: TrustCommandOptions): Promise<0 | 1> {
  const { entries } = await book.state(signal);
  const asking = entries.filter((entry) => entry.needsTrust !== undefined || (revoke && entry.approved));
  // Told before it is kept, and only what was told is kept: what a file adds meanwhile is not approved with it.
  const chosen = connection === undefined ? asking : [await named(book, entries, connection, signal)];
  // What is named is approved also where it can be opened without: its server may want the password in the clear.
  const isAsked = (entry: Entry): boolean => revoke || entry.needsTrust !== undefined || isNamedServer(entry);
  const isNamedServer = ({ target }: Entry): boolean => connection !== undefined && !('file' in target);
  const affected = chosen.filter((entry) => isAsked(entry) && entry.approved === revoke);
  if (affected.length === 0) {
    print(nothingToDo(entries, chosen, revoke));
    return 0;
  }
  print(revoke ? plain`No longer approved:` : plain`Approved for this project:`);
  for (const entry of affected) print(lineOf(entry));
  if (revoke) await book.revoke(affected, signal);
  else await book.approve(affected, 'kept', signal);
  return 0;
}

async function named(book: DatabaseBook, entries: readonly Entry[], id: string, signal: AbortSignal): Promise<Entry> {
  const entry = entryNamed(entries, id);
  if (entry) return entry;
  try {
    // It may be another id of the same database; what is none of the project's is refused in the book's own words.
    return await book.find(id, signal);
  } catch (error) {
    if (error instanceof NotApproved) return error.entry;
    throw error;
  }
}

function nothingToDo(entries: readonly Entry[], chosen: readonly Entry[], revoke: boolean): PlainText {
  if (entries.length === 0)
    return plain`No database was found, so there is nothing to approve. \`devdb doctor\` shows where DevDB looked.`;
  if (revoke) return plain`There is no approval to revoke.`;
  return chosen.some((entry) => entry.needsTrust !== undefined)
    ? plain`Every database that needs an approval has one.`
    : plain`Nothing needs an approval.`;
}

function lineOf({ id, kind, shown, source, needsTrust = CLEAR_TEXT }: Entry): PlainText {
  return plain`  ${id}  ${nameText(kind)} ${shown}  (${placeOf(source)}): ${needsTrust}`;
}
