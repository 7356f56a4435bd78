import { Writable } from 'node:stream';
import { MESSAGE_HEAD_BYTES, MESSAGES } from '@devdb/shared/protocol/calls';
import fc from 'fast-check';
import { encodeMessage, MessageReader, writeMessage } from './call-messages.ts';

const MAX_BYTES = 100;

type Seen = readonly [kind: number | 'too long', call: number, text?: string];

/** What a reader gets from bytes that arrive in pieces of these lengths. */
function read(bytes: Buffer, lengths: readonly number[]): { seen: Seen[]; reader: MessageReader } {
  const seen: Seen[] = [];
  const reader = new MessageReader(MAX_BYTES, {
    message: (kind, call, payload) => seen.push([kind, call, payload.toString()]),
    tooLong: (_kind, call) => seen.push(['too long', call]),
  });
  let at = 0;
  for (const length of lengths) {
    reader.push(bytes.subarray(at, at + length));
    at += length;
  }
  if (at < bytes.length) reader.push(bytes.subarray(at));
  return { seen, reader };
}

const kind = fc.constantFrom(...Object.values(MESSAGES));
const call = fc.integer({ min: 0, max: 0xffff_ffff });
const message = fc.tuple(kind, call, fc.string({ unit: 'binary', maxLength: 150 }));
const cuts = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 60 });

test('messages come out again however the bytes are split, and a too long one is reported', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), cuts, (messages, lengths) => {
      const bytes = Buffer.concat(messages.map(([kind, call, text]) => encodeMessage(kind, call, text)));
      const { seen, reader } = read(bytes, lengths);
      expect(seen).toEqual(
        messages.map(([kind, call, text]) =>
          Buffer.byteLength(text) > MAX_BYTES ? ['too long', call] : [kind, call, Buffer.from(text).toString()],
        ),
      );
      expect(reader.inMessage).toBe(false);
    }),
  );
});

test.each(['ä', 'a long text, ünlike the others '.repeat(4_000)])(
  'pieces are one message, however long they are',
  (text) => {
    const written: Buffer[] = [];
    const to = new Writable({
      write(chunk: Buffer, _encoding, done) {
        written.push(chunk);
        done();
      },
    });
    writeMessage(to, MESSAGES.result, 7, ['[', text, '', text, ']']);
    expect(Buffer.concat(written)).toEqual(encodeMessage(MESSAGES.result, 7, `[${text}${text}]`));
  },
);

test('any bytes are read to their end, the same in one piece as in many', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), cuts, (bytes, lengths) => {
      expect(read(Buffer.from(bytes), lengths).seen).toEqual(read(Buffer.from(bytes), []).seen);
    }),
  );
});

test('half a message is kept, and known to be half', () => {
  const bytes = encodeMessage(MESSAGES.call, 1, 'abc');
  expect(read(bytes.subarray(0, -1), []).reader.inMessage).toBe(true);
  expect(read(bytes.subarray(0, MESSAGE_HEAD_BYTES - 1), []).seen).toEqual([]);
});

test('a reader stopped by its sink delivers nothing more', () => {
  const seen: number[] = [];
  const reader = new MessageReader(MAX_BYTES, {
    message: (_kind, call) => {
      seen.push(call);
      reader.stop();
    },
    tooLong: () => undefined,
  });
  reader.push(Buffer.concat([1, 2, 3].map((call) => encodeMessage(MESSAGES.call, call, ''))));
  reader.push(encodeMessage(MESSAGES.call, 4, ''));
  expect(seen).toEqual([1]);
});

test('a changed limit takes effect with the next message', () => {
  const seen: string[] = [];
  const reader = new MessageReader(1, {
    message: (_kind, call) => {
      seen.push(`${call}`);
      reader.allow(MAX_BYTES);
    },
    tooLong: (_kind, call) => seen.push(`${call} is too long`),
  });
  reader.push(
    Buffer.concat([1, 2, 3].map((call) => encodeMessage(MESSAGES.call, call, 'x'.repeat(call === 2 ? 1 : 2)))),
  );
  expect(seen).toEqual(['1 is too long', '2', '3']);
});

test('a paused reader delivers the rest when it resumes, in order, and nothing before', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 20 }), { minLength: 1, maxLength: 12 }), cuts, (texts, lengths) => {
      const seen: string[] = [];
      const reader = new MessageReader(MAX_BYTES, {
        message: (_kind, _call, payload) => {
          seen.push(payload.toString());
          reader.pause();
        },
        tooLong: () => undefined,
      });
      const bytes = Buffer.concat(texts.map((text) => encodeMessage(MESSAGES.call, 1, text)));
      let at = 0;
      for (const length of [...lengths, bytes.length]) {
        reader.push(bytes.subarray(at, at + length));
        at += length;
      }
      for (let count = 1; count <= texts.length; count += 1) {
        expect(seen).toEqual(texts.slice(0, count));
        reader.resume();
      }
      expect(reader.inMessage).toBe(false);
    }),
  );
});
