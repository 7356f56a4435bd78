import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from '@tanstack/virtual-core';
import { NUMBER_WIDTH, ROW_HEIGHT } from './limits.ts';

/** Which rows or columns are on show. */
export type Axis = Virtualizer<HTMLElement, HTMLElement>;

export interface AxisParts {
  readonly horizontal: boolean;
  readonly view: () => HTMLElement;
  readonly sizeOf: (at: number) => number;
  /** How many of the first always are. */
  readonly pinned: () => number;
  readonly onChange: () => void;
}

export function newAxis({ horizontal, view, sizeOf, pinned, onChange }: AxisParts): Axis {
  // The head and the numbers of rows stay where they are, and cover what is below them.
  const padding = horizontal ? NUMBER_WIDTH : ROW_HEIGHT;
  return new Virtualizer<HTMLElement, HTMLElement>({
    count: 0,
    horizontal,
    getScrollElement: view,
    estimateSize: sizeOf,
    paddingStart: padding,
    scrollPaddingStart: padding,
    overscan: horizontal ? 2 : 6,
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
