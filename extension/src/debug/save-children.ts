import { type FileHandle, open, rm } from 'node:fs/promises';
import { AppError } from '@devdb/shared/errors';
import type { Progress } from '@devdb/shared/protocol';
import { codeOf } from '../editor/error-code.ts';
import type { DapVariable } from './dap.ts';
import type { Member } from './session-group.ts';
import { type Container, pageOf } from './variables.ts';

export interface SaveOptions {
  readonly pageSize: number;
  readonly maxItems?: number | undefined;
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
}

export interface Saved {
  readonly bytes: number;
  readonly counts: { readonly indexed: number; readonly named: number };
  readonly truncatedByLimit: boolean;
}

/** Writes the children of a value to a new file, a page at a time. A call that ends before leaves no file. */
export async function saveChildren(
  member: Member,
  value: Container,
  path: string,
  options: SaveOptions,
): Promise<Saved> {
  const file = await openNew(path);
  try {
    const saved = await writeAll(file, member, value, options);
    await file.close();
    return saved;
  } catch (error) {
    await file.close();
    await rm(path, { force: true });
    throw error;
  }
}

async function openNew(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o644);
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw cause;
    throw new AppError('E_ALREADY_EXISTS', 'The file exists already.', { hint: 'Choose another name.', cause });
  }
}

async function writeAll(file: FileHandle, member: Member, value: Container, options: SaveOptions): Promise<Saved> {
  const { pageSize, maxItems = Number.POSITIVE_INFINITY, signal, progress } = options;
  const elements = value.indexedVariables ?? 0;
  let [items, bytes] = [0, 0];
  for (let hasMore = true; hasMore && items < maxItems; ) {
    if (signal.aborted) throw new AppError('E_CANCELLED', 'The call was ended.');
    const count = Math.min(pageSize, maxItems - items);
    const page = await pageOf(member, value, { filter: 'all', start: items, count });
    const text = page.variables.map(lineOf).join('');
    await file.appendFile(text);
    bytes += Buffer.byteLength(text);
    items += page.variables.length;
    hasMore = page.hasMore && page.variables.length > 0;
    progress({ progress: items, message: `${items} written.` });
    if (hasMore && items >= maxItems) return { bytes, counts: countsOf(items, elements), truncatedByLimit: true };
  }
  return { bytes, counts: countsOf(items, elements), truncatedByLimit: false };
}

function countsOf(items: number, elements: number): Saved['counts'] {
  const indexed = Math.min(items, elements);
  return { indexed, named: items - indexed };
}

function lineOf({ name, value, type }: DapVariable): string {
  return `${JSON.stringify({ name, value, ...(type === undefined ? {} : { type }) })}\n`;
}
