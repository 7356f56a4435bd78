import { MAX_RECORDED_CHARS, RECORDED_BYTES } from './limits.ts';
import { outputLines, recordedText } from './output-lines.ts';

test('what was printed at once is taken apart into its lines, and nothing of it is lost', () => {
  for (const text of ['one', 'one\n', 'one\ntwo', '\n\none\r\n', 'half'])
    expect(outputLines(text, 'stdout').join('')).toBe(text);
  expect(outputLines('one\ntwo\nthr', 'stdout')).toEqual(['one\n', 'two\n', 'thr']);
  expect(outputLines('', 'stdout')).toEqual([]);
});

test('of more than the record can hold only the end is looked at', () => {
  const lines = outputLines(`${'x'.repeat(10)}\n`.repeat(RECORDED_BYTES), 'stdout');
  expect(lines.join('').length).toBeLessThanOrEqual(RECORDED_BYTES / 2);
  expect(lines.at(-1)).toBe('xxxxxxxxxx\n');
});

test('what Node says about its debugger is not what the program printed', () => {
  expect(outputLines('Debugger attached.\noops\nWaiting for the debugger to disconnect...\n', 'stderr')).toEqual([
    'oops\n',
  ]);
  expect(outputLines('Debugger attached.\n', 'stdout')).toHaveLength(1);
});

test('a long line is cut, says how long it was, and ends as it did', () => {
  const line = 'é'.repeat(MAX_RECORDED_CHARS + 1);
  expect(recordedText(line)).toBe(`${line.slice(1)}… (${line.length} characters)`);
  expect(recordedText(`${line}\n`)).toMatch(/ characters\)\n$/);
  expect(recordedText(line.slice(1))).toBe(line.slice(1));
});
