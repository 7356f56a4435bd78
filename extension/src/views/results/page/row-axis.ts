import type { Placed } from './grid-cell.ts';
import { ROW_HEIGHT } from './limits.ts';

/** Rows above and below what is on show that are drawn as well. */
const MORE_ROWS = 6;

/** What of a scrolled element is on show. */
export interface Viewport {
  readonly top: number;
  readonly height: number;
}

/**
 * The rows of a section by their place. All have one height, so that nothing is counted through when there are more:
 * a list of a million places takes longer than a frame, each time that rows arrive.
 */
export class RowAxis {
  readonly #viewport: () => Viewport;
  count = 0;

  constructor(viewport: () => Viewport) {
    this.#viewport = viewport;
  }

  /** With the head above them. */
  get height(): number {
    return ROW_HEIGHT * (this.count + 1);
  }

  /** The rows that are on show, and a few around them. */
  get shown(): readonly Placed[] {
    const { top, height } = this.#viewport();
    if (height === 0) return [];
    const first = Math.max(0, Math.floor(top / ROW_HEIGHT) - 1 - MORE_ROWS);
    const last = Math.min(this.count - 1, Math.floor((top + height) / ROW_HEIGHT) - 1 + MORE_ROWS);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => this.#placed(first + at));
  }

  /** Where the viewport has to begin for a row to be on show: where it is, if it is already. */
  topFor(row: number): number {
    const { top, height } = this.#viewport();
    const { start } = this.#placed(row);
    // The head stays where it is, and covers what is below it.
    if (start < top + ROW_HEIGHT) return start - ROW_HEIGHT;
    return Math.max(top, start + ROW_HEIGHT - height);
  }

  #placed(row: number): Placed {
    return { index: row, start: ROW_HEIGHT * (row + 1), size: ROW_HEIGHT };
  }
}
