import { asOneLine, encodeLine, encodeResultLine } from './lines.ts';

const text = 'a\u2028b\u2029c\nd';

test('JSON is one line even for readers that end a line at U+2028, and means the same', () => {
  const json = JSON.stringify({ text });
  expect(asOneLine(json)).toBe('{"text":"a\\u2028b\\u2029c\\nd"}');
  expect(JSON.parse(asOneLine(json))).toEqual({ text });
});

test('a line ends with its newline and has no other separator', () => {
  const lines = [encodeLine({ type: 'ask-over', id: text }), encodeResultLine(JSON.stringify({ text }))];
  for (const line of lines) {
    expect(line.split(/[\n\u2028\u2029]/)).toEqual([line.slice(0, -1), '']);
    expect(JSON.stringify(JSON.parse(line))).toContain(JSON.stringify(text));
  }
});
