import { placeFor } from './place-for.ts';

/** Items that are sorted a few at a time as they come, since a sort of them all would block other calls. */
export class SortSlices<Item> {
  readonly #compare: (one: Item, other: Item) => number;
  readonly #sliceLength: number;
  #slices: Item[][] = [];
  #open: Item[] = [];

  constructor(sliceLength: number, compare: (one: Item, other: Item) => number) {
    this.#sliceLength = sliceLength;
    this.#compare = compare;
  }

  get length(): number {
    return this.#slices.length * this.#sliceLength + this.#open.length;
  }

  add(item: Item): void {
    this.#open.push(item);
    if (this.#open.length === this.#sliceLength) this.#endSlice();
  }

  /** Returns all of them in order, and starts over. */
  *take(): Generator<Item> {
    if (this.#open.length > 0) this.#endSlice();
    const heads = this.#slices.flatMap((items) => Head.of(items) ?? []);
    this.#slices = [];
    const compare = (one: Head<Item>, other: Head<Item>) => this.#compare(one.item, other.item);
    heads.sort(compare);
    for (let first = heads.shift(); first !== undefined; first = heads.shift()) {
      yield first.item;
      if (first.advance()) heads.splice(placeFor(first, heads, compare), 0, first);
    }
  }

  #endSlice(): void {
    this.#slices.push(this.#open.sort(this.#compare));
    this.#open = [];
  }
}

/** The next item of a slice. */
class Head<Item> {
  item: Item;
  readonly #rest: Iterator<Item>;

  private constructor(first: Item, rest: Iterator<Item>) {
    this.item = first;
    this.#rest = rest;
  }

  static of<Item>(items: readonly Item[]): Head<Item> | undefined {
    const rest = items.values();
    const first = rest.next();
    return first.done === true ? undefined : new Head(first.value, rest);
  }

  /** False at the end of the slice. */
  advance(): boolean {
    const next = this.#rest.next();
    if (next.done === true) return false;
    this.item = next.value;
    return true;
  }
}
