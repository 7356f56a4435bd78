import { join } from 'node:path';
import * as z from 'zod';
import { atomicWrite, jsonOf, type OnBroken, readOrSetAside } from '../../host/files.ts';
import type { Home } from '../../host/home.ts';
import { readIfThere } from '../../host/read-file.ts';
import { undoSchema } from './undo.ts';

const excludeSchema = z.object({
  file: z.string(),
  line: z.string(),
  created: z.boolean(),
  undo: undoSchema.optional(),
});

/** The line we added to a repository's exclude file. */
export type ExcludeRecord = z.infer<typeof excludeSchema>;

const recordSchema = z.object({
  /** The real file, behind links. */
  file: z.string(),
  created: z.boolean(),
  /** Written although Git tracks it. */
  inGit: z.boolean(),
  undo: undoSchema.optional(),
  /** The file's mode before it held a token. */
  mode: z.int().optional(),
  exclude: excludeSchema.optional(),
});

/** What we wrote for one project, so that any process can undo it. */
export type AdvertiseRecord = z.infer<typeof recordSchema>;

export type AdvertiseRecords = Readonly<Record<string, AdvertiseRecord>>;

const parseRecords = jsonOf(z.record(z.string(), recordSchema));

/** The file in the home that holds the records. */
export function recordsFile(home: Pick<Home, 'dir'>): string {
  return join(home.dir, 'advertised.json');
}

/** The records by project root. Only under the home's lock. */
export function readRecords(home: Pick<Home, 'dir'>, onBroken: OnBroken): AdvertiseRecords {
  return readOrSetAside(recordsFile(home), parseRecords, onBroken) ?? {};
}

/**
 * The same without the lock, since the file is replaced as a whole. Undefined when it does not parse: to move it aside
 * takes the lock.
 */
export function readWholeRecords(home: Pick<Home, 'dir'>): AdvertiseRecords | undefined {
  const text = readIfThere(recordsFile(home));
  try {
    return text === undefined ? {} : parseRecords(text);
  } catch {
    return undefined;
  }
}

/** Writes the file if the records have changed. Only under the home's lock. */
export function writeRecords(home: Pick<Home, 'dir'>, before: AdvertiseRecords, after: AdvertiseRecords): void {
  const text = textOf(after);
  if (text !== textOf(before)) atomicWrite(recordsFile(home), text, { temporary: `${recordsFile(home)}.tmp` });
}

/** The records with one set or removed. */
export function withRecord(
  records: AdvertiseRecords,
  root: string,
  record: AdvertiseRecord | undefined,
): AdvertiseRecords {
  const { [root]: _before, ...others } = records;
  return record === undefined ? others : { ...others, [root]: record };
}

function textOf(records: AdvertiseRecords): string {
  return `${JSON.stringify(records, undefined, 2)}\n`;
}
