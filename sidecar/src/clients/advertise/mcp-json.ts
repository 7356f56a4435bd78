import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { OnBroken } from '../../host/files.ts';
import type { Home } from '../../host/home.ts';
import { isInside } from '../../host/inside.ts';
import { isFreeOfLinks, isLink, NotReplaceable, readExactly, replaceIfSame } from '../../host/replace-file.ts';
import { MAX_MCP_JSON_BYTES } from '../limits.ts';
import { isEmptyFrame, jsonEntry, removeJsonEntry, setJsonEntry } from '../setup/jsonc-edit.ts';
import { SERVER_NAME } from '../setup/merge-file.ts';
import { leaveExclude, planExclude, type WantedLine } from './exclude.ts';
import { isOwnEntry, leadsToDevdb } from './own-entry.ts';
import { type AdvertiseRecord, readRecords, withRecord, writeRecords } from './records.ts';
import { undone, undoOf } from './undo.ts';

/** The file in a project's root that clients read. */
export const FILE_NAME = '.mcp.json';
/** The object in it that holds the servers. */
export const GROUP = 'mcpServers';

const NEW_MODE = 0o644;
/** A file with a token is for its owner alone. */
const TOKEN_MASK = 0o7700;
const ALL_MODE = 0o7777;
const MAX_TRIES = 5;

export interface McpJsonParts {
  readonly home: Pick<Home, 'dir'>;
  readonly onBroken: OnBroken;
}

/** The content wanted in one project's file. */
export interface WantedEntry {
  readonly root: string;
  /** The real file, behind links. */
  readonly file: string;
  readonly entry: Readonly<Record<string, unknown>>;
  readonly holdsToken: boolean;
  readonly inGit: boolean;
}

/** The outcome. `kept` is a user's own entry that leads to DevDB as well. */
export type PutOutcome =
  | { readonly state: 'written' | 'same' | 'kept' | 'foreign' }
  | { readonly state: 'unreadable'; readonly line: number; readonly reason: string };

/** Whether the file could take our entry; does not change it. */
export function lookAt(file: string, isRecorded: boolean): PutOutcome | { readonly state: 'absent' } {
  const text = readText(file);
  if (text === undefined) return { state: 'absent' };
  const edit = setJsonEntry(text, GROUP, SERVER_NAME, {});
  if (!edit.ok) return { state: 'unreadable', line: edit.line, reason: edit.reason };
  return { state: stateOf(jsonEntry(text, GROUP, SERVER_NAME), isRecorded) };
}

/** Puts the entry into the file. Only under the home's lock. */
export function putEntry(parts: McpJsonParts, wanted: WantedEntry): PutOutcome {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const outcome = tryToPut(parts, wanted);
    if (outcome !== 'changed-meanwhile') return outcome;
  }
  throw new NotReplaceable('another program keeps changing it');
}

function tryToPut({ home, onBroken }: McpJsonParts, wanted: WantedEntry): PutOutcome | 'changed-meanwhile' {
  const { root, file, entry } = wanted;
  const records = readRecords(home, onBroken);
  const record = records[root]?.file === file ? records[root] : undefined;
  const text = readText(file);
  // The file before our entry, so that the record leads back to that text.
  const before = text === undefined ? undefined : undone(text, record?.undo);
  const base = before ?? text ?? '';
  const edit = setJsonEntry(base, GROUP, SERVER_NAME, entry);
  if (!edit.ok) return { state: 'unreadable', line: edit.line, reason: edit.reason };
  const existing = jsonEntry(base, GROUP, SERVER_NAME);
  const state = stateOf(existing, record !== undefined);
  if (state !== 'same') return { state };
  if (edit.text === text) return { state: 'same' };
  const after = recordOf(wanted, records[root], {
    created: text === undefined || (before !== undefined && record?.created === true),
    // Only an added entry can be undone byte for byte; a replaced one is not restored.
    ...(existing === undefined && { undo: undoOf(base, edit.text) }),
  });
  // Records are written first, so that a crash in between leaves no unrecorded entry.
  writeRecords(home, records, withRecord(records, root, after));
  const maskMode = wanted.holdsToken ? TOKEN_MASK : ALL_MODE;
  const mode = wanted.holdsToken ? undefined : record?.mode;
  const isWritten = replaceIfSame(file, text, edit.text, { newMode: NEW_MODE, mode, maskMode });
  return isWritten ? { state: 'written' } : 'changed-meanwhile';
}

