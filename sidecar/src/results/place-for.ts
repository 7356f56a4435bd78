/** Where one belongs among sorted others: before those that are equal. */
export function placeFor<Item>(
  item: Item,
  sorted: readonly Item[],
  compare: (one: Item, other: Item) => number,
): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = sorted[middle];
    if (other !== undefined && compare(other, item) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
