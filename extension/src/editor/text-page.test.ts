import * as fc from 'fast-check';
import { textPage } from './text-page.ts';

test('a text that fits comes whole, without a word about it', () => {
  expect(textPage('one\ntwo\n', 0, undefined, 'It')).toEqual({ text: 'one\ntwo\n', truncated: false });
});

test('a longer one says which call gives the next part', () => {
  const text = 'line of text\n'.repeat(5_000);
  const page = textPage(text, 0, undefined, 'get_file_text_by_path');
  expect(page.truncated).toBe(true);
  expect(Buffer.byteLength(page.text)).toBeLessThanOrEqual(32 * 1024);
  expect(page.text.endsWith('\n')).toBe(true);
  const { length } = page.text;
  expect(page.rest).toBe(
    `Characters 0 to ${length} of 65000 are shown. get_file_text_by_path with offset ${length} gives the next.`,
  );
});

test('pages put together are the text, whatever its characters and lines', () => {
  const texts = fc.string({
    unit: fc.constantFrom('a', '\n', '\r\n', 'ü', '文', '😀', ' '),
    minLength: 3_000,
    maxLength: 9_000,
  });
  fc.assert(
    fc.property(texts, (text) => {
      let whole = '';
      for (let page = textPage(text, 0, 1_024, 'It'); ; page = textPage(text, whole.length, 1_024, 'It')) {
        expect(page.text).not.toBe('');
        whole += page.text;
        if (!page.truncated) break;
      }
      expect(whole).toBe(text);
    }),
    { numRuns: 30 },
  );
});

test('a place behind the end gives nothing, one inside a character the whole character', () => {
  expect(textPage('abc', 10, undefined, 'It')).toEqual({ text: '', truncated: false });
  expect(textPage('😀b', 1, undefined, 'It').text).toBe('😀b');
});
