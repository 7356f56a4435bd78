import { type Dirent, statSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { MAX_FOUND_FILES } from '@devdb/shared/limits';
import { cannotOpen, existingPath, type ProjectPath } from './paths.ts';

export interface FolderEntry {
  readonly name: string;
  readonly type: 'file' | 'directory' | 'link';
  readonly path: string;
}

export interface FolderContent {
  readonly entries: readonly FolderEntry[];
  readonly isCut: boolean;
}

/** What stands in a folder of the project, by name. A folder may have any number of files: so many are looked at. */
export async function folderContent(root: string, folder: ProjectPath, signal: AbortSignal): Promise<FolderContent> {
  const found: Dirent[] = [];
  let isCut = false;
  for await (const entry of await openedFolder(folder)) {
    signal.throwIfAborted();
    isCut = found.length >= MAX_FOUND_FILES;
    if (isCut) break;
    found.push(entry);
  }
  const byName = (one: Dirent, other: Dirent) => (one.name < other.name ? -1 : 1);
  const entries = found.sort(byName).map((entry) => {
    const path = folder.relative === '' ? entry.name : `${folder.relative}/${entry.name}`;
    return { name: entry.name, type: typeOf(root, entry, path), path };
  });
  return { entries, isCut };
}

async function openedFolder({ absolute, relative }: ProjectPath) {
  try {
    return await opendir(absolute);
  } catch {
    throw cannotOpen(relative);
  }
}

/** A link is what it leads to, as long as that lies in the project. */
function typeOf(root: string, entry: Dirent, path: string): FolderEntry['type'] {
  if (!entry.isSymbolicLink()) return entry.isDirectory() ? 'directory' : 'file';
  try {
    return statSync(existingPath(root, path).absolute).isDirectory() ? 'directory' : 'file';
  } catch {
    return 'link';
  }
}
