import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import * as fc from 'fast-check';
import { HeldBytes, MessageHold } from '../../held-bytes.ts';
import { RawValues } from './raw-values.ts';
import { packRawColumn, TDS, unpackRawColumn } from './tds-types.ts';

const DONE = Buffer.from([0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

function rawValues(held = new HeldBytes()): RawValues {
  return new RawValues({ type: 4, resetConnection: false, ignore: false }, new MessageHold(held));
}

/** What a message becomes when it arrives in these pieces. */
async function rewritten(message: Buffer, cuts: readonly number[] = []): Promise<Buffer> {
  const stream = rawValues();
  const ends = [...new Set(cuts.map((cut) => cut % message.length))].sort((a, b) => a - b);
  let from = 0;
  // Copied, because a piece may be changed in place.
  for (const end of [...ends, message.length]) {
    stream.write(Buffer.from(message.subarray(from, end)));
    from = end;
  }
  stream.end();
  return buffer(stream);
}

function column(declaration: readonly number[], name = 'a', userType = 0): Buffer {
  const head = Buffer.alloc(6);
  head.writeUInt32LE(userType);
  head.writeUInt16LE(9, 4);
  return Buffer.concat([head, Buffer.from(declaration), Buffer.from([name.length]), Buffer.from(name, 'utf16le')]);
}

function columns(...list: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from([0x81, list.length, 0]), ...list]);
}

const INT = [TDS.INTN, 4];
const DECIMAL = [TDS.DECIMAL, 5, 9, 2];
const NVARCHAR_MAX = [TDS.NVARCHAR, 0xff, 0xff, 9, 4, 0xd0, 0, 0x34];
/** int 7, decimal 1.50, a long text in two parts; then the same as NULLs, in both forms of a row. */
const MESSAGE = Buffer.concat([
  columns(column(INT), column(DECIMAL, 'price'), column(NVARCHAR_MAX)),
  Buffer.from([0xd1, 4, 7, 0, 0, 0, 5, 1, 150, 0, 0, 0]),
  Buffer.from([6, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 97, 0, 4, 0, 0, 0, 98, 0, 99, 0, 0, 0, 0, 0]),
  Buffer.from([0xd1, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
  Buffer.from([0xd2, 0b111]),
  DONE,
]);
const AS_BINARY = [TDS.VARBINARY, 0x40, 0x1f];
const EXPECTED = Buffer.concat([
  columns(
    column(INT),
    column(AS_BINARY, 'price', packRawColumn({ type: TDS.DECIMAL, length: 5, precision: 9, scale: 2 })),
    column(NVARCHAR_MAX),
  ),
  Buffer.from([0xd1, 4, 7, 0, 0, 0, 5, 0, 1, 150, 0, 0, 0]),
  Buffer.from([6, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 97, 0, 4, 0, 0, 0, 98, 0, 99, 0, 0, 0, 0, 0]),
  Buffer.from([0xd1, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
  Buffer.from([0xd2, 0b111]),
  DONE,
]);

describe('RawValues', () => {
  it('declares a decimal as bytes, and leaves the rest unchanged', async () => {
    expect(await rewritten(MESSAGE)).toEqual(EXPECTED);
  });

  it('does so wherever the message is split', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { maxLength: 12 }), async (cuts) => {
        expect(await rewritten(MESSAGE, cuts)).toEqual(EXPECTED);
      }),
      { numRuns: 200 },
    );
    expect(await rewritten(MESSAGE, Array.from(MESSAGE.keys()))).toEqual(EXPECTED);
  });

  it('removes its mark from a column that has it by coincidence', async () => {
    const passed = await rewritten(Buffer.concat([columns(column(INT, 'a', 0xd0000038)), DONE]));
    expect(passed).toEqual(Buffer.concat([columns(column(INT)), DONE]));
  });

  it('fails on an invalid token', async () => {
    await expect(rewritten(Buffer.from([0x00, 1, 2]))).rejects.toThrow('unknown kind');
  });

  it('fails on a value announced as too large, before it has arrived', async () => {
    const head = Buffer.from([0xd1, 0, 0, 0, 0, 0, 0x20, 0, 0, 0]);
    await expect(rewritten(Buffer.concat([columns(column(NVARCHAR_MAX)), head.subarray(0, 9)]))).rejects.toMatchObject({
      code: 'E_SQL',
    });
  });
});

