import { loadCached } from '@devdb/shared/node/cached-load';

export interface EntryOptions {
  /** The folder of the bundle that the entry belongs to. */
  readonly bundleDir: string;
  readonly argv: readonly string[];
}

/** What a runnable file of the bundle exports. */
export interface Entry {
  main(options: EntryOptions): unknown;
}

/** Loads a file of a bundle; undefined when it is not an entry. */
export function loadEntry(file: string): Entry | undefined {
  const loaded = loadCached(file);
  return isEntry(loaded) ? loaded : undefined;
}

/** Runs `main` of another file of the bundle in this process. */
export function runEntry(file: string, options: EntryOptions): unknown {
  const entry = loadEntry(file);
  if (entry === undefined) throw new Error(`${file} is not an entry of DevDB's bundle. Build it again: npm run build`);
  return entry.main(options);
}

function isEntry(loaded: unknown): loaded is Entry {
  return typeof loaded === 'object' && loaded !== null && 'main' in loaded && typeof loaded.main === 'function';
}
