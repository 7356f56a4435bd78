import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { atomicWrite } from '../../host/files.ts';
import { FILE_MODE, FOLDER_MODE } from '../../host/home.ts';
import type { Edit } from '../../host/jsonc-text.ts';
import { NotReplaceable, readExactly, replaceIfSame, targetWithin } from '../../host/replace-file.ts';
import type { ClientFile } from './clients.ts';
import { removeJsonEntry, setJsonEntry } from './jsonc-edit.ts';
import { setTomlTable } from './toml-edit.ts';

export const SERVER_NAME = 'devdb';
/** The previous content of the file, kept beside it. */
const BACKUP_ENDING = '.devdb-backup';
const MAX_TRIES = 5;

/** The outcome for a client's file. */
export type Merge = { readonly ok: true; readonly changed: boolean } | { readonly ok: false; readonly problem: string };

/** The client's file with our entry added. */
export function edited(file: ClientFile, text: string, entry: Record<string, unknown>): Edit {
  return file.format === 'json'
    ? setJsonEntry(text, file.group, SERVER_NAME, entry)
    : setTomlTable(text, file.group, SERVER_NAME, tomlLines(entry));
}

/**
 * Puts the entry into the client's file: atomically, through a link only within the user's home, and never over what
 * the client itself wrote meanwhile. A file that does not parse is left unchanged.
 */
export function mergeIntoFile(file: ClientFile, userHome: string, entry: Record<string, unknown>): Merge {
  return changeFile(file, userHome, (text) => edited(file, text, entry));
}

/** Removes our entry from a client's JSON file in the same way. */
export function removeFromFile(file: ClientFile, userHome: string): Merge {
  return changeFile(file, userHome, (text) => removeJsonEntry(text, file.group, SERVER_NAME));
}

function changeFile(file: ClientFile, userHome: string, edit: (text: string) => Edit): Merge {
  const found = targetWithin([userHome, dirname(file.path)], file.path);
  if (found.file === undefined) return refused(file.path, found.reason);
  const target = found.file;
  try {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const before = readExactly(target);
      const after = edit(before ?? '');
      if (!after.ok) return refused(`${file.path}:${after.line}`, after.reason);
      if (after.text === (before ?? '')) return { ok: true, changed: false };
      mkdirSync(dirname(target), { recursive: true, mode: FOLDER_MODE });
      if (file.keepsBackup && before !== undefined) atomicWrite(`${target}${BACKUP_ENDING}`, before);
      if (replaceIfSame(target, before, after.text, { newMode: FILE_MODE })) return { ok: true, changed: true };
    }
  } catch (error) {
    if (error instanceof NotReplaceable) return refused(file.path, error.message);
    throw error;
  }
  return refused(file.path, 'another program keeps changing it; close the client and try again');
}

function refused(where: string, reason: string): Merge {
  return { ok: false, problem: `${where} was left unchanged: ${reason}.` };
}

/** A flat table as TOML lines: strings, lists of strings, and one level of strings below. */
export function tomlLines(entry: Record<string, unknown>): string[] {
  return Object.entries(entry).map(([key, value]) => `${key} = ${tomlValue(value)}`);
}

function tomlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)} = ${tomlValue(inner)}`);
    return `{ ${pairs.join(', ')} }`;
  }
  // A JSON string is a TOML basic string, except for DEL, which none of our paths contains.
  return JSON.stringify(value);
}
