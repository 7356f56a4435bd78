/** Whether a name has every word of a filter somewhere, in any case. */
export function passesFilter(name: string, filter: string): boolean {
  const shown = name.toLowerCase();
  return wordsOf(filter).every((word) => shown.includes(word));
}

/** Blanks alone filter nothing. */
export function isFilter(filter: string): boolean {
  return wordsOf(filter).length > 0;
}

function wordsOf(filter: string): readonly string[] {
  return filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}
