import { inspect } from 'node:util';

const PRINTED = '[secret]';

/** A password or token on its way to the driver. In any output it is [secret]. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The only way to the value; called next to the driver or comparison that needs it. */
  open(): string {
    return this.#value;
  }

  toString(): string {
    return PRINTED;
  }

  toJSON(): string {
    return PRINTED;
  }

  [inspect.custom](): string {
    return PRINTED;
  }
}
