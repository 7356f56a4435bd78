import type { AppFolder } from './app-folder.ts';
import type { FolderItem } from './folder.ts';

/** What to look for below an application's folder. */
export interface Search {
  readonly files: RegExp;
  /** Folders entered below the application's own, by name; their depth starts at 1. */
  readonly enters: (name: string, depth: number, parent: string) => boolean;
  /** Folders listed in total, the application's own included; below the project's root a quarter of it. */
  readonly most: number;
}

/** The files below an application's folder that a search accepts, nearest first. Paths are relative to the folder. */
export async function filesBelow(app: AppFolder, search: Search, signal: AbortSignal): Promise<readonly string[]> {
  const wanted = { files: search.files, folders: { names: [], others: 'undotted' } } as const;
  const files: string[] = [];
  const most = app.folder === '' ? search.most : Math.ceil(search.most / 4);
  const waiting = [{ folder: '', depth: 0 }];
  for (let listed = 0, next = waiting.shift(); next !== undefined && listed < most; next = waiting.shift()) {
    const { folder, depth } = next;
    const listing = await app.project.list(app.path(folder).replace(/\/$/, ''), wanted, signal);
    listed += 1;
    if (listing.state !== 'listed') continue;
    const path = (name: string): string => (folder === '' ? name : `${folder}/${name}`);
    files.push(...listing.items.filter((item) => isFile(item, search.files)).map(({ name }) => path(name)));
    for (const { name, type } of listing.items) {
      if (type === 'folder' && search.enters(name, depth + 1, folder)) {
        waiting.push({ folder: path(name), depth: depth + 1 });
      }
    }
  }
  return files;
}

function isFile({ type, name }: FolderItem, pattern: RegExp): boolean {
  return type !== 'folder' && pattern.test(name);
}
