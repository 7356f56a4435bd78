/** Names longer than this are compared by their beginning: the work per name stays bounded. */
const COMPARED_LENGTH = 64;

/** The names that a mistyped one may have meant, nearest first: other case, plural, a part of it, a slip of the keys. */
export function nearNames(wanted: string, names: readonly string[], most = 5): string[] {
  const key = comparable(wanted);
  if (key === '') return [];
  const near: { readonly name: string; readonly distance: number }[] = [];
  for (const name of names) {
    const distance = distanceOf(key, comparable(name));
    if (distance !== undefined) near.push({ name, distance });
  }
  near.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return near.slice(0, most).map(({ name }) => name);
}

/** Without case, separators and the schema in front: `public.OrderItems` and `order_items` are near. */
function comparable(name: string): string {
  return name
    .toLowerCase()
    .replace(/^[^.]+\.(?=.)/, '')
    .replace(/[\s_\-"'`[\]]/g, '')
    .slice(0, COMPARED_LENGTH);
}

function distanceOf(wanted: string, name: string): number | undefined {
  if (name === '') return undefined;
  if (wanted === name) return 0;
  const shorter = Math.min(wanted.length, name.length);
  const edits = editDistance(wanted, name);
  if (edits <= allowedEdits(shorter)) return edits;
  // A part of a name counts less than a slip; one or two letters are part of everything.
  if (shorter >= 3 && (name.includes(wanted) || wanted.includes(name))) {
    return COMPARED_LENGTH + Math.abs(wanted.length - name.length);
  }
  return undefined;
}

function allowedEdits(length: number): number {
  if (length <= 4) return 1;
  return length <= 7 ? 2 : 3;
}

/** Letters to add, drop, change or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, at(beforeLast, column - 2) + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return at(last, b.length);
}

function at(costs: readonly number[], index: number): number {
  return costs[index] ?? Number.POSITIVE_INFINITY;
}
