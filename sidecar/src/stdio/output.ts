import type { Writable } from 'node:stream';
import { asOneLine } from '@devdb/shared/protocol/lines';

/** Writes messages, one a line. `full` says that the reader is slower than we are: see holdBack. */
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

  /** Sends nothing more; `done` is called when what was sent has left, or cannot leave. */
  end(done: () => void): void {
    this.#ended = true;
    // Ending a socket shuts it for everybody who shares it, as the shell that started this process.
    if (this.#stream.writable) this.#stream.write('', () => done());
    else done();
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
