import * as fc from 'fast-check';
import { isBinary } from './binary.ts';

const utf16 = (text: string) => Buffer.from(text, 'utf16le');

test.each([
  ['UTF-8', Buffer.from('größe 文\n')],
  ['nothing', Buffer.alloc(0)],
  ['Latin-1', Buffer.from('größe\n', 'latin1')],
  ['UTF-16 with a mark', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16('größe 文')])],
  ['UTF-16 the other way round, with a mark', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16('größe 文')]).swap16()],
  ['UTF-16 without a mark', utf16('const a = 1;\n')],
  ['UTF-16 the other way round', utf16('const a = 1;\n').swap16()],
])('%s is a text', (_what, bytes) => {
  expect(isBinary(bytes)).toBe(false);
});

test.each([
  ['a database', Buffer.from('SQLite format 3\0\x10\0\x01\x01\0\x40\x20\x20\0\0\0\x02')],
  ['a program', Buffer.from('\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0\x01\0\0\0')],
  ['a text with one NUL', Buffer.from('some text\0and more of it')],
  ['only NULs', Buffer.alloc(64)],
  ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0])],
])('%s is binary', (_what, bytes) => {
  expect(isBinary(bytes)).toBe(true);
});

test('bytes without NUL are never binary', () => {
  const bytes = fc.uint8Array({ min: 1, maxLength: 200 });
  fc.assert(fc.property(bytes, (text) => !isBinary(text)));
});
