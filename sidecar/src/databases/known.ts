import { idText, type PlainText, plain } from '@devdb/shared/plain-text';
import type { Found } from '../detection/detect.ts';
import type { Skipped } from '../detection/detector.ts';
import { reasonForTrust } from './trust.ts';

/** The detector of files that no settings name. */
const LIES_ABOUT = 'sqlite-files';

/** A database of the project under the id it keeps. */
export interface Known {
  readonly id: PlainText;
  /** Its id as its source has it, and ids under which the same database was found too; they go on working. */
  readonly aliases: readonly string[];
  readonly found: Found;
  readonly needsTrust: PlainText | undefined;
  readonly trustHash: string;
}

/** Gives every database one entry and an id of its own; what was found twice goes to the best source. */
export function gather(
  found: readonly Found[],
  hashOf: (found: Found) => string,
): { readonly known: readonly Known[]; readonly same: readonly Skipped[] } {
  const known: Known[] = [];
  const same: Skipped[] = [];
  for (const one of found) {
    const needsTrust = reasonForTrust(one);
    // A source that needs an approval does not swallow one that needs none.
    const twin = known.findIndex((other) => isSame(other.found, one) && !(other.needsTrust && !needsTrust));
    const first = known[twin];
    if (first && needsTrust !== undefined && first.found.source.by === LIES_ABOUT) {
      // Only settings tell what a file is for: that it lies in the project makes production's none of development.
      known.splice(twin, 1);
      const id = freeId(safeId(one.id), known);
      known.push({ id, aliases: [one.id, first.id, ...first.aliases], found: one, needsTrust, trustHash: hashOf(one) });
      same.push({ ...first.found.source, reason: `the same database as ${id}` });
    } else if (first) {
      known[twin] = { ...first, aliases: [...first.aliases, one.id] };
      same.push({ ...one.source, reason: `the same database as ${first.id}` });
    } else {
      const id = freeId(safeId(one.id), known);
      known.push({ id, aliases: [one.id], found: one, needsTrust, trustHash: hashOf(one) });
    }
  }
  return { known, same };
}

function isSame(a: Found, b: Found): boolean {
  if (a.kind !== b.kind) return false;
  if ('file' in a.target || 'file' in b.target) {
    return 'file' in a.target && 'file' in b.target && a.target.file === b.target.file;
  }
  const [one, other] = [a.target, b.target];
  return (
    samePlace(one.host) === samePlace(other.host) &&
    one.port === other.port &&
    one.user === other.user &&
    one.database === other.database
  );
}

/** The names of this machine stand for one place. */
function samePlace(host: string): string {
  const plain = host.toLowerCase();
  return plain === '127.0.0.1' || plain === '::1' ? 'localhost' : plain;
}

/** Ids stand in commands that people are told to run: nothing in them may mean something to a shell. */
function safeId(text: string): PlainText {
  return idText(text.replace(/["'`$\\!<>|&;*?]/gu, '_'));
}

function freeId(wanted: PlainText, known: readonly Known[]): PlainText {
  const taken = new Set(known.map((one) => one.id));
  let id = wanted;
  for (let copy = 2; taken.has(id); copy += 1) id = plain`${wanted}-${copy}`;
  return id;
}