describe('the packed type of a column', () => {
  it('survives a round trip', () => {
    const fact = fc.record({
      type: fc.integer({ min: 0, max: 255 }),
      length: fc.integer({ min: 0, max: 127 }),
      precision: fc.integer({ min: 0, max: 255 }),
      scale: fc.integer({ min: 0, max: 31 }),
    });
    fc.assert(fc.property(fact, (column) => expect(unpackRawColumn(packRawColumn(column))).toEqual(column)));
  });

  it('is absent where the server sends its own user type', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xcfffffff }), (userType) =>
        expect(unpackRawColumn(userType)).toBeUndefined(),
      ),
    );
  });
});

describe('large values', () => {
  const MIB = 1024 * 1024;

  /** A row of two long texts, of which the second is still to come. */
  function row(mebibytes: number): Buffer {
    const head = Buffer.alloc(12);
    head.writeBigUInt64LE(BigInt(mebibytes * MIB));
    head.writeUInt32LE(mebibytes * MIB, 8);
    const whole = Buffer.concat([head, Buffer.alloc(mebibytes * MIB), Buffer.alloc(4)]);
    return Buffer.concat([Buffer.from([0xd1]), whole, head]);
  }

  const twoTexts = columns(column(NVARCHAR_MAX), column(NVARCHAR_MAX, 'b'));
  const written = (stream: RawValues, bytes: Buffer) => new Promise((resolve) => stream.write(bytes, resolve));

  it('of one row count together, and are released when the row is over', async () => {
    const held = new HeldBytes();
    const stream = rawValues(held).resume();
    await written(stream, Buffer.concat([twoTexts, row(2)]));
    expect(held.held).toBe(4 * MIB);
    await written(stream, Buffer.concat([Buffer.alloc(2 * MIB), Buffer.alloc(4), DONE]));
    expect(held.held).toBe(0);
  });

  it('of one row that have no room together end the answer', async () => {
    const stream = rawValues(new HeldBytes(3 * MIB)).resume();
    const failed = once(stream, 'error');
    stream.write(Buffer.concat([twoTexts, row(2)]));
    const [error] = await failed;
    expect(error).toMatchObject({ code: 'E_SQL', message: expect.stringContaining('other calls hold') });
  });

  it('are released by an unwanted answer', async () => {
    const held = new HeldBytes();
    const stream = rawValues(held).resume();
    await written(stream, Buffer.concat([twoTexts, row(2)]));
    stream.discardRest();
    expect(held.held).toBe(0);
  });
});

describe('an unwanted answer', () => {
  it('is read and discarded in slices, between which other work gets its turn', async () => {
    const stream = rawValues();
    stream.resume();
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    let handedOn = 0;
    stream.on('data', (chunk: Buffer) => {
      handedOn += chunk.length;
    });
    stream.discardRest();
    // Not a row of any type: what is not read cannot be wrong.
    const chunk = Buffer.alloc(64 * 1024, 0xd1);
    for (let i = 0; i < 256; i += 1) await new Promise<void>((resolve) => stream.write(chunk, () => resolve()));
    isOver = true;
    expect(handedOn).toBe(0);
    expect(turns).toBeGreaterThanOrEqual((256 * chunk.length) / (256 * 1024) / 2);
  });

  it('has no end either: the reader may be in the middle of a row', async () => {
    const stream = rawValues();
    let isEnded = false;
    stream.on('end', () => {
      isEnded = true;
    });
    stream.resume();
    stream.write(MESSAGE.subarray(0, 40));
    stream.discardRest();
    stream.end(MESSAGE.subarray(40));
    for (let i = 0; i < 20; i += 1) await new Promise<void>((resolve) => setImmediate(resolve));
    expect(isEnded).toBe(false);
  });
});
