/** A name is no longer than this on any disk; what is, is no name. */
const MAX_RECORD_BYTES = 64 * 1024;

/** Splits bytes at each NUL, which no name of a file holds, as it may hold a line feed. */
export class NulRecords {
  readonly #onRecord: (record: string) => void;
  #begun: Buffer = Buffer.alloc(0);

  constructor(onRecord: (record: string) => void) {
    this.#onRecord = onRecord;
  }

  take(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, from)) {
      this.#onRecord(Buffer.concat([this.#begun, chunk.subarray(from, end)]).toString());
      this.#begun = Buffer.alloc(0);
      from = end + 1;
    }
    this.#begun = Buffer.concat([this.#begun, chunk.subarray(from)]);
    if (this.#begun.length > MAX_RECORD_BYTES) this.#begun = Buffer.alloc(0);
  }
}
