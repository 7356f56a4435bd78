const LINE_FEED = 10;
const REPLACEMENT = '\ufffd';

/** Receives what is cut out of a byte stream at its line feeds. */
export interface LineSink {
  readonly line: (text: string) => void;
  /** A line that is not UTF-8, with replacement characters for the invalid bytes. */
  readonly notText: (text: string) => void;
  /** A line over the limit; its bytes are dropped up to the next line feed. */
  readonly tooLong: () => void;
}

/** Cuts a byte stream into lines and never holds more than `maxBytes` of one. */
export class LineSplitter {
  readonly #sink: LineSink;
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #bytes = 0;
  #dropping = false;

  constructor(maxBytes: number, sink: LineSink) {
    this.#maxBytes = maxBytes;
    this.#sink = sink;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      this.#keep(chunk.subarray(from, end));
      this.#finish();
      from = end + 1;
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from));
  }

  /** The stream has ended: text after the last line feed is a line too. */
  end(): void {
    this.#finish();
  }

  #keep(part: Buffer): void {
    if (this.#dropping || part.length === 0) return;
    this.#bytes += part.length;
    if (this.#bytes > this.#maxBytes) {
      this.#dropping = true;
      this.#parts = [];
      this.#sink.tooLong();
      return;
    }
    this.#parts.push(part);
  }

  #finish(): void {
    const parts = this.#parts;
    const dropped = this.#dropping;
    this.#parts = [];
    this.#bytes = 0;
    this.#dropping = false;
    if (dropped || parts.length === 0) return;
    const [first] = parts;
    const bytes = parts.length === 1 && first !== undefined ? first : Buffer.concat(parts);
    const text = bytes.toString('utf8');
    if (text.includes(REPLACEMENT) && !isText(bytes)) this.#sink.notText(text);
    else if (text.trim() !== '') this.#sink.line(text);
  }
}

/** Whether the bytes are valid UTF-8, in which case a replacement character was part of the text. */
function isText(bytes: Buffer): boolean {
  try {
    // Not isUtf8 of node:buffer, which the oldest supported Node lacks.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    // Invalid UTF-8 is the decoder's only error.
    return false;
  }
}
