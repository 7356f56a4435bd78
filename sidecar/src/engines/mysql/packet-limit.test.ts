import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { createConnection } from 'mysql2';
import { HeldBytes, MessageHold } from '../held-bytes.ts';
import { MAX_SERVER_MESSAGE_BYTES } from '../limits.ts';
import { limitPackets, packetWalk } from './packet-limit.ts';

const FULL = 0xffffff;
const MIB = 1024 * 1024;

function packet(length: number, body = length): Buffer {
  const bytes = Buffer.alloc(4 + body, 0xaa);
  bytes.writeUIntLE(length, 0, 3);
  return bytes;
}

function inPieces(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0, i = 0; at < bytes.length; i += 1) {
    const size = sizes[i % sizes.length] ?? 1;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

describe('packetWalk', () => {
  it('finds each packet, however the bytes are split', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 });
    const bodies = fc.array(fc.integer({ min: 0, max: 70_000 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(bodies, sizes, (lengths, pieces) => {
        const seen: number[] = [];
        const hold = new (class extends MessageHold {
          override begin(bytes: number): undefined {
            seen.push(bytes);
          }
        })(new HeldBytes());
        const walk = packetWalk(hold);
        for (const piece of inPieces(Buffer.concat(lengths.map((length) => packet(length))), pieces)) walk(piece);
        expect(seen).toEqual(lengths);
      }),
    );
  });

  it('counts the packets of one message together, and releases them with the next message', () => {
    const all = new HeldBytes();
    const walk = packetWalk(new MessageHold(all));
    walk(Buffer.concat([packet(FULL), packet(FULL), packet(5, 2)]));
    expect(all.held).toBe(2 * FULL + 5);
    walk(Buffer.alloc(3));
    expect(all.held).toBe(2 * FULL + 5);
    walk(packet(7));
    expect(all.held).toBe(0);
  });

  it('refuses a message whose parts add up to too much, and one for which others leave no room', () => {
    const full = packet(FULL);
    const walk = packetWalk(new MessageHold(new HeldBytes()));
    const answers = Array.from({ length: 17 }, () => walk(full));
    expect(answers.findIndex((answer) => answer !== undefined)).toBe(Math.floor(MAX_SERVER_MESSAGE_BYTES / FULL));
    const all = new HeldBytes();
    all.take(250 * MIB);
    expect(packetWalk(new MessageHold(all))(packet(10 * MIB, 1))).toMatchObject({
      code: 'E_SQL',
      message: expect.stringContaining('other calls hold large values'),
    });
  });
});

describe('limitPackets', () => {
  it("wraps the driver's parser, which gets nothing more after a refusal", () => {
    const parsed: number[] = [];
    const driver = { packetParser: { execute: (chunk: Buffer) => parsed.push(chunk.length) } };
    const all = new HeldBytes(2 * MIB);
    const refused: unknown[] = [];
    limitPackets(driver, new MessageHold(all), (why) => refused.push(why));
    driver.packetParser.execute(packet(10));
    driver.packetParser.execute(packet(3 * MIB, 5));
    driver.packetParser.execute(packet(10));
    expect(parsed).toEqual([14]);
    expect(refused).toEqual([expect.objectContaining({ code: 'E_SQL' })]);
  });

  it('finds the parser in the installed driver', () => {
    const raw = createConnection({ stream: () => new PassThrough() });
    expect(() => limitPackets(raw, new MessageHold(new HeldBytes()), () => undefined)).not.toThrow();
    raw.destroy();
  });
});
