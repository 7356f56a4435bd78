/** Where a statement stands in a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The statement that a person means: the one that the cursor is in, else the one it stands behind, else the next one.
 */
export function statementAt(spans: readonly Span[], offset: number): Span | undefined {
  return (
    spans.find(({ start, end }) => start <= offset && offset <= end) ??
    spans.findLast(({ end }) => end < offset) ??
    spans[0]
  );
}