function recordOf(
  { file, inGit, holdsToken }: WantedEntry,
  old: AdvertiseRecord | undefined,
  made: Pick<AdvertiseRecord, 'created' | 'undo'>,
): AdvertiseRecord {
  const mode = (old?.file === file ? old.mode : undefined) ?? modeOf(file);
  return {
    file,
    inGit,
    ...made,
    ...(holdsToken && mode !== undefined && { mode }),
    ...(old?.exclude && { exclude: old.exclude }),
  };
}

/** `same` means that our entry may go there: the place is empty, or holds what we wrote. */
function stateOf(existing: unknown, isRecorded: boolean): 'same' | 'kept' | 'foreign' {
  if (existing === undefined) return 'same';
  if (!leadsToDevdb(existing)) return 'foreign';
  return isRecorded || isOwnEntry(existing) ? 'same' : 'kept';
}

/**
 * Undoes everything written for a project: the entry, the file if nothing else is in it, the line in the exclude file.
 * With `leaveFile` the file stays as it is, as does one that was replaced by a link. Only under the home's lock.
 */
export function takeBack({ home, onBroken }: McpJsonParts, root: string, leaveFile: boolean): void {
  const records = readRecords(home, onBroken);
  const record = records[root];
  if (record === undefined) return;
  if (!leaveFile && isOfProject(root, record.file)) takeOutEntry(join(root, FILE_NAME), record);
  writeRecords(home, records, withRecord(leaveExclude(records, root), root, undefined));
}

function isOfProject(root: string, file: string): boolean {
  return isInside(root, file) && isFreeOfLinks(file);
}

/** Removes our entry from a file that no record mentions. */
export function takeOutUnrecorded(path: string, file: string, isOurs: (entry: unknown) => boolean): boolean {
  const text = readText(file);
  if (text === undefined || !isOurs(jsonEntry(text, GROUP, SERVER_NAME))) return false;
  takeOutEntry(path, { file, created: false, inGit: false });
  return true;
}

function takeOutEntry(path: string, { file, created, undo, mode }: AdvertiseRecord): void {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const text = readText(file);
    if (text === undefined) return;
    const restored = undone(text, undo);
    const after = restored ?? withoutEntry(text);
    if (after === text) return;
    const isGone = restored === undefined ? isEmptyFrame(after, GROUP) : created;
    if (isGone && !isLink(path)) {
      rmSync(file);
      return;
    }
    if (replaceIfSame(file, text, after, { newMode: NEW_MODE, mode })) return;
  }
  throw new NotReplaceable('another program keeps changing it');
}

/** An entry that now names another server stays, and so does a file that can no longer be read. */
function withoutEntry(text: string): string {
  if (!leadsToDevdb(jsonEntry(text, GROUP, SERVER_NAME))) return text;
  const edit = removeJsonEntry(text, GROUP, SERVER_NAME);
  return edit.ok ? edit.text : text;
}

/** Adds the line that makes Git ignore the file to its exclude file. Only under the home's lock. */
export function exclude({ home, onBroken }: McpJsonParts, root: string, file: string, wanted: WantedLine): void {
  const records = readRecords(home, onBroken);
  const plan = planExclude(records, root, wanted);
  if (plan === undefined) return;
  const old = records[root] ?? { file, created: false, inGit: false };
  writeRecords(home, records, withRecord(records, root, { ...old, exclude: plan.record }));
  plan.write();
}

/** Removes that line, since the user wants the file in Git. Only under the home's lock. */
export function include({ home, onBroken }: McpJsonParts, root: string): void {
  const records = readRecords(home, onBroken);
  const record = records[root];
  if (record?.exclude === undefined) return;
  const { exclude: _gone, ...others } = record;
  writeRecords(home, records, withRecord(leaveExclude(records, root), root, others));
}

function readText(file: string): string | undefined {
  return readExactly(file, MAX_MCP_JSON_BYTES);
}

function modeOf(file: string): number | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats === undefined ? undefined : stats.mode & 0o7777;
}
