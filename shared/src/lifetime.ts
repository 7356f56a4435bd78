/** Owns what a process opened and closes it once, newest first. */
export class Lifetime {
  readonly #closers: (() => unknown)[] = [];
  #ended: Promise<Error[]> | undefined;

  get ended(): boolean {
    return this.#ended !== undefined;
  }

  /** Takes over `thing`; `close` runs when this lifetime ends. */
  own<T>(thing: T, close: (thing: T) => unknown): T {
    if (this.#ended) throw new Error('This lifetime has ended; nothing can be opened in it.');
    this.#closers.push(() => close(thing));
    return thing;
  }

  /** Closes everything, newest first. A failing close does not stop the rest; all failures are returned. */
  end(): Promise<Error[]> {
    this.#ended ??= this.#closeAll();
    return this.#ended;
  }

  async #closeAll(): Promise<Error[]> {
    const failures: Error[] = [];
    for (let close = this.#closers.pop(); close; close = this.#closers.pop()) {
      try {
        await close();
      } catch (error) {
        failures.push(error instanceof Error ? error : new Error(String(error)));
      }
    }
    return failures;
  }
}
