import { idText, type PlainText, plain } from '@devdb/shared/plain-text';
import type { Found } from '../detection/detect.ts';
import type { Skipped } from '../detection/detector.ts';
import { reasonForTrust } from './trust.ts';

/** The detector of database files that no settings mention. */
const LIES_ABOUT = 'sqlite-files';

/** A database of the project, under its final id. */
export interface Known {
  readonly id: PlainText;
  /** Its id at its source, and other ids the same database was found under; all of them keep working. */
  readonly aliases: readonly string[];
  readonly found: Found;
  readonly needsTrust: PlainText | undefined;
  readonly trustHash: string;
}

/** Gives every database one entry and a unique id; a database found twice belongs to the best source. */
export function gather(
  found: readonly Found[],
  hashOf: (found: Found) => string,
): { readonly known: readonly Known[]; readonly same: readonly Skipped[] } {
  const known: Known[] = [];
  const same: Skipped[] = [];
  for (const one of found) {
    const needsTrust = reasonForTrust(one);
    // A source that needs approval must not absorb one that needs none.
    const twin = known.findIndex((other) => isSame(other.found, one) && !(other.needsTrust && !needsTrust));
    const first = known[twin];
    if (first && needsTrust !== undefined && first.found.source.by === LIES_ABOUT) {
      // Only settings show what a file is for: lying in the project does not make production's database one for
      // development.
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

/** All names of this machine are the same place. */
function samePlace(host: string): string {
  const plain = host.toLowerCase();
  return plain === '127.0.0.1' || plain === '::1' ? 'localhost' : plain;
}

/** Ids appear in commands for users to run, so they contain nothing special to a shell. */
function safeId(text: string): PlainText {
  return idText(text.replace(/["'`$\\!<>|&;*?]/gu, '_'));
}

function freeId(wanted: PlainText, known: readonly Known[]): PlainText {
  const taken = new Set(known.map((one) => one.id));
  let id = wanted;
  for (let copy = 2; taken.has(id); copy += 1) id = plain`${wanted}-${copy}`;
  return id;
}
