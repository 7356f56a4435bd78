import { statSync } from 'node:fs';

/** Two changes within one step of a file's time look the same; on some file systems a step takes two seconds. */
const COARSE_STEP_MS = 2_000;

/**
 * A text that differs after every change of a file. Undefined where the next change could leave it as it is, and where
 * there is no file or none that can be looked at. Take it before reading, so that a change during the read is noticed.
 */
export function settledStamp(file: string): string | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    const { dev, ino, size, mtimeMs, ctimeMs } = stats;
    const ageMs = Date.now() - Math.max(mtimeMs, ctimeMs);
    return ageMs < COARSE_STEP_MS ? undefined : `${dev}:${ino}:${size}:${mtimeMs}:${ctimeMs}`;
  } catch {
    // Reading it reports why.
    return undefined;
  }
}
