export interface RingLimits {
  readonly items: number;
  readonly bytes: number;
}

/** The last items of an endless row: as many as fit. */
export class Ring<Item> implements Iterable<Item> {
  readonly #limits: RingLimits;
  #entries: { readonly item: Item; readonly bytes: number }[] = [];
  /** Where the entries begin; what stands before has been dropped. */
  #head = 0;
  #bytes = 0;
  #dropped = 0;

  constructor(limits: RingLimits) {
    this.#limits = limits;
  }

  /** Items that have made room for later ones. */
  get dropped(): number {
    return this.#dropped;
  }

  get length(): number {
    return this.#entries.length - this.#head;
  }

  push(item: Item, bytes: number): void {
    this.#entries.push({ item, bytes });
    this.#bytes += bytes;
    while (this.length > this.#limits.items || (this.#bytes > this.#limits.bytes && this.length > 1)) this.#drop();
  }

  *[Symbol.iterator](): Iterator<Item> {
    for (let at = this.#head; at < this.#entries.length; at += 1) {
      const entry = this.#entries[at];
      if (entry !== undefined) yield entry.item;
    }
  }

  #drop(): void {
    this.#bytes -= this.#entries[this.#head]?.bytes ?? 0;
    this.#head += 1;
    this.#dropped += 1;
    // Moving all entries at every drop would cost more than the half that stands empty.
    if (this.#head < 64 || this.#head * 2 < this.#entries.length) return;
    this.#entries = this.#entries.slice(this.#head);
    this.#head = 0;
  }
}
