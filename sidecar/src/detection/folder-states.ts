import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { isInside } from './containment.ts';

/** What is known of a folder of the project: really inside it, missing from `from` on, or to be looked at closely. */
export type FolderState =
  | { readonly is: 'inside' }
  | { readonly is: 'missing'; readonly from: string }
  | { readonly is: 'unclear' };

const INSIDE: FolderState = { is: 'inside' };
const UNCLEAR: FolderState = { is: 'unclear' };

/** Answers most questions for files that do not exist with one look at each folder: detectors ask for thousands. */
export class FolderStates {
  readonly #root: string;
  readonly #known = new Map<string, FolderState>();

  /** `root` is free of links. */
  constructor(root: string) {
    this.#root = root;
    this.#known.set(root, INSIDE);
  }

  of(folder: string): FolderState {
    const known = this.#known.get(folder);
    if (known !== undefined) return known;
    const state = isInside(this.#root, folder) ? this.#lookAt(folder) : UNCLEAR;
    this.#known.set(folder, state);
    return state;
  }

  /** Whether there is certainly nothing at a path, in a folder that is inside. */
  isMissing(path: string): boolean {
    return look(path) === undefined;
  }

  #lookAt(folder: string): FolderState {
    const above = this.of(dirname(folder));
    if (above.is !== 'inside') return above;
    const stats = look(folder);
    if (stats === undefined) return { is: 'missing', from: folder };
    if (stats === 'refused') return UNCLEAR;
    if (stats.isDirectory()) return INSIDE;
    return stats.isSymbolicLink() && this.#leadsInside(folder) ? INSIDE : UNCLEAR;
  }

  #leadsInside(link: string): boolean {
    try {
      return isInside(this.#root, realpathSync(link));
    } catch {
      // A link to nothing is reported when it is followed.
      return false;
    }
  }
}

/** The link itself, not what it leads to; undefined where there is nothing. */
function look(path: string): Stats | 'refused' | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return 'refused';
  }
}
