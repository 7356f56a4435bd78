import type { Writable } from 'node:stream';
import { asOneLine } from '@devdb/shared/protocol/lines';

/** Writes messages, one per line. `full` means that the reader is slower than we are: see holdBack. */
export class Output {
  readonly #stream: Writable;
  readonly #onDrain: (() => void)[] = [];
  #ended = false;

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on('drain', () => {
      for (const resume of this.#onDrain.splice(0)) resume();
    });
  }

  send(message: string): void {
    if (!this.#ended && this.#stream.writable) this.#stream.write(`${asOneLine(message)}\n`);
  }

  /** Sends nothing more; calls `done` when everything has been written or cannot be. */
  end(done: () => void): void {
    this.#ended = true;
    // Ending a socket closes it for every process that shares it, such as the shell that started this one.
    if (this.#stream.writable) this.#stream.write('', () => done());
    else done();
  }

  get full(): boolean {
    return this.#stream.writableNeedDrain;
  }

  /** Calls back once, when the reader has caught up. */
  whenDrained(resume: () => void): void {
    this.#onDrain.push(resume);
  }
}

/** Pauses `source` while the output is full. */
export function holdBack(source: { pause(): unknown; resume(): unknown }, output: Output): void {
  if (!output.full) return;
  source.pause();
  output.whenDrained(() => source.resume());
}
