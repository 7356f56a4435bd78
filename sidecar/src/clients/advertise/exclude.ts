import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { isFreeOfLinks, NotReplaceable, readExactly, replaceIfSame } from '../../host/replace-file.ts';
import { withLine, withoutLine } from './exclude-lines.ts';
import type { AdvertiseRecords, ExcludeRecord } from './records.ts';
import { undone, undoOf } from './undo.ts';

const NEW_MODE = 0o644;

/** The line of an exclude file that names our file. */
export interface WantedLine {
  readonly file: string;
  readonly line: string;
  /** False when Git already ignores the file, perhaps because of this very line. */
  readonly isNeeded: boolean;
}

/** What to record about a line that the exclude file needs, and the text with the line. */
export interface ExcludePlan {
  readonly record: ExcludeRecord;
  write(): void;
}

/**
 * Plans the line. Undefined when the user added it. A repository's working trees share the file: each that needs the
 * line records it.
 */
export function planExclude(records: AdvertiseRecords, root: string, wanted: WantedLine): ExcludePlan | undefined {
  const { file, line, isNeeded } = wanted;
  if (!isFreeOfLinks(file)) throw new NotReplaceable('it is a link, or is reached through one');
  const text = readExactly(file);
  const after = withLine(text ?? '', line);
  const mine = records[root]?.exclude;
  if (after === text) {
    if (mine !== undefined && isSame(mine, wanted)) return { record: mine, write: () => undefined };
    if (heirs(records, root, wanted).length === 0) return undefined;
    return { record: { file, line, created: false }, write: () => undefined };
  }
  if (!isNeeded) return undefined;
  const record = { file, line, created: text === undefined, undo: undoOf(text ?? '', after) };
  const write = () => {
    mkdirSync(dirname(file), { recursive: true });
    replaceIfSame(file, text, after, { newMode: NEW_MODE });
  };
  return { record, write };
}

/** Removes the line, or leaves it to another project that needs it. Returns the updated records. */
export function leaveExclude(records: AdvertiseRecords, root: string): AdvertiseRecords {
  const mine = records[root]?.exclude;
  if (mine === undefined) return records;
  const [heir] = heirs(records, root, mine);
  if (heir === undefined) {
    takeOut(mine);
    return records;
  }
  const { undo } = mine;
  if (undo === undefined) return records;
  const [name, record] = heir;
  return { ...records, [name]: { ...record, exclude: mine } };
}

function takeOut({ file, line, created, undo }: ExcludeRecord): void {
  if (!isFreeOfLinks(file)) return;
  const text = readExactly(file);
  if (text === undefined) return;
  const before = undone(text, undo) ?? withoutLine(text, line);
  if (before === text) return;
  if (created && before === '') rmSync(file);
  else replaceIfSame(file, text, before, { newMode: NEW_MODE });
}

type Place = Pick<ExcludeRecord, 'file' | 'line'>;

function heirs(records: AdvertiseRecords, root: string, place: Place) {
  return Object.entries(records).filter(
    ([other, { exclude }]) => other !== root && exclude !== undefined && isSame(exclude, place),
  );
}

function isSame(one: Place, other: Place): boolean {
  return one.file === other.file && one.line === other.line;
}
