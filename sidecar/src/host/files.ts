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

/** Called when a file of the home did not parse, with its new path and the cause. */
export type OnBroken = (broken: { readonly file: string; readonly movedTo: string; readonly cause: unknown }) => void;

export interface WriteOptions {
  /**
   * Where the text is written before it replaces the file; in the same folder. A fixed name needs a lock around the
   * write.
   */
  readonly temporary?: string;
  /** Survives a power cut too: for files that are written once and cannot be rebuilt. */
  readonly durable?: boolean;
  readonly mode?: number;
  /** Sets the mode whatever the process's umask: for a file that keeps its mode. */
  readonly exactMode?: boolean;
  readonly owner?: { readonly uid: number; readonly gid: number };
  /** Called at the last moment: false leaves the file unchanged. */
  readonly onlyIf?: () => boolean;
}

/**
 * Replaces a file atomically: a reader sees the old text or the new one, even if this process is killed. Returns
 * whether it was written.
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
  // A file that a killed writer left under this name may have another mode.
  rmSync(file, { force: true });
  const descriptor = openSync(file, 'wx', mode);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
    if (owner !== undefined) fchownSync(descriptor, owner.uid, owner.gid);
    // After chown, which clears some mode bits.
    if (exactMode) fchmodSync(descriptor, mode);
    if (durable) fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const RENAME_TRIES = 40;
const RENAME_PAUSE_MS = 5;

/** Windows refuses to replace a file while a reader or a virus scanner has it open. */
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
 * Parses a file of the home. Undefined when it does not exist or does not parse; in the latter case it was renamed and
 * `onBroken` was called. Only under the home's lock, or two processes would move it at once.
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

/** Moves a file to `<name>.broken-<time>`, never over another file, and returns its new path. */
export function setAside(file: string, now: Date): string {
  const stamp = now.toISOString().replace(/[:.]/g, '-');
  const taken = new Set(readdirSync(dirname(file)));
  let target = `${file}.broken-${stamp}`;
  for (let copy = 2; taken.has(basename(target)); copy += 1) target = `${file}.broken-${stamp}-${copy}`;
  renameOver(file, target);
  return target;
}
