import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import type * as z from 'zod';
import { hasCode } from './error-code.ts';
import { FILE_MODE } from './home.ts';
import { readIfThere } from './read-file.ts';

/** Told when a file of the home did not parse: where it lies now and why. */
export type OnBroken = (broken: { readonly file: string; readonly movedTo: string; readonly cause: unknown }) => void;

export interface WriteOptions {
  /** Where the text is put before it takes the file's place; the same folder. One fixed name needs a lock around it. */
  readonly temporary?: string;
  /** Survives a power cut too: for what is written once and not rebuilt. */
  readonly durable?: boolean;
  readonly mode?: number;
  /** The mode holds whatever the process's umask takes away: for a file that keeps the one it had. */
  readonly exactMode?: boolean;
  readonly owner?: { readonly uid: number; readonly gid: number };
  /** Asked in the last moment: false leaves the file as it is. */
  readonly onlyIf?: () => boolean;
}

/**
 * Replaces a file at once: a reader sees the old text or the new one, whenever this process is killed. Says whether it
 * was written.
 */
export function atomicWrite(file: string, text: string | Uint8Array, options: WriteOptions = {}): boolean {
  const temporary = options.temporary ?? `${file}.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`;
  try {
    writeWhole(temporary, text, options);
    if (options.onlyIf?.() === false) {
      rmSync(temporary, { force: true });
      return false;
    }
    renameOver(temporary, file);
    return true;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function writeWhole(
  file: string,
  text: string | Uint8Array,
  { durable = false, mode = FILE_MODE, exactMode = false, owner }: WriteOptions,
): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  // What a killed writer left under this name may have another mode.
  rmSync(file, { force: true });
  const descriptor = openSync(file, 'wx', mode);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
    if (owner !== undefined) fchownSync(descriptor, owner.uid, owner.gid);
    // After the owner, whose change takes some bits away.
    if (exactMode) fchmodSync(descriptor, mode);
    if (durable) fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const RENAME_TRIES = 40;
const RENAME_PAUSE_MS = 5;

/** Windows refuses to replace a file in the moment in which a reader or a virus scanner has it open. */
function renameOver(from: string, to: string): void {
  for (let tries = 1; ; tries += 1) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      if (tries === RENAME_TRIES || !isSharingViolation(error)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RENAME_PAUSE_MS);
    }
  }
}

function isSharingViolation(error: unknown): boolean {
  return process.platform === 'win32' && hasCode(error, 'EPERM', 'EACCES', 'EBUSY');
}

/**
 * Parses a file of the home. Undefined when it is not there, and when it did not parse: then it lies beside its place
 * under another name and `onBroken` has been told. Only under the home's lock, or two processes move at once.
 */
export function readOrSetAside<T>(file: string, parse: (text: string) => T, onBroken: OnBroken): T | undefined {
  const text = readIfThere(file);
  if (text === undefined) return undefined;
  try {
    return parse(text);
  } catch (cause) {
    onBroken({ file, movedTo: setAside(file, new Date()), cause });
    return undefined;
  }
}

/** A parser for readOrSetAside. */
export function jsonOf<T>(schema: z.ZodType<T>): (text: string) => T {
  return (text) => schema.parse(JSON.parse(text.replace(/^\ufeff/, '')));
}

/** Moves a file to `<name>.broken-<time>`, never onto another one, and returns where it is now. */
export function setAside(file: string, now: Date): string {
  const stamp = now.toISOString().replace(/[:.]/g, '-');
  const taken = new Set(readdirSync(dirname(file)));
  let target = `${file}.broken-${stamp}`;
  for (let copy = 2; taken.has(basename(target)); copy += 1) target = `${file}.broken-${stamp}-${copy}`;
  renameOver(file, target);
  return target;
}
