import fc from 'fast-check';
import {
  CHUNK_HEAD_BYTES,
  chunkHead,
  FRAME_KINDS,
  FrameReader,
  fillRowsHead,
  markLast,
  ROWS_HEAD_BYTES,
  rowsPayload,
  textFrame,
} from './frames.ts';

describe('FrameReader', () => {
  it('returns the frames that were written, however the bytes are split', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.integer({ min: 1, max: 40 }), (texts, size) => {
        const bytes = Buffer.concat(texts.map((text) => textFrame(FRAME_KINDS.answer, text)));
        const reader = new FrameReader();
        const got: string[] = [];
        for (let at = 0; at < bytes.length; at += size) {
          reader.push(bytes.subarray(at, at + size));
          for (let frame = reader.next(); frame !== undefined; frame = reader.next())
            got.push(frame.payload.toString());
        }
        expect(got).toEqual(texts);
      }),
    );
  });

  it('assembles long frames, those that fit the kept buffer and those that do not', () => {
    const texts = ['a'.repeat(60_000), 'b'.repeat(200_000), 'c', 'd'.repeat(60_000)];
    const bytes = Buffer.concat(texts.map((text) => textFrame(FRAME_KINDS.answer, text)));
    const reader = new FrameReader();
    const got: string[] = [];
    for (let at = 0; at < bytes.length; at += 7_001) {
      reader.push(bytes.subarray(at, at + 7_001));
      for (let frame = reader.next(); frame !== undefined; frame = reader.next()) got.push(frame.payload.toString());
    }
    expect(got).toEqual(texts);
  });

  it('recognizes the last answer of a child, and separates its rows from the rest', () => {
    const lines = Buffer.concat([Buffer.alloc(ROWS_HEAD_BYTES), Buffer.from('[["é"]]{"rowCount":1}')]);
    fillRowsHead(lines, Buffer.byteLength('[["é"]]'));
    const reader = new FrameReader();
    reader.push(lines);
    expect(reader.next()).toMatchObject({ kind: FRAME_KINDS.rows, last: false });
    markLast(lines);
    reader.push(lines);
    const frame = reader.next();
    expect(frame).toMatchObject({ kind: FRAME_KINDS.rows, last: true });
    expect(rowsPayload(frame?.payload ?? Buffer.alloc(4))).toEqual({ rows: '[["é"]]', rest: '{"rowCount":1}' });
    expect(() => rowsPayload(Buffer.from([9, 0, 0, 0, 91, 93]))).toThrow('longer than the answer');
  });

  it('keeps the kind, and the rows of a chunk', () => {
    const reader = new FrameReader();
    reader.push(Buffer.concat([chunkHead(7, 3), Buffer.from('abc'), textFrame(FRAME_KINDS.error, '{}')]));
    const chunk = reader.next();
    expect(chunk?.kind).toBe(FRAME_KINDS.chunk);
    expect(chunk?.payload.readUInt32LE(0)).toBe(7);
    expect(chunk?.payload.toString('utf8', CHUNK_HEAD_BYTES)).toBe('abc');
    expect(reader.next()?.kind).toBe(FRAME_KINDS.error);
    expect(reader.next()).toBeUndefined();
  });
});

describe('what is no frame', () => {
  it('is an error at once, not a wait for bytes that never come', () => {
    const reader = new FrameReader();
    reader.push(Buffer.from('Debugger attached.\n'));
    expect(() => reader.next()).toThrow('not a frame');
  });
});
