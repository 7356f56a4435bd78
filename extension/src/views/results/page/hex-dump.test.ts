import { hexDump } from './hex-dump.ts';

test('bytes are shown with their offset and the characters that can be shown', () => {
  expect(hexDump('00ff41')).toBe(`00000000  00 ff 41${' '.repeat(39)}  ..A`);
  expect(hexDump('61'.repeat(17)).split('\n')[1]).toMatch(/^00000010 {2}61 +a$/);
});
