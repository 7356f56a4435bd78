import type { Duplex } from 'node:stream';
import type { MessageHold } from '../../held-bytes.ts';

const HEADER_BYTES = 5;

/**
 * Ends a connection whose server announces a message that cannot be held: the driver keeps a message whole, so many of
 * them would fill the memory, and one longer than a JavaScript string may be would end the process. Only reads the
 * lengths, before the driver.
 */
export function limitMessages(stream: Duplex, hold: MessageHold): void {
  /** Bytes still to come of the current message. */
  let left = 0;
  let header = Buffer.alloc(0);
  stream.once('close', () => hold.end());
  stream.prependListener('data', (chunk: Buffer) => {
    let at = Math.min(left, chunk.length);
    left -= at;
    while (at < chunk.length) {
      const needed = HEADER_BYTES - header.length;
      if (chunk.length - at < needed) {
        header = Buffer.concat([header, chunk.subarray(at)]);
        return;
      }
      let length: number;
      if (header.length === 0) {
        length = chunk.readUInt32BE(at + 1);
      } else {
        length = Buffer.concat([header, chunk.subarray(at, at + needed)]).readUInt32BE(1);
      }
      at += needed;
      header = Buffer.alloc(0);
      left = length - 4;
      const refusal = hold.begin(left);
      if (refusal !== undefined) {
        stream.destroy(refusal);
        return;
      }
      const skipped = Math.min(left, chunk.length - at);
      at += skipped;
      left -= skipped;
    }
  });
}
