import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from '@tanstack/virtual-core';
import { NUMBER_WIDTH } from './limits.ts';

/** Which columns are on show. */
export type Axis = Virtualizer<HTMLElement, HTMLElement>;

export interface AxisParts {
  readonly view: () => HTMLElement;
  readonly sizeOf: (at: number) => number;
  /** How many of the first always are. */
  readonly pinned: () => number;
  readonly onChange: () => void;
}

export function newAxis({ view, sizeOf, pinned, onChange }: AxisParts): Axis {
  return new Virtualizer<HTMLElement, HTMLElement>({
    count: 0,
    horizontal: true,
    getScrollElement: view,
    estimateSize: sizeOf,
    // The numbers of rows stay where they are, and cover what is below them.
    paddingStart: NUMBER_WIDTH,
    scrollPaddingStart: NUMBER_WIDTH,
    overscan: 2,
    rangeExtractor: (range) => {
      const first = Array.from({ length: Math.min(pinned(), range.count) }, (_, at) => at);
      return [...first, ...defaultRangeExtractor(range).filter((at) => at >= pinned())];
    },
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange,
  });
}
