import { type Dir, type Dirent, opendirSync } from 'node:fs';
import { codeOf } from '../host/error-code.ts';
import { refusalOf } from './containment.ts';
import { MAX_FOLDER_ENTRIES } from './limits.ts';

export interface FolderItem {
  readonly name: string;
  readonly type: 'file' | 'folder' | 'link';
}

export type FolderRead =
  | { readonly state: 'listed'; readonly items: readonly FolderItem[]; readonly cut: boolean }
  | { readonly state: 'absent' }
  | { readonly state: 'refused'; readonly reason: string };

/**
 * Which names in a folder are relevant, as data, because another thread lists the same folder again. A link counts as a
 * file and as a folder, since it may be either.
 */
export interface Wanted {
  readonly files?: RegExp | undefined;
  readonly folders?: { readonly names: readonly string[]; readonly others: 'all' | 'undotted' | 'none' } | undefined;
}

/** Never entered, even where any folder is accepted. */
export const LEFT_OUT: ReadonlySet<string> = new Set([
  'node_modules',
  '.git',
  'vendor',
  'dist',
  'build',
  'target',
  'coverage',
  'venv',
  '__pycache__',
]);

/** The relevant names in a folder inside the project, sorted. */
export function listFolder(root: string, path: string, wanted: Wanted, signal: AbortSignal): FolderRead {
  const refused = refusalOf(root, path);
  if (refused !== undefined) return refused;
  const items: FolderItem[] = [];
  let seen = 0;
  try {
    for (const entry of entriesOf(opendirSync(path, { bufferSize: 256 }))) {
      signal.throwIfAborted();
      if (++seen > MAX_FOLDER_ENTRIES) return { state: 'listed', items: sorted(items), cut: true };
      const item = itemOf(entry);
      if (item !== undefined && isWanted(item, wanted)) items.push(item);
    }
  } catch (error) {
    signal.throwIfAborted();
    const code = codeOf(error);
    return code === 'ENOTDIR' || code === 'ENOENT'
      ? { state: 'absent' }
      : { state: 'refused', reason: `cannot be listed (${code})` };
  }
  return { state: 'listed', items: sorted(items), cut: false };
}

function* entriesOf(folder: Dir): Generator<Dirent> {
  try {
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) yield entry;
  } finally {
    folder.closeSync();
  }
}

/** Equal for equal listings. */
export function keyOf(listing: FolderRead): string {
  return JSON.stringify(listing);
}

function isWanted({ name, type }: FolderItem, { files, folders }: Wanted): boolean {
  if (type !== 'folder' && files?.test(name)) return true;
  if (type === 'file' || folders === undefined || LEFT_OUT.has(name)) return false;
  const { names, others } = folders;
  return names.includes(name) || others === 'all' || (others === 'undotted' && !name.startsWith('.'));
}

function itemOf(entry: Dirent): FolderItem | undefined {
  if (entry.isSymbolicLink()) return { name: entry.name, type: 'link' };
  if (entry.isDirectory()) return { name: entry.name, type: 'folder' };
  return entry.isFile() ? { name: entry.name, type: 'file' } : undefined;
}

function sorted(items: FolderItem[]): FolderItem[] {
  return items.sort((a, b) => (a.name < b.name ? -1 : 1));
}
