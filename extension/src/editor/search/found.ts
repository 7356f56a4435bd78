import { bytesFor, cappedList } from '@devdb/shared/capped';
import { MAX_FOUND_FILES } from '@devdb/shared/limits';

/** Paths of a search from the project's root, in their order. */
export interface Found {
  readonly paths: readonly string[];
  /** The search was ended with more to come. */
  readonly isCut: boolean;
  /** What the search did not do as asked. */
  readonly note?: string | undefined;
}

/** Collects paths until there are too many. */
export class FoundPaths {
  readonly #paths = new Set<string>();
  #isCut = false;

  /** False when no more are taken. */
  readonly add = (path: string): boolean => {
    if (this.#paths.size < MAX_FOUND_FILES) this.#paths.add(withSlashes(path));
    else this.#isCut = true;
    return !this.#isCut;
  };

  get size(): number {
    return this.#paths.size;
  }

  delete(path: string): void {
    this.#paths.delete(path);
  }

  get found(): Found {
    return { paths: [...this.#paths].sort(), isCut: this.#isCut };
  }
}

function withSlashes(path: string): string {
  const clean = process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
  return clean.startsWith('./') ? clean.slice(2) : clean;
}

/** What an answer says of a list that may be cut. */
export interface Listed<Item> {
  readonly kept: Item[];
  readonly truncated: boolean;
  readonly rest?: string;
}

/** As many as an answer takes, and in words what is missing. */
export function listed<Item>(
  items: readonly Item[],
  limit: number | undefined,
  { isCut = false, note }: { readonly isCut?: boolean; readonly note?: string | undefined } = {},
): Listed<Item> {
  const more = 'Pass a larger limit, or ask for less.';
  const capped = cappedList(items, { limit, bytes: bytesFor(limit), more });
  const told = [
    ...(isCut ? [`There are more than ${items.length}, at which the search was ended. Ask for less.`] : []),
    ...(capped.truncated ? [capped.rest] : []),
    ...(note === undefined ? [] : [note]),
  ];
  const rest = told.length === 0 ? {} : { rest: told.join(' ') };
  return { kept: [...capped.kept], truncated: capped.truncated || isCut, ...rest };
}
