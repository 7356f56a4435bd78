/** Of longer names only the beginning is compared, which bounds the work per name. */
const COMPARED_LENGTH = 64;

/** The names a mistyped one may have meant, nearest first: other case, plural, a part of it, a typo. */
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

/** Without case, separators and schema: `public.OrderItems` and `order_items` are near. */
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
  const allowed = allowedEdits(shorter);
  const edits = Math.abs(wanted.length - name.length) > allowed ? undefined : editDistance(wanted, name, allowed);
  if (edits !== undefined) return edits;
  // Containment counts less than a typo, since one or two letters are contained in everything.
  if (shorter >= 3 && (name.includes(wanted) || wanted.includes(name))) {
    return COMPARED_LENGTH + Math.abs(wanted.length - name.length);
  }
  return undefined;
}

function allowedEdits(length: number): number {
  if (length <= 4) return 1;
  return length <= 7 ? 2 : 3;
}

/** Letters to insert, delete, replace or swap with their neighbour; undefined when more than allowed. */
function editDistance(a: string, b: string, allowed: number): number | undefined {
  const far = new Array<number>(b.length + 1).fill(Number.POSITIVE_INFINITY);
  let beforeLast = far;
  let last = far.map((_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = far.slice();
    current[0] = row;
    // Further from the diagonal every cell exceeds the limit.
    const end = Math.min(b.length, row + allowed);
    for (let column = Math.max(1, row - allowed); column <= end; column++) {
      const change = a[row - 1] === b[column - 1] ? 0 : 1;
      let cost = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + change);
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, at(beforeLast, column - 2) + 1);
      current[column] = cost;
    }
    beforeLast = last;
    last = current;
  }
  const edits = at(last, b.length);
  return edits <= allowed ? edits : undefined;
}

function at(costs: readonly number[], index: number): number {
  return costs[index] ?? Number.POSITIVE_INFINITY;
}
