import { nameText, type PlainText, plain } from '@devdb/shared/plain-text';
import type { DatabaseBook } from '../databases/database-book.ts';
import { NotApproved } from '../databases/database-errors.ts';
import { type Entry, entryNamed, placeOf } from '../databases/entry.ts';

export interface TrustCommandOptions {
  readonly book: DatabaseBook;
  /** Only this one; without it, all that need approval. */
  readonly connection: string | undefined;
  readonly revoke: boolean;
  readonly signal: AbortSignal;
  /** Prints a line for the user, before the approval is stored. */
  readonly print: (line: PlainText) => void;
}

const CLEAR_TEXT = plain`its password may be sent to the server in clear text`;

/**
 * `devdb trust`: prints what would be approved and why, then stores it; or revokes approvals. Resolves to the exit
 * code.
 */
export async function trust({ book, connection, revoke, signal, print }: TrustCommandOptions): Promise<0 | 1> {
  const { entries } = await book.state(signal);
  const asking = entries.filter((entry) => entry.needsTrust !== undefined || (revoke && entry.approved));
  // Printed before it is stored, and only what was printed is stored: what a file adds meanwhile is not approved with
  // it.
  const chosen = connection === undefined ? asking : [await named(book, entries, connection, signal)];
  // A database chosen by name is approved even if it needs no approval: its server may want the password in clear text.
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
    // It may be another id of the same database; an unknown one is refused with the book's own error.
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
