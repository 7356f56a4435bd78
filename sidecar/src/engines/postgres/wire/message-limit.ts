import type { Duplex } from 'node:stream';
import { AppError } from '@devdb/shared/errors';
import { MAX_SERVER_MESSAGE_BYTES } from '@devdb/shared/limits';

const HEADER_BYTES = 5;

/**
 * Ends a connection whose server announces a message that is too long to be held: the driver keeps a message whole, and
 * one that is longer than a JavaScript string may be would end the process. Reads the lengths alone, ahead of the driver.
 */
export function limitMessages(stream: Duplex): void {
  /** Bytes of the current message that are still to come. */
  let left = 0;
  let header = Buffer.alloc(0);
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
      if (left > MAX_SERVER_MESSAGE_BYTES) {
        stream.destroy(tooLong(left));
        return;
      }
      const skipped = Math.min(left, chunk.length - at);
      at += skipped;
      left -= skipped;
    }
  });
}

function tooLong(bytes: number): AppError {
  const most = MAX_SERVER_MESSAGE_BYTES / 1024 / 1024;
  return new AppError('E_SQL', `One row of the result has ${bytes} bytes; ${most} MiB is the most that can be read.`, {
    hint: 'Read a part of the value, e.g. with substring(), or leave the column out.',
  });
}
