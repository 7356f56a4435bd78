import { loadCached } from './cached-load.ts';

export interface EntryOptions {
  readonly bundleDir: string;
  readonly argv: readonly string[];
}

interface Entry {
  main(options: EntryOptions): unknown;
}

/** Runs `main` of another file of the bundle in this process. */
export function runEntry(file: string, options: EntryOptions): unknown {
  const entry = loadCached(file);
  if (!isEntry(entry)) throw new Error(`${file} is not an entry of DevDB's bundle. Build it again: npm run build`);
  return entry.main(options);
}

function isEntry(loaded: unknown): loaded is Entry {
  return typeof loaded === 'object' && loaded !== null && 'main' in loaded && typeof loaded.main === 'function';
}
