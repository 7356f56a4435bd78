import * as fc from 'fast-check';
import { TerminalOutput } from './terminal-output.ts';

function shown(...pieces: readonly string[]): string {
  const output = new TerminalOutput();
  for (const piece of pieces) output.push(piece);
  return output.read().text;
}

const ESC = '\u001b';

test.each([
  ['lines of a terminal', 'one\r\ntwo\r\n', 'one\ntwo\n'],
  ['colours', `${ESC}[1;31mred${ESC}[0m and ${ESC}[38;2;1;2;3mmore${ESC}[m`, 'red and more'],
  ['marks of the shell integration', `${ESC}]633;C\u0007hello${ESC}]633;D;0${ESC}\\`, 'hello'],
  ['links and titles', `${ESC}]8;;https://x.example${ESC}\\text${ESC}]8;;${ESC}\\${ESC}]0;title\u0007`, 'text'],
  ['a progress bar that writes over itself', '10%\r50%\r100%\r\n', '100%\n'],
  ['a shorter line over a longer one, erased', `downloading\r${ESC}[Kdone\r\n`, 'done\n'],
  ['a shorter line over a longer one, not erased', 'abcdef\rxy\r\n', 'xycdef\n'],
  ['backspaces', 'abc\b\bX\r\n', 'aXc\n'],
  ['a whole erased line', `abc${ESC}[2K\rd\r\n`, 'd\n'],
  ['columns', `a${ESC}[5Gb${ESC}[2Cc\r\n`, 'a   b  c\n'],
  ['a character set and a saved cursor', `${ESC}(B${ESC}7text${ESC}8`, 'text'],
  ['control characters', 'a\u0000b\u0007c\u007fd', 'abcd'],
  ['device control strings', `${ESC}P1$r0m${ESC}\\after`, 'after'],
  ['eight-bit sequences', '\u009b31mred\u009d0;t\u009c!', 'red!'],
  ['tabs and other scripts', '\tgrüße 文 🙂\r\n', '\tgrüße 文 🙂\n'],
])('%s read as text', (_name, written, text) => {
  expect(shown(written)).toBe(text);
});

test('it is the same in whatever pieces it comes', () => {
  const part = fc.constantFrom(
    'a',
    'bc',
    '\r\n',
    '\r',
    '\b',
    '\t',
    `${ESC}[31m`,
    `${ESC}[K`,
    `${ESC}[2K`,
    `${ESC}]0;t\u0007`,
    `${ESC}]8;;x${ESC}\\`,
    `${ESC}(B`,
    `${ESC}[3C`,
    '文',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), fc.array(fc.nat(60), { maxLength: 8 }), (parts, cuts) => {
      const text = parts.join('');
      const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)), text.length].sort(
        (one, other) => one - other,
      );
      const pieces = places.slice(1).map((end, at) => text.slice(places[at], end));
      expect(shown(...pieces)).toBe(shown(text));
    }),
  );
});

test('nothing a terminal would act on is left, whatever is written', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be left
      expect(shown(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    }),
  );
});

test('a string that never ends takes no more memory, and what follows is read', () => {
  const output = new TerminalOutput();
  output.push(`${ESC}]`);
  for (let at = 0; at < 200; at += 1) output.push('x'.repeat(1_000));
  output.push('\r\nafter\r\n');
  expect(output.read().text).toMatch(/after\n$/);
});

test('of a long output the start and the end are kept, and how much is missing between them is reported', () => {
  const output = new TerminalOutput();
  for (let line = 1; line <= 100_000; line += 1) output.push(`line ${line}\r\n`);
  const { text, truncated } = output.read();
  expect(truncated).toBe(true);
  expect(Buffer.byteLength(text)).toBeLessThan(33 * 1024);
  expect(text).toMatch(/^line 1\nline 2\n/);
  expect(text).toMatch(/\n\[\.\.\. \d+ bytes of the output are not shown; .*\]\n/);
  expect(text.endsWith('line 99999\nline 100000\n')).toBe(true);
});

test('a line without an end is bounded as well, in whole characters', () => {
  const output = new TerminalOutput();
  for (let at = 0; at < 300; at += 1) output.push('文'.repeat(1_000));
  const { text, truncated } = output.read();
  expect(truncated).toBe(true);
  expect(Buffer.byteLength(text)).toBeLessThan(33 * 1024);
  expect(text).not.toContain('\ufffd');
});
