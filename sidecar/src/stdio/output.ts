import type { Writable } from 'node:stream';

/** Writes messages, one a line. `full` says that the reader is slower than we are: see holdBack. */
export class Output {
  readonly #stream: Writable;
  readonly #onDrain: (() => void)[] = [];

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on('drain', () => {
      for (const resume of this.#onDrain.splice(0)) resume();
    });
  }

  send(message: string): void {
    if (this.#stream.writable) this.#stream.write(`${message}\n`);
  }

  get full(): boolean {
    return this.#stream.writableNeedDrain;
  }

  /** Calls back once when the reader has caught up. */
  whenDrained(resume: () => void): void {
    this.#onDrain.push(resume);
  }
}

/** Holds `source` back while the output is full. */
export function holdBack(source: { pause(): unknown; resume(): unknown }, output: Output): void {
  if (!output.full) return;
  source.pause();
  output.whenDrained(() => source.resume());
}
