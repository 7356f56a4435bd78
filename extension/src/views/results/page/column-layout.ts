/** Which columns are on show and in which order: pinned ones first, hidden ones not at all. */
export class ColumnLayout {
  readonly #count: number;
  readonly #hidden = new Set<number>();
  #pinned: readonly number[] = [];

  constructor(count: number) {
    this.#count = count;
  }

  /** The columns as they are shown, by their numbers in the result. */
  get shown(): readonly number[] {
    const rest = Array.from({ length: this.#count }, (_, at) => at).filter((at) => !this.#pinned.includes(at));
    return [...this.#pinned, ...rest].filter((at) => !this.#hidden.has(at));
  }

  /** How many of those that are shown are pinned. */
  get pinned(): number {
    return this.#pinned.filter((at) => !this.#hidden.has(at)).length;
  }

  get hidden(): number {
    return this.#hidden.size;
  }

  isPinned(column: number): boolean {
    return this.#pinned.includes(column);
  }

  togglePinned(column: number): void {
    this.#pinned = this.isPinned(column)
      ? this.#pinned.filter((one) => one !== column)
      : [...this.#pinned, column].sort((a, b) => a - b);
  }

  /** The last column that is shown stays. */
  hide(column: number): void {
    if (this.shown.length > 1) this.#hidden.add(column);
  }

  showAll(): void {
    this.#hidden.clear();
  }
}
