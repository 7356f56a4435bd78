import { statSync } from 'node:fs';

/** Two changes within one step of a file's time look the same; on some file systems a step takes two seconds. */
const COARSE_STEP_MS = 2_000;
const ABSENT = 'absent';

export interface ChangingFileParts<T> {
  readonly read: () => T;
  /** What holds while there is no file. */
  readonly absent: T;
}

/** What a file that other processes change says now. While it has not changed, a look at it is enough. */
export class ChangingFile<T> {
  readonly #file: string;
  readonly #parts: ChangingFileParts<T>;
  #last: { readonly stamp: string; readonly value: T } | undefined;

  constructor(file: string, parts: ChangingFileParts<T>) {
    this.#file = file;
    this.#parts = parts;
  }

  /** Throws what reading it throws. */
  current(): T {
    // Before it is read: a change in between is noticed the next time.
    const stamp = settledStamp(this.#file);
    if (stamp === ABSENT) return this.#parts.absent;
    if (stamp !== undefined && stamp === this.#last?.stamp) return this.#last.value;
    const value = this.#parts.read();
    this.#last = stamp === undefined ? undefined : { stamp, value };
    return value;
  }
}

/** Differs after every change. Undefined where the next change could leave it as it is, or nothing can be seen. */
function settledStamp(file: string): string | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return ABSENT;
    const { dev, ino, size, mtimeMs, ctimeMs } = stats;
    const ageMs = Date.now() - Math.max(mtimeMs, ctimeMs);
    return ageMs < COARSE_STEP_MS ? undefined : `${dev}:${ino}:${size}:${mtimeMs}:${ctimeMs}`;
  } catch {
    // Reading it reports why.
    return undefined;
  }
}
