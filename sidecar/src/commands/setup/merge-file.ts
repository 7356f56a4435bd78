import { lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { atomicWrite } from '../../host/files.ts';
import { FILE_MODE, FOLDER_MODE } from '../../host/home.ts';
import { readIfThere } from '../../registry/read-registry.ts';
import type { ClientFile } from './clients.ts';
import { type Edit, setJsonEntry } from './jsonc-edit.ts';
import { setTomlTable } from './toml-edit.ts';

export const SERVER_NAME = 'devdb';
const MAX_TRIES = 5;

/** What became of a client's file. */
export type Merge = { readonly ok: true; readonly changed: boolean } | { readonly ok: false; readonly problem: string };

/** The client's file with our entry in it. */
export function edited(file: ClientFile, text: string, entry: Record<string, unknown>): Edit {
  return file.format === 'json'
    ? setJsonEntry(text, file.group, SERVER_NAME, entry)
    : setTomlTable(text, file.group, SERVER_NAME, tomlLines(entry));
}

/**
 * Puts the entry into the client's file: at once, through links, and never over what the client itself wrote
 * meanwhile. A file that cannot be read as what it should be is left alone.
 */
export function mergeIntoFile(file: ClientFile, entry: Record<string, unknown>): Merge {
  const target = targetOf(file.path);
  if (target === undefined) return refused(file.path, 'it is a link to a file that is not there');
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const before = readIfThere(target);
    const edit = edited(file, before ?? '', entry);
    if (!edit.ok) return refused(`${file.path}:${edit.line}`, edit.reason);
    if (edit.text === before) return { ok: true, changed: false };
    mkdirSync(dirname(target), { recursive: true, mode: FOLDER_MODE });
    if (readIfThere(target) !== before) continue;
    atomicWrite(target, edit.text, { mode: modeOf(target) });
    return { ok: true, changed: true };
  }
  return refused(file.path, 'another program keeps changing it; close the client and try again');
}

function refused(where: string, reason: string): Merge {
  return { ok: false, problem: `${where} was left as it is: ${reason}.` };
}

/** Where the bytes really lie; undefined for a link into nothing. */
export function targetOf(path: string): string | undefined {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return path;
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  return realpathSync(path);
}

function modeOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? FILE_MODE : stats.mode & 0o777;
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
  // A JSON string is a TOML basic string, but for DEL, which no path of ours holds.
  return JSON.stringify(value);
}
