import { PassThrough } from 'node:stream';
import { MAX_SERVER_MESSAGE_BYTES } from '@devdb/shared/limits';
import fc from 'fast-check';
import { limitMessages } from './message-limit.ts';

function message(length: number, body: number): Buffer {
  const bytes = Buffer.alloc(5 + body);
  bytes.write('D');
  bytes.writeUInt32BE(length + 4, 1);
  return bytes;
}

/** Sends the bytes in pieces of these sizes and tells what became of the stream. */
async function send(bytes: Buffer, sizes: readonly number[]): Promise<Error | undefined> {
  const stream = new PassThrough();
  const failed = new Promise<Error | undefined>((resolve) => {
    stream.on('error', resolve);
    stream.on('end', () => resolve(undefined));
  });
  limitMessages(stream);
  stream.resume();
  let at = 0;
  for (let i = 0; at < bytes.length; i += 1) {
    const size = sizes[i % sizes.length] ?? 1;
    stream.write(bytes.subarray(at, at + size));
    at += size;
  }
  stream.end();
  return failed;
}

describe('limitMessages', () => {
  it('lets all messages pass, however they are cut into pieces', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 });
    const bodies = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(bodies, sizes, async (lengths, pieces) => {
        const bytes = Buffer.concat(lengths.map((length) => message(length, length)));
        expect(await send(bytes, pieces)).toBeUndefined();
      }),
    );
  });

  it('ends the connection at the header of a message that is too long, wherever the header is cut', async () => {
    const bytes = Buffer.concat([message(7, 7), message(MAX_SERVER_MESSAGE_BYTES + 1, 3)]);
    for (const size of [1, 2, 3, 5, 13, 14, 1000]) {
      expect(await send(bytes, [size])).toMatchObject({ code: 'E_SQL' });
    }
  });
});
