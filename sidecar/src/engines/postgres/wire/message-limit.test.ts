import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { HeldBytes, MessageHold } from '../../held-bytes.ts';
import { MAX_SERVER_MESSAGE_BYTES } from '../../limits.ts';
import { limitMessages } from './message-limit.ts';

function message(length: number, body: number): Buffer {
  const bytes = Buffer.alloc(5 + body);
  bytes.write('D');
  bytes.writeUInt32BE(length + 4, 1);
  return bytes;
}

/** Sends the bytes in pieces of these sizes and returns the stream's error, if any. */
async function send(bytes: Buffer, sizes: readonly number[]): Promise<Error | undefined> {
  const stream = new PassThrough();
  const failed = new Promise<Error | undefined>((resolve) => {
    stream.on('error', resolve);
    stream.on('end', () => resolve(undefined));
  });
  limitMessages(stream, new MessageHold(new HeldBytes()));
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
  it('passes all messages, however they are split', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 });
    const bodies = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(bodies, sizes, async (lengths, pieces) => {
        const bytes = Buffer.concat(lengths.map((length) => message(length, length)));
        expect(await send(bytes, pieces)).toBeUndefined();
      }),
    );
  });

  it('ends the connection at the header of a message that is too long, wherever the header is split', async () => {
    const bytes = Buffer.concat([message(7, 7), message(MAX_SERVER_MESSAGE_BYTES + 1, 3)]);
    for (const size of [1, 2, 3, 5, 13, 14, 1000]) {
      expect(await send(bytes, [size])).toMatchObject({ code: 'E_SQL' });
    }
  });

  it('releases what was taken when the next message begins and when the connection closes', async () => {
    const all = new HeldBytes();
    const stream = new PassThrough();
    limitMessages(stream, new MessageHold(all));
    stream.resume();
    const long = 2 * 1024 * 1024;
    await arrived(stream, message(long, 100));
    expect(all.held).toBe(long);
    await arrived(stream, Buffer.concat([Buffer.alloc(long - 100), message(3, 3)]));
    expect(all.held).toBe(0);
    await arrived(stream, message(long, 100));
    stream.destroy();
    await once(stream, 'close');
    expect(all.held).toBe(0);
  });

  it('ends a connection whose message has no room beside those of others', async () => {
    const all = new HeldBytes();
    all.take(MAX_SERVER_MESSAGE_BYTES - 1024);
    const stream = new PassThrough();
    limitMessages(stream, new MessageHold(all));
    stream.resume().write(message(2 * 1024 * 1024, 3));
    const [error] = await once(stream, 'error');
    expect(error).toMatchObject({ code: 'E_SQL', message: expect.stringContaining('other calls hold large values') });
  });
});

/** Writes the bytes and resolves when they have been examined. */
function arrived(stream: PassThrough, bytes: Buffer): Promise<void> {
  let left = bytes.length;
  return new Promise((resolve) => {
    stream.on('data', function look(chunk: Buffer) {
      left -= chunk.length;
      if (left > 0) return;
      stream.off('data', look);
      resolve();
    });
    stream.write(bytes);
  });
}
