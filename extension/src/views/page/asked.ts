interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** What a page has asked its extension, by number, until the answer comes. */
export class Asked<Answer> {
  readonly #waiting = new Map<number, Waiting<Answer>>();
  #asks = 0;

  /** Sends a question under a number of its own. */
  ask(send: (number: number) => void): Promise<Answer> {
    this.#asks += 1;
    const number = this.#asks;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      send(number);
    });
  }

  answered(number: number, answer: Answer): void {
    this.#take(number)?.resolve(answer);
  }

  refused(number: number, message: string): void {
    this.#take(number)?.reject(new Error(message));
  }

  #take(number: number): Waiting<Answer> | undefined {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    return waiting;
  }
}
