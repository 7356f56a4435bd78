import fc from 'fast-check';
import { CHUNK_HEAD_BYTES, chunkHead, FRAME_KINDS, FrameReader, textFrame } from './frames.ts';

describe('FrameReader', () => {
  it('gives back the frames that were written, however the bytes are cut into pieces', () => {
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
    expect(() => reader.next()).toThrow('no frame');
  });
});
